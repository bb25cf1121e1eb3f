/**
 * The search tree as columns of numbers, a row a node.
 *
 * A row is what a node's parent knows of it (action, prior, visits, total) and where its children are, side by side
 * from `first` on. `total` is seen by the player to move in the parent. Nothing here knows of games or networks.
 */

/** What is known of a node: nothing, its value, its children too, or that the game is over there. */
export const FRESH = 0;
export const LEAF = 1;
export const OPEN = 2;
export const CLOSED = 3;
export const ROOT = 0;
const ROOM = 1 << 12;

export class Tree {
  prior = new Float64Array(ROOM);
  total = new Float64Array(ROOM);
  visits = new Int32Array(ROOM);
  first = new Int32Array(ROOM);
  children = new Int32Array(ROOM);
  action = new Int32Array(ROOM);
  kind = new Uint8Array(ROOM);
  /** A number of the caller's: where it keeps what belongs to the node. */
  slot = new Int32Array(ROOM);
  /** Rows in use; the root is always there. */
  used = 1;

  /**
   * The child with the largest Q + ((C*P)*sqrt(N)) / (1+n), evaluated in this order in doubles; the first of equals
   * has the lowest action.
   */
  bestChild(node: number, exploration: number): number {
    const { prior, total, visits } = this;
    const root = Math.sqrt(visits[node]);
    const from = this.first[node];
    const to = from + this.children[node];
    let best = -1;
    let bestScore = -Infinity;
    for (let child = from; child < to; child++) {
      const count = visits[child];
      const mean = count ? total[child] / count : 0;
      const score = mean + (exploration * prior[child] * root) / (1 + count);
      if (score > bestScore) {
        best = child;
        bestScore = score;
      }
    }
    return best;
  }

  /** Count one simulation along `path`, whose node `last` is worth `value` to its player to move. */
  backUp(path: Int32Array, last: number, value: number): void {
    const { total, visits } = this;
    for (let at = last; at >= 0; at--) {
      value = -value;
      visits[path[at]]++;
      total[path[at]] += value;
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
    for (let at = 0; at < count; at++) sum += weights[at];
    const first = this.used;
    this.makeRoom(first + count);
    for (let at = 0; at < count; at++) {
      this.action[first + at] = legal[at];
      this.prior[first + at] = sum > 0 ? weights[at] / sum : 1 / count;
    }
    this.first[node] = first;
    this.children[node] = count;
    this.kind[node] = OPEN;
    this.used += count;
  }

  /** The root's child for `action`; -1 where it has none. */
  childFor(action: number): number {
    const from = this.first[ROOT];
    const to = from + this.children[ROOT];
    for (let child = from; child < to; child++) if (this.action[child] === action) return child;
    return -1;
  }

  /** The tree of `top` and of everything below it, parents before children, siblings side by side. */
  subtree(top: number): Tree {
    const kept = new Tree();
    kept.copy(ROOT, this, top);
    for (let node = 0; node < kept.used; node++) {
      if (kept.kind[node] !== OPEN) continue;
      const [from, count, first] = [kept.first[node], kept.children[node], kept.used];
      kept.makeRoom(first + count);
      for (let at = 0; at < count; at++) kept.copy(first + at, this, from + at);
      kept.first[node] = first;
      kept.used += count;
    }
    return kept;
  }

  /** Put the row `from` of another tree here, its children where they are there. */
  private copy(row: number, other: Tree, from: number): void {
    this.prior[row] = other.prior[from];
    this.total[row] = other.total[from];
    this.visits[row] = other.visits[from];
    this.first[row] = other.first[from];
    this.children[row] = other.children[from];
    this.action[row] = other.action[from];
    this.kind[row] = other.kind[from];
    this.slot[row] = other.slot[from];
  }

  /** Have at least `rows` rows; those not in use are all zeros. */
  private makeRoom(rows: number): void {
    if (rows <= this.kind.length) return;
    const room = Math.max(2 * this.kind.length, rows);
    this.prior = longer(this.prior, new Float64Array(room));
    this.total = longer(this.total, new Float64Array(room));
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
