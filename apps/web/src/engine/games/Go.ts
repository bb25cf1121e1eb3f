/**
 * Go on 5 x 5 to 19 x 19 points: an action is a point or, the last of them, the pass.
 *
 * Points are numbered row by row, row 0 on top. Suicide is illegal. A stone may not recreate a board of before
 * (positional superko). Two passes end the game; it is scored by area (Tromp-Taylor), with all stones alive.
 * Player 0 is black.
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
import { type Kind, once, PassingState, piecesOf, withPiece } from "./Cells";
import { area, capture, hasRoom, keyOf, type Tables, tables } from "./GoBoard";

const SHAPES = Shapes.of("go");
// Columns have no I, which looks like a 1.
const NAMES = { letters: "ABCDEFGHJKLMNOPQRSTUVWXYZ", isFromBottom: true, missing: "no point" };

// A network reads the board now and 1 to 7 plies ago.
const DRAWN = planesOf(7);

/** The points that count for black and for white, ascending. */
export type Areas = readonly [readonly number[], readonly number[]];

/** What all positions of one game share. */
interface Rules extends Kind {
  readonly table: Tables;
  readonly komi: number;
}

const rulesOf = once((size: number, komi: number): Rules => {
  return { name: "go", table: tables(size), komi, encoding: SHAPES.encoding(size, size), planes: DRAWN };
});

/** How a position came about; `hash` and `taken` (1 black, 2 white, 3 both were captured there) serve superko. */
interface Past {
  readonly before: Go | null;
  readonly lastAction: number | null;
  readonly lastCaptured: readonly number[];
  readonly played: number;
  readonly hash: number;
  readonly taken: Uint8Array;
  readonly prisoners: readonly [number, number];
}

/** The empty board; GameError if the size is not 5 to 19 or the komi is no finite number. */
export function start(size: number, komi: number): Go {
  if (!SHAPES.sizes.includes(size)) throw new GameError(`go: size ${size} is not played, choose one from 5 to 19.`);
  if (!Number.isFinite(komi)) throw new GameError(`go: komi ${komi} is no number of points, choose one such as 7.5.`);
  const [cells, taken] = [new Uint8Array(size * size), new Uint8Array(size * size)];
  const nothing = { before: null, lastAction: null, lastCaptured: [], played: 0, hash: 0 } as const;
  const past: Past = { ...nothing, taken, prisoners: [0, 0] };
  return new Go(rulesOf(size, komi), cells, 0, false, past);
}

/** A position; `start` makes the first one. `cells` has 0 for an empty point, 1 for black, 2 for white. */
export class Go extends PassingState<Rules> {
  constructor(
    rules: Rules,
    cells: Uint8Array,
    readonly toMove: Player,
    readonly isTerminal: boolean,
    private readonly past: Past,
  ) {
    super(rules, cells);
  }

  get komi(): number {
    return this.kind.komi;
  }

  get lastAction(): number | null {
    return this.past.lastAction;
  }

  /** The points that the last move took stones from, ascending. */
  get lastCaptured(): readonly number[] {
    return this.past.lastCaptured;
  }

  /** How many stones black has captured, and white, in the whole game. */
  get prisoners(): readonly [number, number] {
    return this.past.prisoners;
  }

  get played(): number {
    return this.past.played;
  }

  legalActions(): readonly number[] {
    const legal: number[] = [];
    if (this.isTerminal) return legal;
    for (let at = 0; at < this.cells.length; at++) if (this.isPlayable(at)) legal.push(at);
    legal.push(this.pass);
    return legal;
  }

  private isPlayable(at: number): boolean {
    const stone = mark(this.toMove);
    if (this.cells[at] !== EMPTY || !hasRoom(this.kind.table, this.cells, at, stone)) return false;
    // Only a stone that was captured before can bring an earlier board back.
    return ((this.past.taken[at] ?? 0) & stone) === 0 || this.moveRepeated(this.placeStone(at)) === null;
  }

  /**
   * After the opponent's pass, a pass ends the game: the player ahead wins by it, the player behind loses. A first pass
   * loses for the player behind, as the opponent passes too. (The end after 3 N^2 plies is ignored.)
   */
  sudden(): Sudden {
    const answers = this.legalActions().map(() => 0);
    const ahead = this.toMove === 0 ? this.score() : -this.score();
    const isSecond = this.lastAction === this.pass;
    if (answers.length > 0 && ahead < 0) answers[answers.length - 1] = isSecond ? this.actions + 1 : 1;
    return { wins: !this.isTerminal && isSecond && ahead > 0 ? [this.pass] : [], answers };
  }

  /** The same position for a player who may pass only if no point can be played. */
  withoutPass(): Go {
    return new WithoutPass(this.kind, this.cells, this.toMove, this.isTerminal, this.past);
  }

