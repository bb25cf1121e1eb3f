/**
 * Where a visit begins: one game large, the one under way or today's, and the others as pictures of their boards; each can be
 * played against its network or by two people. Below them what is done without a game: a position, puzzles, the library.
 */

import type { Entry } from "../../bundle/Index";
import { begin } from "../../engine/Game";
import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { GAMES } from "../../engine/known/Catalogue";
import type { State } from "../../engine/State";
import { say, sayBy } from "../../texts/Speech";
import "texts:home";
import { still } from "../boards/Still";
import { strength } from "../choices/Controls";
import { startOf } from "../choices/Memory";
import { button, byId, element } from "../dom/Dom";
import { type GameRecord, humanOf, statesIn } from "../game/GameRecord";
import { isRead } from "../game/Session";
import { gameAddress, newAddress, PUZZLES_ADDRESS, setUpAddress } from "../library/Address";
import { levelText } from "../words/Words";
import { positionsFor } from "./Positions";
import "./home.css";

const part = element("section", { id: "home", "aria-labelledby": "home-title" });

/** A game as it stands here: what plays it, and which game of it is under way. */
interface Standing {
  readonly game: string;
  /** null if no network here plays it. */
  readonly entry: Entry | null;
  readonly left: GameRecord | null;
  /** How strong its network has played last. */
  readonly level: string;
}

/**
 * Show the games that can be played here; `records` are those of the library, the last one first. `askPeople` hears of
 * which game two people want to play.
 */
export function showHome(
  entries: readonly Entry[],
  records: readonly GameRecord[],
  askPeople: (game: string) => void,
): void {
  const playing = entries.filter((entry) => entry.isKept && startOf(entry) !== null);
  const all = [...GAMES.keys()].map((game) => standing(game, playing, records));
  const large = largest(all, records);
  const others = all.filter((each) => each !== large);
  const licences = element("a", { id: "licences", href: "notices.txt", rel: "license" }, say("about_licences"));
  part.replaceChildren(
    element("h2", { id: "home-title" }, say("games")),
    element(
      "ul",
      { role: "list" },
      ...[large, ...others].map((each) => card(each, each === large, () => askPeople(each.game))),
    ),
  );
  part.append(
    element(
      "nav",
      { class: "more", "aria-label": say("more_here") },
      element("a", { href: setUpAddress(large.game), class: "button" }, say("set_up")),
      element("a", { href: PUZZLES_ADDRESS, class: "button" }, say("puzzles")),
    ),
    element("p", { class: "about" }, licences),
  );
  if (!part.isConnected) byId("play").before(part);
  // The list above has the bundles without a card.
  const carded = all.filter(({ entry }) => entry !== null).length;
  document.body.classList.toggle("all-carded", carded === entries.length);
}

function standing(game: string, playing: readonly Entry[], records: readonly GameRecord[]): Standing {
  const own = records.filter((each) => each.game === game);
  const level = own.flatMap(({ players }) => players.flatMap((side) => (side.kind === "network" ? side.level : [])))[0];
  return {
    game,
    entry: playing.find((each) => each.game === game) ?? null,
    left: own.find((each) => !each.over && !isRead({ human: humanOf(each) })) ?? null,
    level: level || strength(),
  };
}

/** The game that is under way, the last one first; else another one each day. */
function largest(all: readonly Standing[], records: readonly GameRecord[]): Standing {
  const last = records.find(({ id }) => all.some(({ left }) => left?.id === id));
  const offered = all.filter(({ entry }) => entry !== null);
  const choice = offered.length ? offered : all;
  const today = Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / 86_400_000);
  return all.find(({ game }) => game === last?.game) ?? (choice[today % choice.length] as Standing);
}

function card({ game, entry, left, level }: Standing, isLarge: boolean, askPeople: () => void): HTMLElement {
  const name = sayBy(`game_${game}`);
  const start = (entry && startOf(entry)?.()) ?? begin(GAMES.get(game) as NonNullable<ReturnType<typeof GAMES.get>>);
  const states = (left && statesIn(left)) ?? positionsFor(game, start);
  const two = say("people_here");
  const people = button({ class: "quiet", "aria-label": `${two}: ${name}` }, askPeople, two);
  const about = [sizeOf(start), ...(entry ? [levelText(level)] : [])].join(" · ");
  const links = [
    ...(left ? [link(say("resume_game"), name, gameAddress(left.id), isLarge)] : []),
    ...(entry ? [link(say(left ? "new_game" : "play"), name, newAddress(entry.name), isLarge && !left)] : []),
  ];
  return element(
    "li",
    { class: isLarge ? "game-card large" : "game-card" },
    still(game, states, !isSetUpAlone(left)).place,
    element("h3", {}, name, " ", element("small", {}, about)),
    element("div", { class: "row" }, ...links, people),
  );
}

/** A link that a person presses; its label for screen readers names the game. */
const link = (text: string, game: string, href: string, isPrimary: boolean): HTMLElement =>
  element("a", { href, class: isPrimary ? "button primary" : "button", "aria-label": `${text}: ${game}` }, text);

/** Whether no move was made since stones were set up. */
const isSetUpAlone = (left: GameRecord | null): boolean => left?.set_up === (left?.actions.length ?? 0);

function sizeOf(state: State): string {
  const [rows, columns] = state instanceof DotsAndBoxes ? [state.size, state.size] : state.board;
  return `${rows} × ${columns}`;
}
