/** The list of all games: pictures of their last positions, a search, two filters; a series is one entry; deleted with undo. */

import { count, type Said, say } from "../../../texts/Speech";
import { presentationOf } from "../../boards/Presentation";
import { button, byId, element, put, set } from "../../dom/Dom";
import { type GameRecord, statesIn } from "../../game/GameRecord";
import { save } from "../../records/RecordFile";
import { gameAddress } from "../Address";
import { exportGames, importGames } from "../Archive";
import type { Library } from "../Library";
import { type Group, groupBySeries } from "./Groups";
import { pictureOf } from "./Picture";
import "./library.css";
import { aboutOf, gameName, playersOf, resultOf, type Standing, standingOf, tellSeries, wordsOf } from "./Telling";

/** How many are shown before more are wanted. */
const PAGE = 60;
const STANDINGS: readonly Standing[] = ["open", "won", "lost", "draw", "watched", "others"];

export class LibraryView {
  private game = "";
  private standing: Standing | "" = "";
  private most = PAGE;
  private deleted: readonly GameRecord[] = [];
  /** The series whose games are listed. */
  private readonly opened = new Set<string>();
  private said: Said = () => "";
  /** Draws a picture once its place comes near the screen. */
  private readonly drawing = new IntersectionObserver((seen) => this.draw(seen), { rootMargin: "300px" });
  private readonly waiting = new Map<Element, GameRecord>();

  constructor(private readonly library: Library) {
    byId("library-search").addEventListener("input", () => this.show());
    byId("library-more").addEventListener("click", () => {
      this.most += PAGE;
      this.show();
    });
    byId("library-export").addEventListener("click", () => {
      const day = new Date().toISOString().slice(0, 10);
      save(`azx-games-${day}.zip`, exportGames(library.list()));
    });
    byId<HTMLInputElement>("library-import").addEventListener("change", ({ target }) => {
      const field = target as HTMLInputElement;
      const [file] = field.files ?? [];
      // So that the same one can be chosen again.
      field.value = "";
      if (file) void importGames(library, file).then((said) => this.tell(said));
    });
    byId("library-undo").addEventListener("click", () => {
      for (const record of this.deleted) library.keep(record);
      this.tell(() => "");
    });
  }

  /** Bring the list in line with the library, where it is shown. */
  refresh(): void {
    if (!byId("library").hidden) this.show();
  }

  private tell(said: Said, deleted: readonly GameRecord[] = []): void {
    [this.said, this.deleted] = [said, deleted];
    this.show();
  }

  private show(): void {
    const all = this.library.list();
    set(byId("library-search"), { placeholder: say("library_search") });
    this.showFilters(all);
    const words = byId<HTMLInputElement>("library-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = all.filter(
      (record) =>
        (this.game === "" || record.game === this.game) &&
        (this.standing === "" || standingOf(record) === this.standing) &&
        words.every((word) => wordsOf(record).includes(word)),
    );
    this.drawing.disconnect();
    this.waiting.clear();
    const items = groupBySeries(matches, all);
    const cards = items.slice(0, this.most).map((item) => ("found" in item ? this.seriesCard(item) : this.card(item)));
    byId("library-list").replaceChildren(...cards);
    byId("library-more").hidden = items.length <= this.most;
    byId("library-tools").hidden = all.length === 0;
    byId<HTMLButtonElement>("library-export").disabled = all.length === 0;
    const none = all.length ? say("library_none") : say("library_empty");
    put(byId("library-count"), matches.length ? count("library_count", matches.length) : none);
    put(byId("library-done"), this.said());
    byId("library-undo").hidden = this.deleted.length === 0;
  }

  private showFilters(all: readonly GameRecord[]): void {
    const games = [...new Map(all.map((record) => [record.game, gameName(record)]))];
    const standings = STANDINGS.filter((each) => all.some((record) => standingOf(record) === each));
    const chips = <Value extends string>(
      id: string,
      values: readonly (readonly [Value, string])[],
      chosen: Value | "",
      choose: (value: Value | "") => void,
    ): void => {
      const whole: readonly (readonly [Value | "", string])[] = [["", say("library_all")], ...values];
      const had =
        document.activeElement?.parentElement?.id === id ? document.activeElement.getAttribute("value") : null;
      const buttons = whole.map(([value, text]) => {
        const take = (): void => {
          choose(value);
          this.most = PAGE;
          this.show();
        };
        return button({ value, "aria-pressed": String(value === chosen) }, take, text);
      });
      byId(id).hidden = values.length < 2;
      byId(id).replaceChildren(...buttons);
      buttons.find(({ value }) => value === had)?.focus();
    };
    chips("library-games", games, this.game, (value) => {
      this.game = value;
    });
    const named = standings.map((each) => [each, say(`library_${each}`)] as const);
    chips("library-results", named, this.standing, (value) => {
      this.standing = value;
    });
  }

  private card(record: GameRecord): HTMLElement {
    const about = aboutOf(record);
    const standing = element("span", { class: "standing", "data-standing": standingOf(record) }, resultOf(record));
    const link = element(
      "a",
      { href: gameAddress(record.id) },
      ...this.words(record, playersOf(record), standing, about),
    );
    return element("li", { class: "kept-game" }, link, this.deletion([record], playersOf(record), about));
  }

  /** A series as one entry, which opens to those of its games that fit. */
  private seriesCard(group: Group): HTMLElement {
    const { series, found, all } = group;
    const { players, tally, about } = tellSeries(group);
    const list = element("ul", { role: "list" });
    const standing = element("span", { class: "standing" }, tally);
    const words = this.words(all.at(-1) as GameRecord, players, standing, about);
    const opens = button({ class: "opens" }, () => this.toggle(series.id, lay), ...words);
    const card = element(
      "li",
      { class: "kept-series" },
      element("div", { class: "kept-game" }, opens, this.deletion(all, players, about)),
      list,
    );
    const lay = (): void => {
      const isOpen = this.opened.has(series.id);
      set(opens, { "aria-expanded": String(isOpen) });
      list.hidden = !isOpen;
      if (isOpen && !list.hasChildNodes()) list.append(...found.map((record) => this.card(record)));
    };
    lay();
    return card;
  }

  /** Open a series, or close it. */
  private toggle(id: string, lay: () => void): void {
    if (!this.opened.delete(id)) this.opened.add(id);
    lay();
  }

  /** The content of an entry: a picture of the last position, the players, the result, and other facts. */
  private words(record: GameRecord, players: string, standing: HTMLElement, about: string): readonly HTMLElement[] {
    const place = element("span", { class: "place" });
    this.waiting.set(place, record);
    this.drawing.observe(place);
    const name = element("strong", {}, players);
    return [place, element("span", { class: "words" }, name, " ", standing, " ", element("small", {}, about))];
  }

  private deletion(records: readonly GameRecord[], players: string, about: string): HTMLElement {
    const label = say("library_delete_label", `${players}, ${about}`);
    const game = gameName(records[0] as GameRecord);
    const remove = (): void => {
      for (const { id } of records) this.library.remove(id);
      this.tell(() => say("library_deleted", players, game), records);
      byId("library-undo").focus();
    };
    return button({ class: "delete", "aria-label": label }, remove, say("library_delete"));
  }

  private draw(seen: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of seen) {
      const record = this.waiting.get(target);
      if (!isIntersecting || !record) continue;
      this.drawing.unobserve(target);
      const states = statesIn(record);
      if (states) target.replaceChildren(pictureOf(states, presentationOf(record.game).pieces));
      else set(target, { "data-damaged": true });
    }
  }
}
