/** The search above one game, which follows the moves that the page sends. */

import { type Evaluation, type Evaluator, priors } from "../engine/Evaluator";
import type { Reading } from "../engine/Game";
import { Connect4 } from "../engine/games/Connect4";
import { readOpenings } from "../engine/games/Connect4Opening";
import { Go } from "../engine/games/Go";
import { mayPass } from "../engine/games/GoScoring";
import { TicTacToe } from "../engine/games/TicTacToe";
import { chooseAction, type Level, levelsOf, passing } from "../engine/Levels";
import { candidates, MOST } from "../engine/review/Candidates";
import { type Known, knownOf, provenBest, provenChance } from "../engine/review/Known";
import { seenBy, sureOf } from "../engine/review/Verdicts";
import { Search } from "../engine/Search";
import { type SearchSettings, USUAL } from "../engine/SearchSettings";
import { beginsWith, type State } from "../engine/State";
import { narrowMoves } from "../engine/Tactics";
import {
  type Advice,
  type Analysis,
  type Limit,
  largest,
  type Position,
  type Progress,
  type Requests,
  type Thought,
} from "./Messages";

// Often enough that a stop is heard at once, seldom enough that a turn of the event loop costs nothing.
const SLICE_SECONDS = 0.05;

/** How often a running analysis reports what it has found: a table that changes more often cannot be read. */
const TELL_MILLISECONDS = 250;

/** The most moves of a line that the page hears of. */
const MOST_MOVES = 4;

/** A thought ends when its tree holds this many positions: more would fill the memory. */
const MOST_POSITIONS = 50_000;

/** A thought ends after this many simulations; only searches that mostly meet ends of the game make as many. */
export const MOST_SIMULATIONS = 250_000;

/** A position, and whether a pass is out of the question there. */
type Question = Position & { readonly withoutPass?: boolean };

export class Thinker {
  private search: Search | null = null;
  private followed: Position | null = null;

  constructor(
    private readonly reading: Reading,
    private readonly network: Evaluator & { readonly hasValue: boolean },
    private readonly settings: SearchSettings = USUAL,
  ) {}

  /**
   * Think about a position until the limit, until nothing more can be learnt, or until a stop, which ends the present
   * slice. `tell` hears how far it is. A thought that is stopped before it begins is a glance. With `passes` the network
   * passes in Go as people do: without a thought if nothing is left to play for, and never otherwise.
   */
  async think(
    position: Position,
    limit: Limit,
    isStopped: () => boolean,
    tell: (progress: Progress) => void,
    passes = false,
  ): Promise<Thought> {
    const state = passes ? this.stateOf(position) : null;
    if (!(state instanceof Go)) return this.ponder(position, limit, isStopped, tell);
    if (mayPass(state)) return passAtOnce(state.pass);
    const thought = await this.ponder(position, limit, isStopped, tell);
    if (thought.action !== state.pass) return thought;
    return this.ponder({ ...position, withoutPass: true }, limit, isStopped, tell);
  }

  private async ponder(
    position: Question,
    limit: Limit,
    isStopped: () => boolean,
    tell: (progress: Progress) => void,
  ): Promise<Thought> {
    const level = limit.kind === "level" ? this.level(limit.number) : null;
    if (limit.kind === "policy" || level?.simulations === 0 || isStopped()) return this.glance(position, limit);
    // Moves that are drawn are drawn by visits, and those of PUCT alone are a measure of a move.
    const search = level ? this.begin(position, false, level.temperature === 0) : this.follow(position);
    const seconds = limit.kind === "seconds" ? limit.count : Infinity;
    const simulations = limit.kind === "simulations" ? limit.count : (level?.simulations ?? Infinity);
    search.plan(simulations === Infinity ? null : simulations);
    // A level plays without it; the page shows what is known of the position all the same.
    const known = knownOf(search.state);
    let made = 0;
    const most = Math.min(simulations, MOST_SIMULATIONS);
    const isDone = (): boolean => made >= most || search.positions >= MOST_POSITIONS || search.isDone;
    while (!isStopped() && !isDone() && search.report().seconds < seconds) {
      const left = seconds - search.report().seconds;
      made += await search.run(most - made, Math.min(SLICE_SECONDS, left));
      tell(this.progress(search, known));
      await turn();
    }
    // One simulation alone visits no move.
    const { action, visits, proven } = search.report();
    if (!visits && !proven) return this.glance(position, limit);
    const drawn = level?.temperature === 0 ? null : this.drawMove(position, limit, [...search.visits()]);
    return { ...this.progress(search, known), action: drawn ?? action };
  }

