/** Where the puzzles wait: each as a picture of its position, with the question; the first one is the one to do next. */

import { count, say, sayBy } from "../../texts/Speech";
import { still } from "../boards/Still";
import { button, byId, element } from "../dom/Dom";
import type { GameRecord } from "../game/GameRecord";
import { LIBRARY_ADDRESS } from "../library/Address";
import { callJudge } from "../review/Judgement";
import { type Puzzle, puzzlesIn } from "./Queue";
import "texts:puzzles";
import "texts:study";
import "./puzzles.css";

/** What the view asks of the page. */
export interface Acts {
  /** The games of the library. */
  records(): readonly GameRecord[];
  /** Whether a network here can say whether a move is good. */
  isPlayed(record: GameRecord): boolean;
  solve(puzzle: Puzzle): void;
}

/** How many are shown: the others come once these are solved. */
const MOST = 24;

const part = element("section", { id: "puzzles", "aria-labelledby": "puzzles-title" });

/** Show what waits. */
export async function showPuzzles({ records, isPlayed, solve }: Acts): Promise<void> {
  await callJudge();
  const all = puzzlesIn(records().filter(isPlayed));
  part.classList.toggle("none", all.length === 0);
  const about = all.length ? count("puzzles_count", all.length) : say("puzzles_none");
  part.replaceChildren(
    element("h2", { id: "puzzles-title" }, `${say("puzzles")}: ${say("puzzles_from")}`),
    element("p", { id: "puzzles-about", role: "status" }, about),
    ...(all.length ? [] : [element("a", { href: LIBRARY_ADDRESS, class: "button primary" }, say("library"))]),
    element("ul", { role: "list" }, ...all.slice(0, MOST).map((puzzle, at) => card(puzzle, at === 0, solve))),
  );
  if (!part.isConnected) byId("play").before(part);
}

function card(puzzle: Puzzle, isNext: boolean, solve: Acts["solve"]): HTMLElement {
  const { record, states, mistake } = puzzle;
  const { board, place } = still(record.game, states);
  const name = sayBy(`game_${record.game}`);
  const question = say("retry_ask", board.nameOf(mistake.action));
  const label = `${say("puzzle_solve")}: ${name}, ${question}`;
  const kind = isNext ? "primary" : null;
  const begin = button({ class: kind, "aria-label": label }, () => solve(puzzle), say("puzzle_solve"));
  return element(
    "li",
    { class: "game-card" },
    place,
    element("h3", {}, name),
    element("p", {}, question),
    element("div", { class: "row" }, begin),
  );
}
