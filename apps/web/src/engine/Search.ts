/**
 * Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.
 *
 *     const search = new Search(begin(byName("connect4")), evaluator);
 *     await search.run(200);
 *     search.bestAction();
 *     search.play(38); // the tree below the move is kept
 *
 * In each simulation the child with the largest Q + ((C*P)*sqrt(N)) / (1+n) is followed from the root to a node that
 * was not visited yet; its value is added up on the way back, negated at every ply.
 * C = ln((1 + N + 19652) / 19652) + 1.25 (Silver et al., "A general reinforcement learning algorithm that masters
 * chess, shogi, and Go through self-play", 2018, pseudocode).
 *
 * A search that `proves`, as in play, takes from the rules what needs no network. A win at once is played; a move that
 * lets the opponent win at once is not searched while there is another; results at the ends of lines go up the tree as
 * far as they decide. It ends if nothing more can be found (`isDone`).
 *
 * `settings` may have the root's simulations shared out in another way (`GumbelRoot.ts`), end the search once the move is
 * decided (`EarlyStop.ts`), choose the move by more than its visits (`LowerBound.ts`), and have other numbers in the
 * formula.
 */

import { EarlyStop } from "./EarlyStop";
import { type Evaluation, type Evaluator, weights } from "./Evaluator";
import { GameError } from "./GameError";
import { GumbelRoot } from "./GumbelRoot";
import { SHARE } from "./LowerBound";
import { choosesByVisits, type SearchSettings, USUAL } from "./SearchSettings";
import type { State } from "./State";
import { type Forced, narrowMoves } from "./Tactics";
import { CLOSED, FRESH, LEAF, OPEN, ROOT, Tree } from "./Tree";

/** C of a node with `visits` visits. */
export function exploration(visits: number, cInit = USUAL.cInit): number {
  return Math.log((1 + visits + 19652) / 19652) + cInit;
}

/**
 * What a search has found: `action` is the best one, `winRate` its expected result as a chance, 0 to 1.
 *
 * `simulations` are those of this move, `visits` those of the best action (kept ones counted), `depth` the longest
 * line in plies, `seconds` the time spent on this move. Where the result is `proven`, `winRate` is that result: 1, 0.5
 * or 0.
 */
export interface Report {
  readonly action: number;
  readonly simulations: number;
  readonly visits: number;
  readonly depth: number;
  readonly winRate: number;
  readonly seconds: number;
  readonly proven: boolean;
}

/** One of the root's actions; `mean` is its value, -1 to 1, for the player to move; 0 where it was never visited. */
export interface Child {
  readonly action: number;
  readonly visits: number;
  readonly mean: number;
  readonly prior: number;
}

export interface Options {
  /** C by a node's visits; else it is as the settings say. */
  readonly constant?: (visits: number) => number;
  /** Called with the actions of every simulation's path. */
  readonly trace?: (path: readonly number[]) => void;
  /** Whether what the rules prove counts, as in play; without it the search is plain PUCT. */
  readonly proves?: boolean;
  /** The rows at which a tree that proves is full. */
  readonly nodes?: number;
  /** Those of the network's bundle. */
  readonly settings?: SearchSettings;
}

/** The rows at which a tree that proves is full: 50 MB of numbers. */
export const MOST_NODES = 1 << 20;

/** A search that proves ends after this many simulations in a row that met only known results. */
export const MOST_IDLE = 1000;

// Few nodes are visited more often, and a table for them would fill the memory where a game's end is near everywhere.
const MOST_CONSTANTS = 1 << 16;

/** A tree above one state of a game, which grows with `run` and follows the game with `play`. */
export class Search {
  private tree = new Tree();
  // What belongs to the nodes that have been evaluated, by their slot: few of the tree's rows ever have a state. An
  // answer is needed until its node is expanded.
  private states: State[] = [];
  private answers: (Evaluation | null)[] = [];
  // The network's values, by slot too, where a root is to know them; else it stays empty.
  private values: number[] = [];
  private readonly shared: GumbelRoot | null;
  private readonly early: EarlyStop | null;
  // Of a choice by lower bound: how many standard errors count against a move.
  private readonly errors: number | null;
  private path = new Int32Array(64);
  private readonly constant: (visits: number) => number;
  private constants = new Float64Array(0);
  private readonly firstPlay: number | null;
  private kept = 0;
  private deepest = 0;
  private milliseconds = 0;
  private since: number | null = null;
  private stopped = false;
  private forced: Forced | null = null;
  private idle = 0;
  private isPlanned = false;