  whyIllegal(action: number): Refusal | null {
    const outside = refuseOutside(this, action);
    if (outside || action === this.pass) return outside;
    if (this.cells[action] !== EMPTY) return refusal("occupied");
    if (!hasRoom(this.kind.table, this.cells, action, mark(this.toMove))) return refusal("suicide");
    const move = this.moveRepeated(this.placeStone(action));
    return move === null ? null : refusal("superko", move);
  }

  apply(action: number): Go {
    if (this.isTerminal || !(action === this.pass || this.isPlayable(action))) {
      throw illegal("go", action, this.legalActions());
    }
    const played = this.played + 1;
    const isTerminal = played >= this.kind.table.limit || (action === this.pass && this.lastAction === this.pass);
    const { cells, past } = action === this.pass ? this.passBoard() : this.placeStone(action);
    const full = { ...past, before: this, lastAction: action, played };
    return new Go(this.kind, cells, other(this.toMove), isTerminal, full);
  }

  private passBoard(): NewBoard {
    const { hash, taken, prisoners } = this.past;
    return { cells: this.cells, past: { hash, taken, prisoners, lastCaptured: [] } };
  }

  /** The board after a stone on the empty point `at`, if it is no suicide. */
  private placeStone(at: number): NewBoard {
    const { table } = this.kind;
    const [stone, foe] = [mark(this.toMove), mark(other(this.toMove))];
    const cells = withPiece(this.cells, at, this.toMove);
    const captured = capture(table, cells, at);
    let hash = this.past.hash ^ keyOf(table, at, stone);
    let { taken, prisoners } = this.past;
    if (captured.length === 0) return { cells, past: { hash, taken, prisoners, lastCaptured: captured } };
    taken = taken.slice();
    for (const point of captured) {
      hash ^= keyOf(table, point, foe);
      taken[point] = (taken[point] ?? 0) | foe;
    }
    const [black, white] = prisoners;
    prisoners = this.toMove === 0 ? [black + captured.length, white] : [black, white + captured.length];
    return { cells, past: { hash, taken, prisoners, lastCaptured: captured } };
  }

  /** The number of the first move after which the board was that of `next`; null if it never was. */
  private moveRepeated({ cells, past }: NewBoard): number | null {
    let first: number | null = null;
    for (let state: Go | null = this; state; state = state.past.before) {
      if (state.past.hash === past.hash && state.cells.every((stone, at) => stone === cells[at])) first = state.played;
    }
    return first;
  }

  /** Black's area minus white's, minus the komi, when the stones on `dead` are taken off. */
  score(dead: readonly number[] = []): number {
    const [black, white] = this.areas(dead);
    return black.length - white.length - this.komi;
  }

  /** The points that count for black and for white, ascending, when the stones on `dead` are taken off. */
  areas(dead: readonly number[] = []): Areas {
    const cells = this.cells.slice();
    for (const at of dead) cells[at] = EMPTY;
    const owners = [...area(this.kind.table, cells).entries()];
    const pointsOf = (player: Player): number[] =>
      owners.filter(([, owner]) => owner === mark(player)).map(([point]) => point);
    return [pointsOf(0), pointsOf(1)];
  }

  /** With a whole komi a game can be drawn. */
  returns(): number {
    return this.isTerminal ? Math.sign(this.score()) : 0;
  }

  /** Up to 7 plies ago; a pass is a ply. "mover" is the player to move now. */
  protected draw(name: string): Float32Array {
    const [who = "", plies = "0"] = name.split("@");
    let state: Go | null = this;
    for (let ago = Number(plies); ago > 0 && state; ago--) state = state.past.before;
    if (state === null) return new Float32Array(this.cells.length);
    return piecesOf(state.cells, ownerOf(who, this.toMove));
  }

  /** The point as people write it, such as D4: columns without I, rows from the bottom; or "pass". */
  label(action: number): string {
    return this.nameOf(action, NAMES);
  }
}

/** A board that a move leads to, and what its `Past` needs beside the move. */
interface NewBoard {
  readonly cells: Uint8Array;
  readonly past: Pick<Past, "hash" | "taken" | "prisoners" | "lastCaptured">;
}

/** A position whose mover may pass only if nothing else is legal; the positions after it are ordinary ones. */
class WithoutPass extends Go {
  override legalActions(): readonly number[] {
    const legal = super.legalActions();
    return legal.length > 1 ? legal.slice(0, -1) : legal;
  }

  /** Stones end no game; if only the pass is left, the ordinary rule holds. */
  override sudden(): Sudden {
    const legal = this.legalActions();
    return legal[0] === this.pass ? super.sudden() : { wins: [], answers: legal.map(() => 0) };
  }
}
