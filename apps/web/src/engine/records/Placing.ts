/**
 * A position that a person has set up, as moves that lead there by the rules: a record's first ones, which place its pieces.
 *
 * `pieces` has 1 and 2 for a piece of player 0 and 1 in each cell; of Dots and Boxes 1 for each drawn edge, and behind the
 * edges the owner of each box. A position is refused if the game is over, if its counts make it the other side's
 * turn, or if no moves lead there. Discs of Reversi turn each other over, so that nobody can say by which moves a
 * position came about: it is a first position of its own, a setting of its game.
 */

import { cellsBeside, countPieces, STEPS } from "../games/Cells";
import { Connect4 } from "../games/Connect4";
import { DotsAndBoxes } from "../games/DotsAndBoxes";
import { Go } from "../games/Go";
import { chainOf, tables } from "../games/GoBoard";
import * as reversi from "../games/Reversi";
import { Reversi } from "../games/Reversi";
import { mark, other, type Player, type Refusal, refusal, type State } from "../State";

export interface Position {
  readonly pieces: readonly number[];
  readonly toMove: Player;
}

/** Why a position cannot stand: by the game's own word, or by what a count, a chain or a search says. */
export type Why =
  | { readonly kind: "rule"; readonly refusal: Refusal }
  /** With these counts of pieces it is the other side's turn. */
  | { readonly kind: "turn"; readonly counts: readonly [number, number] }
  /** The chain at this point has no liberty. */
  | { readonly kind: "liberty"; readonly at: number }
  | { readonly kind: "unreached" };

/**
 * The moves that lead from `start` to a position, with the passes that the rules force; or why there are none. Of
 * Reversi `position` is the position as the game's setting has it.
 */
export type Placement = { readonly actions: readonly number[]; readonly position?: string } | { readonly why: Why };

/** The search for a way back gives up after this number of positions. */
const MOST = 20_000;
const UNREACHED: Placement = { why: { kind: "unreached" } };

/** What stands on the board of a state, as a person would set it up. */
export function positionOf(state: State): Position {
  if (state instanceof DotsAndBoxes) return { pieces: [...state.edges, ...state.owners], toMove: state.toMove };
  const { cells } = state as State & { readonly cells: ArrayLike<number> };
  return { pieces: Array.from(cells), toMove: state.toMove };
}

/** A state that shows these pieces, whether or not the rules know it: to be drawn, and for nothing else. */
export function sketched(start: State, { pieces, toMove }: Position): State {
  const like = (more: object): State =>
    Object.assign(Object.create(Object.getPrototypeOf(start)), start, more) as State;
  if (start instanceof DotsAndBoxes) {
    const [edges, owners] = split(start, pieces);
    return like({ edges, owners, turn: { toMove, mustPass: false, drawn: 0 } });
  }
  const cells = Uint8Array.from(pieces);
  if (start instanceof Go) return like({ cells, toMove });
  return like("played" in start ? { cells, played: toMove } : { cells, toMove });
}

/** By which moves a position can have come about. */
export function place(start: State, position: Position): Placement {
  const { pieces, toMove } = position;
  const isSame = positionOf(start).pieces.every((piece, at) => piece === pieces[at]) && start.toMove === toMove;
  if (isSame) return { actions: [] };
  if (start instanceof DotsAndBoxes) return followed(start, edgesBack(start, position), toMove);
  if (start instanceof Go) return placeInGo(start, position);
  if (start instanceof Reversi) return placeInReversi(start, position);
  const counts = countPieces(pieces);
  if (counts[0] - counts[1] !== toMove) return { why: { kind: "turn", counts } };
  if (start instanceof Connect4) {
    const floating = pieces.findIndex((piece, at) => piece && pieces[at + start.columns] === 0);
    if (floating >= 0) return { why: { kind: "rule", refusal: refusal("not_lowest") } };
    return followed(start, dropsTo(start, position), toMove);
  }
  return inTurns(start, position);
}

/** The cells with a piece of player 0, and of player 1. */
const cellsBySide = (pieces: readonly number[]): readonly number[][] =>
  ([0, 1] as const).map((player) => [...pieces.keys()].filter((at) => pieces[at] === mark(player)));

/** The moves played one after the other, with forced passes; refused if the game ends with them. */
function followed(start: State, moves: readonly number[] | null, toMove: Player): Placement {
  if (!moves) return UNREACHED;
  const actions: number[] = [];
  let state = start;
  const go = (action: number): void => {
    state = state.apply(action);
    actions.push(action);
  };
  for (const move of moves) {
    const why = state.whyIllegal(move);
    if (why) return { why: { kind: "rule", refusal: why } };
    go(move);
    while (isStuck(state)) go(state.pass);
  }
  if (state.isTerminal) return { why: { kind: "rule", refusal: refusal("over") } };
  return state.toMove === toMove ? { actions } : UNREACHED;
}

const isStuck = (state: State): state is DotsAndBoxes => state instanceof DotsAndBoxes && state.mustPass;