  constructor(
    private root: State,
    readonly evaluator: Evaluator,
    private readonly options: Options = {},
  ) {
    const settings = options.settings ?? USUAL;
    const { root: gumbel, cInit, firstPlay } = settings;
    this.constant = options.constant ?? ((visits) => exploration(visits, cInit));
    this.firstPlay = firstPlay;
    this.shared = gumbel ? new GumbelRoot(gumbel) : null;
    this.early = settings.earlyStop && choosesByVisits(settings) ? new EarlyStop() : null;
    this.errors = settings.lowerBound;
    this.hold(root, new Tree());
  }

  get state(): State {
    return this.root;
  }

  get isRunning(): boolean {
    return this.since !== null;
  }

  /** How many positions the tree holds with their states, kept ones counted: what its memory goes by. */
  get positions(): number {
    return this.states.length;
  }

  reset(state: State): void {
    this.refuseWhileRunning();
    this.hold(state, new Tree());
  }

  /** Replace the tree, and count simulations and time from zero. */
  private hold(root: State, tree: Tree, states: State[] = [], answers: (Evaluation | null)[] = []): void {
    [this.root, this.tree, this.states, this.answers] = [root, tree, states, answers];
    if (states.length === 0) this.values = [];
    this.shared?.forget();
    this.early?.forget();
    this.isPlanned = false;
    [this.kept, this.deepest, this.milliseconds, this.idle] = [tree.visitsOf(ROOT), 0, 0, 0];
    this.forced = this.options.proves ? narrowMoves(root) : null;
    const [from, to] = tree.rowsBelow(ROOT);
    if (this.forced === null || to - from <= this.forced.moves.length) return;
    tree.leaveOnly(this.forced.moves);
    // What is left may be known already: asked as at the end of a path of one move.
    this.path[0] = ROOT;
    tree.closeAbove(this.path, 1);
  }

  /** The game's result for the player to move, 1, 0 or -1, where it is proven; null if it is not. */
  get result(): number | null {
    if (this.forced?.result) return this.forced.result;
    if (this.tree.kindOf(ROOT) !== CLOSED || !this.options.proves) return null;
    // The root's mean is that of the player who moved into it, and no zero may be negative.
    return 0 - this.tree.meanOf(ROOT);
  }

  /**
   * Whether no simulation is made any more: the game is over, the move is decided where the settings stop early or, in a
   * search that proves, the result is known, the tree is full or only known results were met for long.
   */
  get isDone(): boolean {
    if (this.early?.isOver) return true;
    if (this.root.isTerminal || !this.options.proves) return this.root.isTerminal;
    const isFull = this.tree.used >= (this.options.nodes ?? MOST_NODES);
    return isFull || this.idle >= MOST_IDLE || this.result !== null;
  }

  /**
   * Say that the next `simulations` belong together, in however many runs; null: as many as there will be.
   *
   * For settings that share simulations out or stop early: without a plan each run is one by itself.
   */
  plan(simulations: number | null): void {
    this.belong(simulations);
    this.isPlanned = true;
  }

  private belong(simulations: number | null): void {
    this.shared?.begin(simulations);
    this.early?.begin(this.tree.visitsOf(ROOT), simulations);
    this.look();
  }

  private look(): void {
    this.early?.look(this.tree.visitsOf(ROOT), () => this.choice().map(([, visits]) => visits));
  }

  /**
   * Make `simulations` new ones, or as many as `seconds` allow, and at least one; none where it `isDone`. Resolves
   * to how many there were. `stop` ends it early.
   *
   * Where the evaluator answers at once, nothing is waited for: a worker that has to hear messages runs for a part of
   * a second, lets others have their turn, and runs again.
   */
  async run(simulations: number, seconds = Infinity): Promise<number> {
    this.refuseWhileRunning();
    const begin = performance.now();
    [this.since, this.stopped] = [begin, false];
    let made = 0;
    if (!this.isPlanned) this.belong(seconds === Infinity && simulations !== Infinity ? simulations : null);
    try {
      while (made < simulations && !this.stopped && !this.isDone) {
        this.shared?.count(simulations - made);
        const pending = this.simulate();
        if (pending) await pending;
        made++;
        this.look();
        if (seconds !== Infinity && performance.now() - begin >= 1000 * seconds) break;
      }
    } finally {
      this.milliseconds += performance.now() - begin;
      this.since = null;
    }
    return made;
  }

  /** End a running `run` after the simulation that it is in. */
  stop(): void {
    this.stopped = true;
  }

  private refuseWhileRunning(): void {
    if (this.isRunning) throw new GameError("search: it is running, stop it and wait until run() has ended.");
  }

