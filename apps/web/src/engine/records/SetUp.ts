/**
 * Stones that stand before a game's first move, as moves that bring them there: AB, AW, PL and HA of SGF.
 *
 * Each side places a stone in turn, and passes where it has none left: a handicap of two is `D4 pass F6`. Of a position
 * of Go in which every chain has a liberty each part has that too, so nothing is taken on the way. Games without a pass
 * have only what moves in turn can bring there. Reversi's own first four discs are no move.
 */

import type { Player, State } from "../State";
import { firstValue, nameOf, namesOf } from "./Points";
import { MOST_MOVES, type Move, noSetUp } from "./Record";
import type { Properties } from "./Sgf";

const NO_HANDICAP = ["", "0", "1"];

/** What a side is called in SGF, by the player. */
const SIDES = ["B", "W"] as const;

/** Whether stones are placed at a node, or taken away. */
export const setsUp = (node: Properties): boolean => ["AB", "AW", "AE"].some((key) => node.has(key));

/** Whether a node has a move. */
const moves = (node: Properties): boolean => SIDES.some((side) => node.has(side));

/**
 * The moves before the first move of the main line's `nodes`, which player `begins` makes; null where there is none: then
 * PL says whose turn it is. RecordError where none lead there.
 */
export function setUp(
  game: string,
  start: State,
  nodes: readonly Properties[],
  begins: Player | null,
): readonly Move[] {
  const first = nodes.findIndex(moves);
  const [before, later] = first < 0 ? [nodes, []] : [nodes.slice(0, first + 1), nodes.slice(first + 1)];
  const [black, white] = [firstNames(start, before, "AB"), firstNames(start, before, "AW")];
  if (nodes.some((node) => node.has("AE")) || later.some(setsUp)) throw noSetUp();
  const isEmpty = black.length + white.length === 0;
  if (game === "reversi" && !isEmpty) {
    if (!isBeginning(start, [black, white])) throw noSetUp();
    return [];
  }
  const root: Properties = nodes[0] ?? new Map();
  if (isEmpty && begins !== 0 && !NO_HANDICAP.includes(firstValue(root, "HA"))) throw noSetUp();
  const told = SIDES.indexOf(firstValue(root, "PL").charAt(0).toUpperCase() as "B" | "W");
  return inTurn(start, [black, white], begins ?? (told < 0 ? null : (told as Player)));
}

/** No more of them than a record may have moves: a short text can list many a time the whole board. */
function firstNames(start: State, nodes: readonly Properties[], key: string): string[] {
  const found: string[] = [];
  for (const name of namesOf(start, nodes, key)) {
    if (found.length === MOST_MOVES) break;
    found.push(name);
  }
  return found;
}

/** Whether these are the discs with which Reversi begins, of each side. */
function isBeginning(start: State, sides: readonly (readonly string[])[]): boolean {
  const [, size] = start.board;
  const half = size / 2;
  const first = [
    [(half - 1) * size + half, half * size + half - 1],
    [(half - 1) * (size + 1), half * (size + 1)],
  ];
  return first.every((cells, player) => {
    const [names, wanted] = [new Set(sides[player]), cells.map((cell) => start.label(cell))];
    return names.size === wanted.length && wanted.every((name) => names.has(name));
  });
}

/** Both sides' stones in turn; of a game with a pass that too, so that it is the turn of `begins`. */
function inTurn(start: State, stones: readonly [string[], string[]], begins: Player | null): readonly Move[] {
  const pass = nameOf(start, "");
  const left = stones.map((side) => [...side].reverse());
  const found: Move[] = [];
  while (left.some((side) => side.length > 0)) {
    const player = (found.length % 2) as Player;
    const name = left[player]?.pop() ?? pass;
    if (!name) throw noSetUp();
    found.push({ name, player });
  }
  const next = (found.length % 2) as Player;
  if (found.length && pass && begins === 1 - next) found.push({ name: pass, player: next });
  return found;
}
