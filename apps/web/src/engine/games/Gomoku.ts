/**
 * Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.
 *
 * Points are numbered row by row, row 0 on top. Black is player 0.
 */

import { GameError } from "../GameError";
import { EMPTY, illegal, mark, type Player, type Refusal, refusal, type Sudden } from "../State";
import { Shapes } from "../Tables";
import { once, suddenBy } from "./Cells";
import { hasRow } from "./Lines";
import { type Forbidden, Renju } from "./Renju";
import { type RowKind, RowState, rowKind } from "./RowState";

const SHAPES = Shapes.of("gomoku");
const RULES = SHAPES.choices("rule");
const NAMES = { letters: "ABCDEFGHIJKLMNOPQRS", isFromBottom: true, missing: "no point" };

/** What all positions of one size and rule share. */
interface Kind extends RowKind {
  readonly rule: string;
  readonly renju: Renju | null;
}

// A network reads the board now and 1, 2 and 3 plies ago.
const kindOf = once(
  (size: number, rule: string): Kind => ({
    ...rowKind("gomoku", size, size, 5, 3),
    rule,
    renju: rule === "renju" ? new Renju(size) : null,
  }),
);

/** The empty board, black to move. `size` 5 to 19, `rule` freestyle or renju; GameError otherwise. */
export function start(size: number, rule: string): Gomoku {
  if (!SHAPES.sizes.includes(size))
    throw new GameError(`gomoku: size ${size} is not possible, choose a number from 5 to 19.`);
  if (!RULES.includes(rule)) throw new GameError(`gomoku: rule '${rule}' is unknown, use ${RULES.join(" or ")}.`);
  return new Gomoku(kindOf(size, rule));
}

/**
 * A position; `start` makes the first one. `cells` has 1 for black, 2 for white.
 *
 * Five or more in a row win; a full board is a draw. With the rule "renju" black's forbidden points are not legal,
 * and black loses where every empty point is forbidden.
 */
export class Gomoku extends RowState<Kind> {
  get rule(): string {
    return this.kind.rule;
  }

  /** The empty points, ascending, without black's forbidden ones; none once the game is over. */
  override legalActions(): readonly number[] {
    const [legal, forbidden] = [super.legalActions(), this.forbiddenPoints()];
    return forbidden?.size ? legal.filter((at) => !forbidden.has(at)) : legal;
  }

  /** Black's forbidden points and why; null if black is not to move under "renju" or the game is over. */
  forbiddenPoints(): ReadonlyMap<number, Forbidden> | null {
    const judges = this.kind.renju !== null && this.toMove === 0 && !this.isTerminal;
    return judges ? this.kind.renju.forbiddenPoints(this.cells) : null;
  }

  /**
   * The points that make five for the mover, and how many the opponent has after each legal action. null if black
   * might be left without a move under "renju", which wins for white too.
   */
  sudden(): Sudden | null {
    if (!this.isTerminal && this.kind.renju?.mayBeStuck(this.cells)) return null;
    return suddenBy(this, (player) => this.fives(player));
  }

  /** The points where one more stone of `player` makes a row that wins. */
  private fives(player: Player): number[] {
    const { renju } = this.kind;
    const cells = this.cells.slice();
    const points: number[] = [];
    for (let at = 0; at < cells.length; at++) {
      if (this.cells[at] !== EMPTY) continue;
      cells[at] = mark(player);
      // Of black's rows only one of exactly five wins; a longer one is forbidden.
      const isRow = hasRow(cells, this.kind, at);
      if (isRow && !(renju && player === 0 && renju.reason(this.cells, at) !== null)) points.push(at);
      cells[at] = EMPTY;
    }
    return points;
  }

  override whyIllegal(action: number): Refusal | null {
    const { renju } = this.kind;
    const reason = super.whyIllegal(action);
    if (reason !== null || renju === null || this.toMove !== 0) return reason;
    const forbidden = renju.reason(this.cells, action);
    return forbidden && refusal(forbidden);
  }

  override apply(action: number): this {
    if (this.whyIllegal(action) !== null) throw illegal("gomoku", action, this.legalActions());
    return super.apply(action);
  }

  protected override winnerBy(cells: Uint8Array, action: number): Player | null {
    const blackIsNext = this.kind.renju !== null && this.toMove === 1 && this.played + 1 < cells.length;
    return super.winnerBy(cells, action) ?? (blackIsNext && this.kind.renju.isStuck(cells) ? 1 : null);
  }

  /** The point's column as a letter, none left out, and its row counted from the bottom: H8. */
  label(action: number): string {
    return this.nameOf(action, NAMES);
  }
}