/** Pieces that stay where they are put: each side's in turn, of those left the first one that the rules allow. */
function inTurns(start: State, { pieces, toMove }: Position): Placement {
  const left = cellsBySide(pieces);
  const actions: number[] = [];
  let state = start;
  while (left.some((each) => each.length > 0)) {
    const own = left[state.toMove] as number[];
    const next = own.find((at) => state.whyIllegal(at) === null);
    if (next === undefined)
      return { why: { kind: "rule", refusal: state.whyIllegal(own[0] ?? 0) ?? refusal("occupied") } };
    own.splice(own.indexOf(next), 1);
    actions.push(next);
    state = state.apply(next);
  }
  return followed(start, actions, toMove);
}

/** Stones in turn; a side without stones left passes. Nothing is captured on the way, as every chain has a liberty. */
function placeInGo(start: Go, { pieces, toMove }: Position): Placement {
  const { size, pass } = start;
  const cells = Uint8Array.from(pieces);
  const { around } = tables(size);
  const isFree = (at: number): boolean => (around[at] ?? []).some((one) => cells[one] === 0);
  const dead = pieces.findIndex((piece, at) => piece !== 0 && !chainOf(size, cells, at).some(isFree));
  if (dead >= 0) return { why: { kind: "liberty", at: dead } };
  const left = cellsBySide(pieces);
  const actions: number[] = [];
  while (left.some((each) => each.length > 0)) actions.push(left[actions.length % 2]?.shift() ?? pass);
  if (actions.length % 2 !== toMove) actions.push(pass);
  return followed(start, actions, toMove);
}

/**
 * Discs as they lie. None is ever taken from the board, so that the four in the middle are there, and each is beside
 * another; somebody can move.
 */
function placeInReversi({ size }: Reversi, { pieces, toMove }: Position): Placement {
  const half = size / 2;
  const reached = new Set<number>();
  const middle = [half - 1, half].flatMap((row) => [row * size + half - 1, row * size + half]);
  const open = middle.filter((at) => pieces[at]);
  if (open.length < middle.length) return UNREACHED;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    open.push(...cellsBeside(size, at, STEPS).filter((beside) => pieces[beside]));
  }
  if (pieces.some((piece, at) => piece && !reached.has(at))) return UNREACHED;
  const position = `${pieces.join("")}${toMove}`;
  const isOver = reversi.start(size, position).isTerminal;
  return isOver ? { why: { kind: "rule", refusal: refusal("over") } } : { actions: [], position };
}

/** Discs dropped in turn: columns that are filled from below, in an order in which the sides alternate. */
function dropsTo({ columns }: Connect4, { pieces }: Position): readonly number[] | null {
  const stacks = Array.from({ length: columns }, (_, column) => {
    const cells = [...pieces.keys()].filter((at) => at % columns === column && pieces[at] !== 0).reverse();
    return cells.map((at) => [at, pieces[at] as number] as const);
  });
  const all = stacks.reduce((sum, { length }) => sum + length, 0);
  const failed = new Set<string>();
  const heights = stacks.map(() => 0);
  const drops: number[] = [];
  const search = (): boolean => {
    if (drops.length === all) return true;
    const key = heights.join();
    if (failed.has(key) || failed.size > MOST) return false;
    const wanted = mark((drops.length % 2) as Player);
    // The highest stacks first: what stands on top of much is what runs out of turns.
    const order = [...stacks.keys()].sort((one, two) => rest(two) - rest(one));
    for (const column of order) {
      const [at, piece] = stacks[column]?.[heights[column] ?? 0] ?? [];
      if (at === undefined || piece !== wanted) continue;
      heights[column] = (heights[column] ?? 0) + 1;
      drops.push(at);
      if (search()) return true;
      drops.pop();
      heights[column] = (heights[column] ?? 0) - 1;
    }
    failed.add(key);
    return false;
  };
  const rest = (column: number): number => (stacks[column]?.length ?? 0) - (heights[column] ?? 0);
  return search() ? drops : null;
}

function split({ edges }: DotsAndBoxes, pieces: readonly number[]): readonly [Uint8Array, Uint8Array] {
  return [Uint8Array.from(pieces.slice(0, edges.length)), Uint8Array.from(pieces.slice(edges.length))];
}

/**
 * Edges taken away one by one until none is left: one of closed boxes was drawn by their owner, who then moves again, and
 * any other one by the other side.
 */
function edgesBack(start: DotsAndBoxes, { pieces, toMove }: Position): readonly number[] | null {
  const [edges, owners] = split(start, pieces);
  const failed = new Set<string>();
  const taken: number[] = [];
  const search = (mover: Player): boolean => {
    if (!edges.includes(1)) return mover === 0;
    const key = `${mover}${edges.join("")}`;
    if (failed.has(key) || failed.size > MOST) return false;
    const closedBy = (edge: number): readonly number[] =>
      start
        .boxesBy(edge)
        .filter((box) => start.sidesOf(box).every((side) => edges[side]))
        .map((box) => owners[box] ?? 0);
    const drawn = [...edges.keys()].filter((edge) => edges[edge]).map((edge) => [edge, closedBy(edge)] as const);
    const own = drawn.filter(([, closed]) => closed.length && closed.every((owner) => owner === mark(mover)));
    const free = drawn.filter(([, closed]) => closed.length === 0);
    for (const [edge, closed] of [...own, ...free]) {
      edges[edge] = 0;
      taken.push(edge);
      if (search(closed.length ? mover : other(mover))) return true;
      taken.pop();
      edges[edge] = 1;
    }
    failed.add(key);
    return false;
  };
  return search(toMove) ? taken.reverse() : null;
}