  /**
   * What a new search of `simulations` simulations finds in a position, for hints and reviews; the result if the game is
   * over. `isWhole` is false if it was stopped before its end. Without a number it runs until it is stopped or as large as
   * a thought may be, and tells now and then what it has found.
   */
  async analyse(
    { position, simulations }: Requests["analyse"],
    isStopped: () => boolean,
    tell: (found: Analysis) => void = () => undefined,
  ): Promise<Analysis> {
    const search = new Search(this.stateOf(position), this.network);
    // Where it does not come, an opening is judged by the network alone.
    if (search.state instanceof Connect4) await readOpenings().catch(() => undefined);
    const settled = await this.settle(search.state, isStopped);
    const most = simulations ?? MOST_SIMULATIONS;
    const isDone = (): boolean => made >= most || (simulations === null && search.positions >= MOST_POSITIONS);
    let [made, told] = [0, performance.now()];
    // Not before there is something to tell.
    let known = settled;
    const analysis = (isWhole: boolean): Analysis => {
      known ??= knownOf(search.state);
      return this.found(search, known, isWhole);
    };
    while (!isDone() && !isStopped() && !search.state.isTerminal) {
      made += await search.run(most - made, SLICE_SECONDS);
      if (simulations === null && performance.now() - told >= TELL_MILLISECONDS) {
        told = performance.now();
        tell(analysis(false));
      }
      await turn();
    }
    return analysis(search.state.isTerminal || isDone());
  }

  /** What a solver knows of a position; null if its game has no solver. */
  private async settle(state: State, isStopped: () => boolean): Promise<Known | null> {
    if (!(state instanceof Connect4 || state instanceof TicTacToe)) return null;
    const { settle } = await import("../engine/review/Solvers");
    return settle(state, knownOf(state), async () => {
      await turn();
      return isStopped();
    });
  }

  private found(search: Search, known: Known, isWhole: boolean): Analysis {
    const visits = search.children().reduce((sum, child) => sum + child.visits, 0);
    // Tic-tac-toe needs no network to be judged.
    const isTold = this.network.hasValue || search.state.isTerminal || search.state instanceof TicTacToe;
    const own = isTold ? seenBy(search, known) : null;
    const settled = own && known.outcome !== null ? sureOf(own, known) : own;
    const best = candidates(search, MOST, known);
    const lines = best.map(({ action }) => search.line(action, MOST_MOVES).slice(1));
    return { seen: settled, candidates: best, proven: provenBest(known)?.actions ?? null, lines, visits, isWhole };
  }

  /** What the network says of a position without a search. */
  async advise(position: Question): Promise<Advice> {
    const state = this.stateOf(position);
    const known = knownOf(state);
    const [evaluation] = await this.network.evaluate([state]);
    if (!evaluation) throw new Error("The network gave no answer for a position, this is a bug.");
    const own = this.network.hasValue ? (evaluation.value + 1) / 2 : null;
    const isChosen = known.left.length < known.legal.length;
    return {
      policy: shares(evaluation, state),
      winRate: this.provenOf(known) ?? own,
      best: isChosen ? known.left : null,
    };
  }

  /** A level by its number: 1 to 8. */
  private level(number: number): Level {
    const levels = levelsOf(this.reading.game.name, this.reading.numbering !== null);
    const level = levels[number - 1];
    if (!level) throw new Error(`There is no level ${number}, this is a bug.`);
    return level;
  }

