/** The list of bundles: those that are installed, and those that a person has opened; what cannot be played is grey. */

import type { Entry } from "../../bundle/Index";
import { GAMES } from "../../engine/known/Catalogue";
import { say, sayBy } from "../../texts/Speech";
import { button, byId, element, set } from "../dom/Dom";
import { clauseOf, sayUnplayable, titleOf } from "../words/Words";

// From here on one looks for a bundle rather than at all of them.
const MANY = 10;

/** What is said of a bundle's last game: "Resume", or how it has ended. */
export interface LastGame {
  readonly isOver: boolean;
  readonly about: string;
}

/** Put a button there for each bundle; where there are many, under the name of their game, with a field to find one. */
export function list(entries: readonly Entry[], choose: (entry: Entry) => void): void {
  const nav = byId("bundles");
  const sought = nav.querySelector("input")?.value ?? "";
  nav.classList.toggle("many", entries.length >= MANY);
  if (entries.length < MANY) {
    nav.replaceChildren(...entries.map((entry) => entryButton(entry, choose)));
    return;
  }
  const groups = groupByGame(entries).map(([title, members]) => group(title, members, choose));
  const name = say("find_bundle");
  const field = element("input", { type: "search", id: "find", "aria-label": name, placeholder: name });
  const none = element("p", { id: "none-found", role: "status" });
  field.value = sought;
  field.addEventListener("input", () => seek(field.value, groups, none));
  nav.replaceChildren(field, none, element("div", { class: "groups" }, ...groups));
  seek(sought, groups, none);
}

function group(title: string, members: readonly Entry[], choose: (entry: Entry) => void): HTMLElement {
  const buttons = members.map((entry) => entryButton(entry, choose));
  return element("section", { "aria-label": title }, element("h2", {}, title), ...buttons);
}

/** The bundles by game, in the order of the games that the app knows; what is of no game comes last. */
function groupByGame(entries: readonly Entry[]): readonly (readonly [string, readonly Entry[]])[] {
  const games = [...GAMES.keys()];
  const known = games.map((name) => [sayBy(`game_${name}`), entries.filter(({ game }) => game === name)] as const);
  const others = entries.filter(({ game }) => !games.includes(game ?? ""));
  return [...known, [say("other_networks"), others] as const].filter(([, members]) => members.length > 0);
}

/** Leave those there whose title, name or game has every word that is sought. */
function seek(sought: string, groups: readonly HTMLElement[], none: HTMLElement): void {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  for (const each of groups) {
    const buttons = [...each.querySelectorAll("button")];
    for (const made of buttons) {
      const text = `${each.ariaLabel ?? ""} ${made.textContent} ${made.id}`.toLowerCase();
      made.hidden = !words.every((word) => text.includes(word));
    }
    each.hidden = buttons.every(({ hidden }) => hidden);
  }
  none.textContent = groups.every(({ hidden }) => hidden) ? say("none_found") : "";
}

function entryButton(entry: Entry, choose: (entry: Entry) => void): HTMLElement {
  const { name, problems, isGiven } = entry;
  const notes = [...(isGiven ? [say("opened_here")] : []), ...problems.map(clauseOf)];
  return button(
    {
      id: `bundle-${name}`,
      "aria-pressed": "false",
      class: problems.length ? "unplayable" : null,
      title: problems.length ? sayUnplayable(problems) : null,
    },
    () => choose(entry),
    element("span", {}, titleOf(entry)),
    ...(notes.length ? [element("small", {}, notes.join(" · "))] : []),
  );
}

/** Mark the open bundle, and scroll to it; null marks none. */
export function mark(entry: Entry | null): void {
  const chosen = entry ? `bundle-${entry.name}` : "";
  for (const each of buttons()) each.setAttribute("aria-pressed", String(each.id === chosen));
  document.getElementById(chosen)?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Say of these bundles that a game was left under way, or how one has ended, and of no other. */
export function markGames(games: ReadonlyMap<Entry, LastGame>): void {
  const gameOf = new Map([...games].map(([entry, game]) => [`bundle-${entry.name}`, game]));
  for (const each of buttons()) {
    const game = gameOf.get(each.id);
    each.querySelector(".resume, .finished")?.remove();
    if (game) each.append(element("small", { class: game.isOver ? "finished" : "resume" }, game.about));
    // Of what cannot be played the title says why.
    if (each.classList.contains("unplayable")) continue;
    set(each, { title: game && !game.isOver ? say("game_in_progress") : null });
  }
}

const buttons = (): readonly HTMLElement[] => [...byId("bundles").querySelectorAll("button")];
