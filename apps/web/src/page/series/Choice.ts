/** What the sheet for a new game offers where networks play each other: a network and a level for each side, how many games. */

import type { Entry } from "../../bundle/Index";
import type { Data } from "../../engine/Data";
import { say, sayBy } from "../../texts/Speech";
import { chosen, strength } from "../choices/Controls";
import { byId, element, put } from "../dom/Dom";
import { choice, radio, radios } from "../dom/Radios";
import { readMembers, store } from "../dom/Storage";
import type { Side } from "../game/GameRecord";
import { levelText, shortTitle } from "../words/Words";
import { COUNTS, pliesOf } from "./Plan";

const REMEMBERED = "series";
const SIDES = [0, 1] as const;
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `level ${number}`);

/** Who plays whom, and how often. */
export interface SeriesChoice {
  readonly sides: readonly [Side, Side];
  readonly count: number;
}

export class Choice {
  private entries: readonly Entry[] = [];
  private readonly part = element("div", { id: "series-choice", hidden: true });

  constructor() {
    byId("begins").after(this.part);
    this.part.addEventListener("change", () => {
      this.tell();
      this.remember();
    });
    byId("begins").addEventListener("change", () => this.lay());
  }

  /** Offer these bundles, which play on one board; `open` is the one that is open. */
  offer(game: string, entries: readonly Entry[], open: Entry): void {
    this.entries = entries;
    const left = readMembers(REMEMBERED);
    const sides = SIDES.map((side) => this.side(side, left, open, game));
    const counts = COUNTS.map((count) => [String(count), String(count)] as const);
    this.part.replaceChildren(
      ...sides,
      radios("series-count", say("series_games"), counts, String(left.count)),
      element("p", { class: "about", id: "series-openings" }, say("series_openings", pliesOf(game))),
    );
    this.tell();
    this.lay();
    for (const side of SIDES) showChosen(`network-${side}`);
  }

  get chosen(): SeriesChoice {
    const side = (at: number): Side => {
      const offered = this.entries.find(({ name }) => name === this.bundle(at));
      if (!offered) throw new Error("There is no such bundle in the sheet, this is a bug.");
      const bundle = { name: offered.name, given: offered.isGiven };
      return { kind: "network", name: offered.title, level: chosen(`level-${at}`), bundle };
    };
    return { sides: [side(0), side(1)], count: Number(chosen("series-count")) };
  }

  /** The bundle chosen for a side; a single network leaves no choice. */
  private bundle(side: number): string {
    return this.entries.length > 1 ? chosen(`network-${side}`) : (this.entries[0]?.name ?? "");
  }

  private side(side: number, { bundles, levels }: Data, open: Entry, game: string): HTMLElement {
    const [bundle, level] = [bundles, levels].map((each) => (Array.isArray(each) ? String(each[side]) : ""));
    const isOffered = this.entries.some(({ name }) => name === bundle);
    const network = isOffered ? bundle : open.name;
    const networks = this.entries.map((entry) =>
      radio(`network-${side}`, entry.name, shortTitle(entry.title, game), entry.name === network),
    );
    const title = say(side === 0 ? "series_first" : "series_second");
    const named = (what: string): string => `${title}: ${what}`;
    return element(
      "section",
      { class: "side", "aria-labelledby": `side-${side}` },
      element(
        "div",
        { class: "head" },
        element("h3", { id: `side-${side}` }, title),
        element("p", { id: `level-name-${side}` }),
      ),
      ...(networks.length > 1 ? [choice(`network-${side}`, say("series_network"), ...networks)] : []),
      this.levels(side, level || strength(), named(say("strength"))),
    );
  }

  /** The eight levels; and the exact strength that is chosen for other games, if it is none of them. */
  private levels(side: number, level: string, label: string): HTMLElement {
    const id = `level-${side}`;
    const steps = LEVELS.map((each, at) => {
      const made = radio(id, each, String(at + 1), each === level, sayBy(`level_${at + 1}`));
      made.className = "step";
      return made;
    });
    const exact = LEVELS.includes(level) ? strength() : level;
    const more = LEVELS.includes(exact) ? [] : [radio(id, exact, levelText(exact), exact === level)];
    return choice(id, label, element("div", { class: "levels" }, ...steps), ...more);
  }

  private tell(): void {
    for (const side of SIDES) put(byId(`level-name-${side}`), levelText(chosen(`level-${side}`)));
    byId("series-openings").hidden = chosen("series-count") === "1";
  }

  private remember(): void {
    const bundles = SIDES.map((side) => this.bundle(side));
    const levels = SIDES.map((side) => chosen(`level-${side}`));
    store(REMEMBERED, JSON.stringify({ bundles, levels, count: Number(chosen("series-count")) }));
  }

  /** Where networks play each other the sides' levels count, and not the one for a person's opponent. */
  private lay(): void {
    const isOffered = chosen("begins") === "watch" && this.part.hasChildNodes();
    this.part.hidden = !isOffered;
    byId("strength").hidden = isOffered;
  }
}

/** Scroll a long list to what is chosen. */
function showChosen(id: string): void {
  const list = document.getElementById(id);
  const label = list?.querySelector<HTMLElement>("label:has(:checked)");
  if (list && label) list.scrollTop = label.offsetTop + label.offsetHeight - list.clientHeight;
}