  /** What a level plays, by the visits or the priors of the legal moves; null for other limits. */
  private drawMove(position: Question, limit: Limit, weights: readonly (readonly [number, number])[]): number | null {
    if (limit.kind !== "level") return null;
    const pass = passing(this.stateOf(position));
    return chooseAction(weights, this.level(limit.number), limit.seed, position.actions.length, pass);
  }

  private async glance(position: Question, limit: Limit): Promise<Thought> {
    const begin = performance.now();
    const state = this.stateOf(position);
    const { moves, result } =
      limit.kind === "level" ? { moves: state.legalActions(), result: null } : narrowMoves(state);
    const [lowest] = moves;
    const seconds = (): number => (performance.now() - begin) / 1000;
    if (result !== null && lowest !== undefined) {
      const proof = { winRate: (result + 1) / 2, proven: true, shares: [[lowest, 1]] as const };
      return { action: lowest, simulations: 0, depth: 0, seconds: seconds(), ...proof };
    }
    const { policy, winRate } = await this.advise(position);
    const [action] = largest(policy.filter(([each]) => moves.includes(each)));
    const glance = { simulations: 0, depth: 0, winRate, proven: false, seconds: seconds(), shares: policy };
    return { ...glance, action: this.drawMove(position, limit, policy) ?? action };
  }

  /** The mover's chance by the rules, or by a table where the network has chances to tell. */
  private provenOf(known: Known): number | null {
    return provenChance(known) ?? (this.network.hasValue ? (provenBest(known)?.chance ?? null) : null);
  }

  /** How far a search is; what is `known` of its root rules over what it has found. */
  private progress(search: Search, known: Known): Progress {
    const { simulations, depth, seconds, proven, ...found } = search.report();
    const result = this.provenOf(known);
    const winRate = result ?? (this.network.hasValue || proven ? found.winRate : null);
    // Where the rules say it all nothing was visited.
    const visits = simulations || !proven ? [...search.visits()] : [[found.action, 1] as const];
    const total = visits.reduce((sum, [, count]) => sum + count, 0) || 1;
    return {
      simulations,
      depth,
      winRate,
      proven: proven || result !== null,
      seconds,
      shares: visits.map(([action, count]) => [action, count / total]),
    };
  }

  /** The search at a position, with what it knows from before where the position lies ahead. */
  private follow(position: Question): Search {
    const { search, followed } = this;
    if (!search || !followed || !isBefore(followed, position)) return this.begin(position);
    this.followed = position;
    for (const action of position.actions.slice(followed.actions.length)) search.play(action);
    return search;
  }

  /**
   * A search that knows nothing yet. A level's is one, and without what the rules prove, so that its strength is that
   * of its simulations, as it was measured; nothing follows it.
   */
  private begin(position: Question, proves = true, isSet = true): Search {
    const settings = isSet ? this.settings : USUAL;
    const search = new Search(this.stateOf(position), this.network, { proves, settings });
    [this.search, this.followed] = [search, proves ? position : null];
    return search;
  }

  private stateOf({ settings, actions, withoutPass }: Question): State {
    const state = actions.reduce((state, action) => state.apply(action), this.reading.start(settings));
    return withoutPass && state instanceof Go ? state.withoutPass() : state;
  }
}

/** A pass if nothing is left to think about. */
function passAtOnce(action: number): Thought {
  return { action, simulations: 0, depth: 0, winRate: null, proven: false, seconds: 0, shares: [] };
}

/** Whether one position leads to another, by more moves. */
function isBefore(early: Position, late: Position): boolean {
  const sameGame = JSON.stringify(early.settings) === JSON.stringify(late.settings);
  return sameGame && early.actions.length < late.actions.length && beginsWith(late.actions, early.actions);
}

function shares(evaluation: Evaluation, state: State): (readonly [number, number])[] {
  const legal = state.legalActions();
  const chances = priors(evaluation, legal);
  return legal.map((action, at) => [action, chances[at] ?? 0]);
}

/** Let messages be heard. A timer would wait four milliseconds for it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
