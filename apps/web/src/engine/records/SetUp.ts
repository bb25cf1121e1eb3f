/**
 * Stones that stand before a game's first move, as moves that bring them there: AB, AW, PL and HA of SGF.
 *
 * Each side places a stone in turn, and passes if it has none left: a handicap of two is `D4 pass F6`. Of a position
 * of Go in which every chain has a liberty each part has that too, so nothing is taken on the way. Games without a pass
 * have only what moves in turn can bring there. AE clears points. Other discs than Reversi's own first four are a
 * position of its own.
 */

import type { Player, State } from "../State";
import { place } from "./Placing";
import { firstValue, nameOf, namesOf, SIDES } from "./Points";
import { MOST_MOVES, type Move, noSetUp } from "./Record";
import type { Properties } from "./Sgf";

const NO_HANDICAP = ["", "0", "1"];

/** Whether stones are placed at a node, or taken away. */
export const setsUp = (node: Properties): boolean => ["AB", "AW", "AE"].some((key) => node.has(key));

/** The nodes until the first one with a move, and those after it. */
function splitAtMove(nodes: readonly Properties[]): readonly [readonly Properties[], readonly Properties[]] {
  const first = nodes.findIndex((node) => SIDES.some((side) => node.has(side)));
  return first < 0 ? [nodes, []] : [nodes.slice(0, first + 1), nodes.slice(first + 1)];
}

/**
 * The moves before the first move of the main line's `nodes`, which player `begins` makes; if that is null, PL says
 * whose turn it is. RecordError if no moves lead there.
 */
export function setUp(
  game: string,
  start: State,
  nodes: readonly Properties[],
  begins: Player | null,
): readonly Move[] {
  const [before, later] = splitAtMove(nodes);
  if (later.some(setsUp)) throw noSetUp();
  const [black, white] = stonesIn(start, before);
  const isEmpty = black.length + white.length === 0;
  // Its discs are a setting: `discsSetUp`.
  if (game === "reversi" && !isEmpty) return [];
  const root: Properties = nodes[0] ?? new Map();
  if (isEmpty && begins !== 0 && !NO_HANDICAP.includes(firstValue(root, "HA"))) throw noSetUp();
  return inTurn(start, [black, white], begins ?? moverSaid(nodes));
}

/**
 * The discs of Reversi that stand before the first move, as its setting `position` has them: empty for the usual ones,
 * which need no setting. RecordError if they cannot stand.
 */
export function discsSetUp(start: State, nodes: readonly Properties[], begins: Player | null): string {
  const sides = stonesIn(start, splitAtMove(nodes)[0]);
  if (sides.every((side) => side.length === 0) || isBeginning(start, sides)) return "";
  const toMove = begins ?? moverSaid(nodes) ?? 0;
  const pieces = Array.from({ length: start.actions - 1 }, (_, at) => {
    const name = start.label(at);
    return sides[0].includes(name) ? 1 : sides[1].includes(name) ? 2 : 0;
  });
  const placed = place(start, { pieces, toMove });
  if ("why" in placed) throw noSetUp();
  return placed.position ?? "";
}

/** Whose turn PL says it is; null if nothing says so. */
function moverSaid(nodes: readonly Properties[]): Player | null {
  const side = firstValue(nodes[0] ?? new Map(), "PL")
    .charAt(0)
    .toUpperCase();
  const player = SIDES.indexOf(side);
  return player < 0 ? null : (player as Player);
}

/** The stones of each side after these nodes, in the order in which they are named; AE clears points. */
function stonesIn(start: State, nodes: readonly Properties[]): readonly [string[], string[]] {
  let stones: readonly [string[], string[]] = [[], []];
  for (const node of nodes.filter(setsUp)) {
    const cleared = new Set(firstNames(start, [node], "AE"));
    const [black, white] = stones.map((side) => side.filter((name) => !cleared.has(name)));
    const more = [...(black ?? []), ...firstNames(start, [node], "AB")];
    stones = [more.slice(0, MOST_MOVES), [...(white ?? []), ...firstNames(start, [node], "AW")].slice(0, MOST_MOVES)];
  }
  return stones;
}

/** At most as many as a record may have moves: a short text can list the whole board many times. */
function firstNames(start: State, nodes: readonly Properties[], key: string): string[] {
  const names: string[] = [];
  for (const name of namesOf(start, nodes, key)) {
    if (names.length === MOST_MOVES) break;
    names.push(name);
  }
  return names;
}

/** Whether these are each side's discs at the beginning of Reversi. */
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
  const placed: Move[] = [];
  while (left.some((side) => side.length > 0)) {
    const player = (placed.length % 2) as Player;
    const name = left[player]?.pop() ?? pass;
    if (!name) throw noSetUp();
    placed.push({ name, player });
  }
  const next = (placed.length % 2) as Player;
  if (placed.length && pass && begins === 1 - next) placed.push({ name: pass, player: next });
  return placed;
}