  /** One simulation; a promise where the evaluator's answer has to be waited for. */
  private simulate(): Promise<void> | null {
    const last = this.descend();
    const node = this.nodeAt(last);
    const { tree } = this;
    // All visits of a node where the game is over had the same value, so their mean is the result.
    if (tree.kindOf(node) === CLOSED) {
      this.idle++;
      return this.settle(last, -tree.meanOf(node));
    }
    this.idle = 0;
    const state = last ? this.stateAt(tree.slotOf(this.nodeAt(last - 1))).apply(tree.actionOf(node)) : this.root;
    if (state.isTerminal) {
      tree.close(node);
      this.settle(last, state.returns() * (1 - 2 * state.toMove));
      if (this.options.proves) tree.closeAbove(this.path, last);
      return null;
    }
    const answers = this.evaluator.evaluate([state]);
    if (!(answers instanceof Promise)) return this.take(last, state, answers[0]);
    return answers.then(([answer]) => void this.take(last, state, answer));
  }

  /** Walk from the root to a node whose value is wanted; its place in the path. */
  private descend(): number {
    const { tree } = this;
    this.makeConstants(tree.visitsOf(ROOT));
    let [node, last] = [ROOT, 0];
    this.path[0] = ROOT;
    if (this.shared && tree.kindOf(ROOT) !== FRESH) {
      node = this.enter(this.shared);
      this.path[++last] = node;
    }
    for (;;) {
      if (tree.kindOf(node) === LEAF) this.expand(node);
      if (tree.kindOf(node) !== OPEN) return last;
      node = tree.bestChild(node, this.constantOf(tree.visitsOf(node)), this.firstPlay);
      if (++last === this.path.length) this.lengthenPath();
      this.path[last] = node;
    }
  }

  /** The root's child by which the simulation begins that the root has counted. */
  private enter(root: GumbelRoot): number {
    const value = this.values[this.tree.slotOf(ROOT)] ?? 0;
    if (this.tree.kindOf(ROOT) === LEAF) this.expand(ROOT);
    return root.choose(this.tree, value);
  }

  private expand(node: number): void {
    const slot = this.tree.slotOf(node);
    const answer = this.answers[slot];
    if (!answer) throw new GameError("search: a node has no evaluation to expand it with, this is a bug.");
    const legal = this.forced && node === ROOT ? this.forced.moves : this.stateAt(slot).legalActions();
    this.tree.expand(node, legal, weights(answer, legal));
    this.answers[slot] = null;
  }

  private take(last: number, state: State, answer: Evaluation | undefined): null {
    if (!answer) throw new GameError("search: the evaluator gave no answer for a state, this is a bug.");
    this.tree.markEvaluated(this.nodeAt(last), this.states.push(state) - 1);
    this.answers.push(answer);
    if (this.shared) this.values.push(answer.value);
    return this.settle(last, answer.value);
  }

  /** Count the simulation whose last node is worth `value` to its player to move. */
  private settle(last: number, value: number): null {
    this.tree.backUp(this.path, last, value);
    if (last > this.deepest) this.deepest = last;
    this.options.trace?.(Array.from(this.path.subarray(1, last + 1), (node) => this.tree.actionOf(node)));
    return null;
  }

  /** The node at a place of the path, whose first one is the root. */
  private nodeAt(place: number): number {
    return this.path[place] ?? ROOT;
  }

  /** The state of a node that has been evaluated, by its slot. */
  private stateAt(slot: number): State {
    const state = this.states[slot];
    if (!state) throw new GameError("search: a node has no state, this is a bug.");
    return state;
  }

  private lengthenPath(): void {
    const path = new Int32Array(2 * this.path.length);
    path.set(this.path);
    this.path = path;
  }

  /** Let the table of constants reach `visits`, or its largest size; no node has more than the root. */
  private makeConstants(visits: number): void {
    if (visits < this.constants.length || this.constants.length === MOST_CONSTANTS) return;
    const length = Math.min(Math.max(1024, 2 * visits), MOST_CONSTANTS);
    this.constants = Float64Array.from({ length }, (_, count) => this.constant(count));
  }

  /** C of a node with `visits` visits: a logarithm costs more than a look into the table. */
  private constantOf(visits: number): number {
    return this.constants[visits] ?? this.constant(visits);
  }

  /** The root's actions, ascending; none before the second simulation. */
  children(): readonly Child[] {
    const { tree } = this;
    const [from, to] = tree.rowsBelow(ROOT);
    return Array.from({ length: to - from }, (_, at) => {
      const row = from + at;
      return {
        action: tree.actionOf(row),
        visits: tree.visitsOf(row),
        mean: tree.meanOf(row),
        prior: tree.priorOf(row),
      };
    });
  }

