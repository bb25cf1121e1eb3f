/**
 * Hex on 3 by 3 to 13 by 13 cells: a chain of stones that joins a player's two sides of the rhombus wins.
 *
 * Cells are numbered row by row, row 0 on top, each row half a cell further to the right than the one above it. Player 0
 * joins the top row and the bottom row, player 1 the left column and the right one. With the rule "swap" the second
 * player may take the first stone over: the action is that stone's cell, and the stone becomes one of theirs on the cell
 * mirrored in the diagonal from a1.
 */

import { GameError } from "../GameError";
import {
  EMPTY,
  illegal,
  mark,
  other,
  ownerOf,
  type Player,
  planesOf,
  type Refusal,
  refusal,
  refuseOutside,
  type Sudden,
} from "../State";
import { Shapes } from "../Tables";
import { CellState, cellsBeside, emptyCells, type Kind, once, piecesOf, STEPS, suddenBy, withPiece } from "./Cells";

const SHAPES = Shapes.of("hex");
const RULES = SHAPES.choices("rule");
const SWAP = "swap";
const NAMES = { letters: "abcdefghijklm", isFromBottom: false, missing: "no cell" };
/** The steps to the six cells that touch one: each row lies half a cell further to the right. */
const NEIGHBOURS = STEPS.filter(([down, right]) => down !== right);
const PLANES = [...planesOf(0), "mover_joined", "opponent_joined"];

/** What all positions of one size and rule share. */
interface HexKind extends Kind {
  readonly rule: string;
  /** By cell, the cells that touch it, ascending. */
  readonly touching: readonly (readonly number[])[];
  /** By player, the cells of the first side, which is the top or the left one, and of the second. */
  readonly sides: readonly [Sides, Sides];
}

type Sides = readonly [readonly number[], readonly number[]];

const kindOf = once((size: number, rule: string): HexKind => {
  const steps = Array.from({ length: size }, (_, at) => at);
  const touching = Array.from({ length: size * size }, (_, at) => cellsBeside(size, at, NEIGHBOURS));
  const rows: Sides = [steps, steps.map((at) => (size - 1) * size + at)];
  const columns: Sides = [steps.map((at) => at * size), steps.map((at) => at * size + size - 1)];
  const encoding = SHAPES.encoding(size, size);
  return { name: "hex", rule, encoding, planes: PLANES, touching, sides: [rows, columns] };
});

/** The empty board. `size` 3 to 13, `rule` plain or swap; GameError otherwise. */
export function start(size: number, rule: string): Hex {
  if (!SHAPES.sizes.includes(size))
    throw new GameError(`hex: size ${size} is not possible, choose a number from 3 to 13.`);
  if (!RULES.includes(rule)) throw new GameError(`hex: rule '${rule}' is unknown, use ${RULES.join(" or ")}.`);
  return new Hex(kindOf(size, rule), new Uint8Array(size * size));
}

/** A position; `start` makes the first one. `cells` has 1 for a stone of player 0, 2 for one of player 1. */
export class Hex extends CellState<HexKind> {
  constructor(
    kind: HexKind,
    cells: Uint8Array,
    readonly toMove: Player = 0,
    readonly winner: Player | null = null,
    readonly lastAction: number | null = null,
  ) {
    super(kind, cells);
  }

  get rule(): string {
    return this.kind.rule;
  }

  get isTerminal(): boolean {
    return this.winner !== null;
  }

  /** Whether the player to move may take the first stone over. */
  get isSwapOpen(): boolean {
    return this.rule === SWAP && this.toMove === 1 && this.cells.reduce((sum, cell) => sum + cell, 0) === mark(0);
  }

  /** Where the last stone stands, which after a swap is not where it was played; null before the first. */
  get lastStone(): number | null {
    const last = this.lastAction;
    return last === null || this.cells[last] !== EMPTY ? last : this.mirrored(last);
  }

  legalActions(): readonly number[] {
    if (this.isTerminal) return [];
    return this.isSwapOpen ? [...this.cells.keys()] : emptyCells(this.cells);
  }

