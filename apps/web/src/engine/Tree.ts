/**
 * The search tree as columns of numbers, a row a node.
 *
 * A row is what a node's parent knows of it (action, prior, visits, total) and where its children are, side by side
 * from `first` on. `total` is the sum of its visits' values, seen by the player to move in the parent, and `squares` that
 * of their squares. Nothing here knows of games or networks.
 * Columns and not an object a node: numbers stay unboxed, and the garbage collector has nothing to walk.
 */

import { lowerBound } from "./LowerBound";

/**
 * What is known of a node: nothing, its value, its children too, or the game's result: that it is over there or, in a
 * search that proves, what its children make of it.
 */
export const FRESH = 0;
export const LEAF = 1;
export const OPEN = 2;
export const CLOSED = 3;
export const ROOT = 0;
const ROOM = 1 << 12;

const COLUMNS = ["prior", "total", "squares", "visits", "first", "children", "action", "kind", "slot"] as const;

/** A row that is not in use reads as zeros, whether there is room for it or not. */
export class Tree {
  private prior = new Float64Array(ROOM);
  private total = new Float64Array(ROOM);
  private squares = new Float64Array(ROOM);
  private visits = new Int32Array(ROOM);
  private first = new Int32Array(ROOM);
  private children = new Int32Array(ROOM);
  private action = new Int32Array(ROOM);
  private kind = new Uint8Array(ROOM);
  private slot = new Int32Array(ROOM);
  /** Rows in use; the root is always there. */
  used = 1;

  kindOf(node: number): number {
    return this.kind[node] ?? FRESH;
  }

  actionOf(node: number): number {
    return this.action[node] ?? 0;
  }

  priorOf(node: number): number {
    return this.prior[node] ?? 0;
  }

  visitsOf(node: number): number {
    return this.visits[node] ?? 0;
  }

  /** The mean of the values found below a node, seen by the player to move in its parent; 0 before the first visit. */
  meanOf(node: number): number {
    const visits = this.visits[node] ?? 0;
    return visits ? (this.total[node] ?? 0) / visits : 0;
  }

  /** What a visited node is worth to the player to move in its parent even if its mean is too high. */
  lowerBoundOf(node: number, errors: number): number {
    return lowerBound(this.visitsOf(node), this.total[node] ?? 0, this.squares[node] ?? 0, errors);
  }

  /** Where the caller keeps what belongs to a node that is no longer FRESH. */
  slotOf(node: number): number {
    return this.slot[node] ?? 0;
  }

  /** A node's value is known now, and what belongs to it is in the caller's `slot`. */
  markEvaluated(node: number, slot: number): void {
    this.kind[node] = LEAF;
    this.slot[node] = slot;
  }

  /** What belongs to a node has moved to another slot. */
  moveSlot(node: number, slot: number): void {
    this.slot[node] = slot;
  }

  /** The game is over at a node. */
  close(node: number): void {
    this.kind[node] = CLOSED;
  }

  /**
   * Close each node above the place `last` of a path whose result its children tell: one wins for its mover, or all are
   * known. A closed node is worth its result in every visit, also in those that were.
   */
  closeAbove(path: Int32Array, last: number): void {
    for (let at = last - 1; at >= 0; at--) {
      const node = path[at] ?? ROOT;
      let best = -1;
      let isOpen = false;
      const [from, to] = this.rowsBelow(node);
      for (let child = from; child < to; child++) {
        if (this.kind[child] === CLOSED) best = Math.max(best, this.meanOf(child));
        else isOpen = true;
      }
      if (isOpen && best < 1) return;
      this.kind[node] = CLOSED;
      this.total[node] = -best * this.visitsOf(node);
      this.squares[node] = best * best * this.visitsOf(node);
    }
  }

  /**
   * Keep only the root's children for `moves`, their priors divided by their sum; what is below the others stays in the
   * tree, and is not reached.
   */
  leaveOnly(moves: readonly number[]): void {
    const rows = moves.map((action) => this.childFor(action));
    const first = this.used;
    this.makeRoom(first + rows.length);
    for (const [at, row] of rows.entries()) this.copy(first + at, this, row, row + 1);
    this.used += rows.length;
    let sum = 0;
    for (let row = first; row < this.used; row++) sum += this.priorOf(row);
    for (let row = first; row < this.used; row++) {
      this.prior[row] = sum > 0 ? this.priorOf(row) / sum : 1 / rows.length;
    }
    this.first[ROOT] = first;
    this.children[ROOT] = rows.length;
  }

  /** The rows of a node's children: from the first one to before the second number. */
  rowsBelow(node: number): readonly [number, number] {
    const from = this.first[node] ?? 0;
    return [from, from + (this.children[node] ?? 0)];
  }