  /** The moves that were looked at most, one after the other, from one of the root's on: at most `most`. */
  line(action: number, most: number): readonly number[] {
    const line = [action];
    let node = this.tree.childFor(action);
    while (line.length < most && node >= 0) {
      node = this.tree.mostVisited(node);
      if (node >= 0) line.push(this.tree.actionOf(node));
    }
    return line;
  }

  /** The visit count of every legal action at the root, kept ones counted; all 0 before the first simulation. */
  visits(): ReadonlyMap<number, number> {
    const children = this.children();
    if (children.length === 0) {
      const left = this.forced?.moves ?? this.root.legalActions();
      return new Map(left.map((action) => [action, 0]));
    }
    return new Map(children.map(({ action, visits }) => [action, visits]));
  }

  /**
   * The most visited action, the lowest of equals, among those that a search that proves has left: those with the proven
   * result, or those not lost. GameError if the game is over.
   *
   * Where the root's simulations are shared out, the best of the moves visited longest; where the settings say so, the one
   * with the largest lower bound of those visited much.
   */
  bestAction(): number {
    const counts = this.choice();
    if (counts.length === 0) throw new GameError("search: the game is over, there is no move to choose.");
    const [from, to] = this.tree.rowsBelow(ROOT);
    if (this.shared && from < to && this.tree.kindOf(ROOT) !== FRESH) {
      const rows = counts.map(([action]) => this.tree.childFor(action));
      const value = this.values[this.tree.slotOf(ROOT)] ?? 0;
      return this.tree.actionOf(this.shared.best(this.tree, value, rows));
    }
    const most = counts.reduce((best, next) => (next[1] > best[1] ? next : best));
    if (this.errors === null || most[1] === 0) return most[0];
    return this.safest(
      counts.filter(([, visits]) => visits >= SHARE * most[1]).map(([action]) => action),
      this.errors,
    );
  }

  /** Of visited actions, ascending, the one with the largest lower bound. */
  private safest(actions: readonly number[], errors: number): number {
    const bounds = actions.map((action) => this.tree.lowerBoundOf(this.tree.childFor(action), errors));
    return actions[bounds.indexOf(Math.max(...bounds))] ?? 0;
  }

  /** The visit counts of the actions that may be played. */
  private choice(): (readonly [number, number])[] {
    const [lowest] = this.forced?.result ? this.forced.moves : [];
    if (lowest !== undefined) return [[lowest, 0]];
    const { result } = this;
    const counts = [...this.visits()];
    if (!this.options.proves) return counts;
    return counts.filter(([action]) => {
      const row = this.tree.childFor(action);
      const known = row >= 0 && this.tree.kindOf(row) === CLOSED ? this.tree.meanOf(row) : null;
      return result === null ? known !== -1 : known !== null && 0 + known === result;
    });
  }

  /** What has been found so far; may be asked while `run` waits for the evaluator. GameError if the game is over. */
  report(): Report {
    const action = this.bestAction();
    const child = this.children().find((found) => found.action === action);
    const running = this.since === null ? 0 : performance.now() - this.since;
    const { result } = this;
    return {
      action,
      simulations: this.tree.visitsOf(ROOT) - this.kept,
      visits: child?.visits ?? 0,
      depth: this.deepest,
      winRate: ((result ?? child?.mean ?? 0) + 1) / 2,
      seconds: (this.milliseconds + running) / 1000,
      proven: result !== null,
    };
  }

  /** Follow the game by `action` and keep the tree below it; GameError if it is illegal. */
  play(action: number): void {
    this.refuseWhileRunning();
    const state = this.root.apply(action);
    const row = this.tree.childFor(action);
    // Below a node that was never visited, or where the game is over, there is nothing to keep.
    if (row < 0 || this.tree.kindOf(row) === FRESH || this.tree.kindOf(row) === CLOSED) {
      this.reset(state);
      return;
    }
    const tree = this.tree.subtree(row);
    const [states, answers] = this.moveInto(tree);
    this.hold(state, tree, states, answers);
  }

  /** The states and answers of a kept tree's nodes; their slots get new numbers. */
  private moveInto(tree: Tree): [State[], (Evaluation | null)[]] {
    const states: State[] = [];
    const answers: (Evaluation | null)[] = [];
    const values: number[] = [];
    for (let node = 0; node < tree.used; node++) {
      if (tree.kindOf(node) !== LEAF && tree.kindOf(node) !== OPEN) continue;
      const slot = tree.slotOf(node);
      answers.push(this.answers[slot] ?? null);
      if (this.shared) values.push(this.values[slot] ?? 0);
      tree.moveSlot(node, states.push(this.stateAt(slot)) - 1);
    }
    this.values = values;
    return [states, answers];
  }
}