  whyIllegal(action: number): Refusal | null {
    const reason = refuseOutside(this, action);
    if (reason !== null || this.cells[action] === EMPTY || this.isSwapOpen) return reason;
    return refusal("occupied");
  }

  apply(action: number): Hex {
    if (this.whyIllegal(action) !== null) throw illegal("hex", action, this.legalActions());
    const { kind, toMove } = this;
    if (this.cells[action] !== EMPTY) {
      const taken = withPiece(new Uint8Array(this.actions), this.mirrored(action), 1);
      return new Hex(kind, taken, 0, null, action);
    }
    const cells = withPiece(this.cells, action, toMove);
    const [first, second] = kind.sides[toMove];
    const group = joined(kind, cells, toMove, [action]);
    const isWon = [first, second].every((side) => side.some((at) => group[at]));
    return new Hex(kind, cells, other(toMove), isWon ? toMove : null, action);
  }

  returns(): number {
    return this.winner === null ? 0 : 1 - 2 * this.winner;
  }

  /** The cells that win for the mover, and how many the opponent has after each legal action. */
  sudden(): Sudden {
    return suddenBy(this, (player) => this.winningCells(player));
  }

  private winningCells(player: Player): number[] {
    const { kind, cells } = this;
    const near = kind.sides[player].map((side) => {
      const group = joined(kind, cells, player, side);
      const reach = new Set(side);
      for (const [at, isIn] of group.entries()) if (isIn) for (const one of kind.touching[at] ?? []) reach.add(one);
      return reach;
    });
    return emptyCells(cells).filter((at) => near.every((side) => side.has(at)));
  }

  /** The cells of `longestLine`, ascending. */
  winningLine(): readonly number[] {
    return [...this.longestLine()].sort((a, b) => a - b);
  }

  /** A shortest chain of the winner's stones from the first side to the second; empty if nobody has won. */
  longestLine(): readonly number[] {
    const { kind, cells, winner } = this;
    if (winner === null) return [];
    const [first, second] = kind.sides[winner];
    const own = mark(winner);
    const came = new Map<number, number>(first.filter((at) => cells[at] === own).map((at) => [at, -1]));
    const waiting = [...came.keys()];
    for (const at of waiting) {
      if (second.includes(at)) return backFrom(at, came);
      for (const near of kind.touching[at] ?? []) {
        if (cells[near] !== own || came.has(near)) continue;
        came.set(near, at);
        waiting.push(near);
      }
    }
    return [];
  }

  /** The cell on the other side of the diagonal from a1. */
  private mirrored(at: number): number {
    return (at % this.size) * this.size + Math.floor(at / this.size);
  }

  /** "mover_joined" are those of the mover's stones that are connected with one of the mover's two sides. */
  protected draw(name: string): Float32Array {
    const { kind, cells, toMove } = this;
    const [who = "", isJoined] = name.split("_");
    const player = ownerOf(who, toMove);
    if (!isJoined) return piecesOf(cells, player);
    return Float32Array.from(joined(kind, cells, player, kind.sides[player].flat()));
  }

  /** The cell's column as a letter and its row counted from the top: a1 is the first. */
  label(action: number): string {
    return this.nameOf(action, NAMES);
  }
}

/** 1 at each stone of a player that is connected with one of the `seeds`. */
function joined({ touching }: HexKind, cells: Uint8Array, player: Player, seeds: readonly number[]): Uint8Array {
  const [own, found] = [mark(player), new Uint8Array(cells.length)];
  const waiting = seeds.filter((at) => cells[at] === own);
  for (const at of waiting) found[at] = 1;
  for (const at of waiting) {
    for (const near of touching[at] ?? []) {
      if (cells[near] !== own || found[near]) continue;
      found[near] = 1;
      waiting.push(near);
    }
  }
  return found;
}

function backFrom(last: number, came: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  for (let at = last; at >= 0; at = came.get(at) ?? -1) line.unshift(at);
  return line;
}
