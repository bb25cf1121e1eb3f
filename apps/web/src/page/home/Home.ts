/** Where a visit begins: each game as a picture of its board, with "Play", or "Resume" where one is under way. */

import type { Entry } from "../../bundle/Index";
import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import type { State } from "../../engine/State";
import { say, sayBy } from "../../texts/Speech";
import { presentationOf } from "../boards/Presentation";
import { startOf } from "../choices/Memory";
import { byId, element } from "../dom/Dom";
import { type GameRecord, lastOf } from "../game/GameRecord";
import { isRead, READER } from "../game/Session";
import { gameAddress, newAddress } from "../library/Address";
import { positionFor } from "./Positions";
import "./home.css";

const part = element("section", { id: "home", "aria-labelledby": "home-title" });

/** Show the games that can be played here; `records` are those of the library, the last one first. */
export function showHome(entries: readonly Entry[], records: readonly GameRecord[]): void {
  const games = new Map([...entries].reverse().flatMap((entry) => (isPlayed(entry) ? [[entry.game, entry]] : [])));
  const cards = [...games].reverse().map(([game, entry]) => {
    const left = records.find((each) => each.game === game && !each.over && !isRead(each));
    return card(game, entry, left ?? null);
  });
  part.replaceChildren(element("h2", { id: "home-title" }, say("games")), element("ul", { role: "list" }, ...cards));
  if (!part.isConnected) byId("play").before(part);
  // The list above names what has no card of its own.
  document.body.classList.toggle("all-carded", cards.length === entries.length);
}

const isPlayed = (entry: Entry): entry is Entry & { readonly game: string } =>
  entry.game !== null && entry.isKept && startOf(entry) !== null;

function card(game: string, entry: Entry, left: GameRecord | null): HTMLElement {
  const name = sayBy(`game_${game}`);
  const start = startOf(entry)?.();
  const state = (left && lastOf(left)) ?? (start && positionFor(game, start));
  const beginning = newAddress(entry.name);
  const title = element("h3", {}, name, " ", element("small", {}, start ? sizeOf(start) : ""));
  return element(
    "li",
    { class: "game-card" },
    state ? picture(game, state, isSetUpAlone(left)) : element("div", { class: "place" }),
    title,
    element(
      "div",
      { class: "row" },
      ...(left ? [link(say("resume_game"), name, gameAddress(left.id), true)] : []),
      link(say(left ? "new_game" : "play"), name, beginning, left === null),
    ),
  );
}

/** What a person presses; for who hears it, it names its game. */
const link = (text: string, game: string, href: string, isPrimary: boolean): HTMLElement =>
  element("a", { href, class: isPrimary ? "button primary" : "button", "aria-label": `${text}: ${game}` }, text);

/** Whether no move was made since stones were set up. */
const isSetUpAlone = (left: GameRecord | null): boolean => left?.set_up === (left?.actions.length ?? 0);

/** The game's own board, which nobody can press; without the mark of the last move where there is none. */
function picture(game: string, state: State, isUnmoved: boolean): HTMLElement {
  const board = presentationOf(game).board(state, () => undefined);
  board.show({ state, human: READER, last: isUnmoved ? null : state.lastAction, heat: null, canPlay: false });
  return element("div", { class: "place", inert: true, "aria-hidden": "true" }, board.element);
}

function sizeOf(state: State): string {
  const [rows, columns] = state instanceof DotsAndBoxes ? [state.size, state.size] : state.board;
  return `${rows} × ${columns}`;
}