  /**
   * The child with the largest Q + ((C*P)*sqrt(N)) / (1+n), evaluated in this order in doubles; the first of equals
   * has the lowest action.
   *
   * Q of a child without a visit is 0 or, with a `firstPlay`, the node's own less that.
   */
  bestChild(node: number, exploration: number, firstPlay: number | null): number {
    // The columns in variables and no call in the loop: most of a search's own time is spent here.
    const { prior, total, visits } = this;
    const root = Math.sqrt(visits[node] ?? 0);
    const from = this.first[node] ?? 0;
    const to = from + (this.children[node] ?? 0);
    // The node's mean is that of the player who moved into it. No move is worth less than a loss.
    const unseen = firstPlay === null ? 0 : Math.max(-1, -this.meanOf(node) - firstPlay);
    let best = -1;
    let bestScore = -Infinity;
    for (let child = from; child < to; child++) {
      const count = visits[child] ?? 0;
      const mean = count ? (total[child] ?? 0) / count : unseen;
      const score = mean + (exploration * (prior[child] ?? 0) * root) / (1 + count);
      if (score > bestScore) {
        best = child;
        bestScore = score;
      }
    }
    return best;
  }

  /** Count one simulation along `path`, whose node `last` is worth `value` to its player to move. */
  backUp(path: Int32Array, last: number, value: number): void {
    const { total, squares, visits } = this;
    for (let at = last; at >= 0; at--) {
      const node = path[at] ?? ROOT;
      value = -value;
      visits[node] = (visits[node] ?? 0) + 1;
      total[node] = (total[node] ?? 0) + value;
      squares[node] = (squares[node] ?? 0) + value * value;
    }
  }

  /**
   * Give `node` a child for each legal action, with the weights, divided by their sum, as priors.
   *
   * `legal` is ascending and the weights are summed in that order. A sum of 0 means uniform.
   */
  expand(node: number, legal: readonly number[], weights: Float64Array): void {
    const count = legal.length;
    let sum = 0;
    for (let at = 0; at < count; at++) sum += weights[at] ?? 0;
    const first = this.used;
    this.makeRoom(first + count);
    for (let at = 0; at < count; at++) {
      this.action[first + at] = legal[at] ?? 0;
      this.prior[first + at] = sum > 0 ? (weights[at] ?? 0) / sum : 1 / count;
    }
    this.first[node] = first;
    this.children[node] = count;
    this.kind[node] = OPEN;
    this.used += count;
  }

  /** A node's child with the most visits, the first of equals; -1 if none was visited. */
  mostVisited(node: number): number {
    const [from, to] = this.rowsBelow(node);
    let [best, most] = [-1, 0];
    for (let child = from; child < to; child++) {
      if (this.visitsOf(child) > most) [best, most] = [child, this.visitsOf(child)];
    }
    return best;
  }

  /** The root's child for `action`; -1 if it has none. */
  childFor(action: number): number {
    const [from, to] = this.rowsBelow(ROOT);
    for (let child = from; child < to; child++) if (this.action[child] === action) return child;
    return -1;
  }

  /** The tree of `top` and of everything below it, parents before children, siblings side by side. */
  subtree(top: number): Tree {
    const tree = new Tree();
    tree.copy(ROOT, this, top, top + 1);
    for (let node = 0; node < tree.used; node++) {
      if (tree.kind[node] !== OPEN) continue;
      // A copied row still says where its children were; from now on, where they are.
      const [from, to] = tree.rowsBelow(node);
      const first = tree.used;
      tree.makeRoom(first + to - from);
      tree.copy(first, this, from, to);
      tree.first[node] = first;
      tree.used += to - from;
    }
    return tree;
  }

  /** Put the rows `from` to before `to` of another tree here, from `row` on; their children stay where they are there. */
  private copy(row: number, other: Tree, from: number, to: number): void {
    for (const column of COLUMNS) this[column].set(other[column].subarray(from, to), row);
  }

  /** Have at least `rows` rows; those not in use are all zeros. */
  private makeRoom(rows: number): void {
    if (rows <= this.kind.length) return;
    const room = Math.max(2 * this.kind.length, rows);
    this.prior = longer(this.prior, new Float64Array(room));
    this.total = longer(this.total, new Float64Array(room));
    this.squares = longer(this.squares, new Float64Array(room));
    this.visits = longer(this.visits, new Int32Array(room));
    this.first = longer(this.first, new Int32Array(room));
    this.children = longer(this.children, new Int32Array(room));
    this.action = longer(this.action, new Int32Array(room));
    this.kind = longer(this.kind, new Uint8Array(room));
    this.slot = longer(this.slot, new Int32Array(room));
  }
}

function longer<Column extends { set(from: Column): void }>(column: Column, room: Column): Column {
  room.set(column);
  return room;
}
