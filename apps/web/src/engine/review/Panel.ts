/**
 * One value for the shown position, from which the page draws its bars, graph, marks, headline and buttons.
 *
 * `panelOf` is a function of what is known (`PanelFacts`) and nothing else. The end of the game beats a proof, a proof beats
 * a table or a solver, those beat a search, and a search beats the network. So no two figures of one screen contradict each
 * other. All figures are those of one named side: a chance, 0 to 1, or by how many boxes, discs or points it leads, or will
 * lead if both play perfectly.
 *
 * Two moves are equal by proof, or if their figures cannot be told apart: each was searched at least `least_share` as often
 * as the best one, and they differ by at most `errors` standard errors of their difference. Rounding never makes two equal.
 * The numbers are in games/data/thresholds.json. `azx.games.review.panel` is the definition, panel.json the test.
 */

import thresholds from "../../../../../games/data/thresholds.json";
import type { Player } from "../State";
import type { Known, Reason } from "./Known";
import type { Verdict } from "./Verdicts";

export type PanelUnit = "chance" | "boxes" | "discs" | "points";

/** Where a figure comes from, the strongest first. */
export type Source = "end" | "rules" | "solved" | "search" | "network" | "earlier";

/** The next sensible act: a screen shows one as its primary button. */
export type Act =
  | "play"
  | "wait"
  | "stop"
  | "pause"
  | "resume"
  | "ask_again"
  | "agree"
  | "analyse"
  | "next_mistake"
  | "try_again"
  | "to_game"
  | "play_on"
  | "review"
  | "rematch";

export type Headline = "trying" | "verdict" | "over" | "won" | "drawn" | "lost" | "figure" | "unknown";

/**
 * A move that a search considers: its visits, and the chance (0 to 1) of who makes it. `line` holds the moves that follow
 * it, `loss` is what it loses against the best move in the game's unit; null if that is not known.
 */
export interface PanelCandidate {
  readonly action: number;
  readonly visits: number;
  readonly winRate: number;
  readonly line?: readonly number[];
  readonly loss?: number | null;
}

/** What a search has found: the mover's `chance` (null without a value), and the result that it has `proven` for it. */
export interface SearchResult {
  readonly chance: number | null;
  readonly proven: number | null;
  readonly candidates: readonly PanelCandidate[];
}

/** The judged move that led to the shown position, with a better one and its line. */
export interface PlayedMove {
  readonly action: number;
  readonly player: Player;
  readonly verdict: Verdict;
  readonly reason: Reason | null;
  readonly better: number | null;
  readonly line?: readonly number[];
}

/** What goes on at the table; absent is false, of `hasNetwork` true. `phase` is the live game's. */
export interface Moment {
  readonly phase: "yours" | "theirs" | "scoring" | "over" | "read";
  readonly hasNetwork?: boolean;
  readonly isReplay?: boolean;
  /** A hint or an analysis is under way. */
  readonly isBusy?: boolean;
  readonly isStuck?: boolean;
  readonly isWatched?: boolean;
  readonly isPaused?: boolean;
  /** A mistake is tried again, and no good move is found yet. */
  readonly isTrying?: boolean;
  readonly canReview?: boolean;
  readonly isReviewed?: boolean;
  readonly hasMistakes?: boolean;
}

/**
 * What is known of the shown position; absent is not known. `mover` is to move, `scale` the lead that fills the bar.
 * `end` has the result for player 0 and player 0's lead, `points` its mean lead. `distance` are the proven plies to the end.
 * `network` is the mover's chance without a search, `earlier` the last known one of `side` before this position.
 */
export interface PanelFacts {
  readonly side: Player;
  readonly mover: Player;
  readonly unit: PanelUnit;
  readonly scale: number;
  readonly end?: { readonly result: number; readonly lead: number | null } | null;
  readonly known?: Pick<Known, "left" | "result" | "margin" | "outcome"> | null;
  readonly distance?: number | null;
  readonly search?: SearchResult | null;
  readonly points?: { readonly mean: number; readonly spread: number } | null;
  readonly network?: number | null;
  readonly earlier?: number | null;
  readonly played?: PlayedMove | null;
  readonly moment: Moment;
}

/** A figure for `side` in `unit`, with its spread (0 if proven). */
export interface Figure {
  readonly side: Player;
  readonly unit: PanelUnit;
  readonly value: number;
  readonly spread: number;
  readonly source: Source;
}

/** A candidate on the board: its figure for the side, its loss in the game's unit, its share of the visits. */
export interface Option {
  readonly action: number;
  readonly value: number | null;
  readonly loss: number | null;
  readonly share: number;
  readonly isEqual: boolean;
}

/** `share` is how much of the bar is the side's; null if unknown. `equal` are the moves that are equally good. */
export interface Panel {
  readonly figure: Figure | null;
  readonly share: number | null;
  readonly proven: { readonly result: number; readonly distance: number | null } | null;
  readonly played: Pick<PlayedMove, "action" | "verdict" | "reason"> | null;
  readonly better: { readonly action: number; readonly line: readonly number[] } | null;
  readonly equal: readonly number[];
  readonly options: readonly Option[];
  readonly headline: Headline;
  readonly act: Act;
}

/** What is proven, and how strong the proof is. */
interface Proof {
  readonly result: number;
  readonly distance: number | null;
  readonly source: Source;
}

export function panelOf(facts: PanelFacts): Panel {
  const proof = proofOf(facts);
  const figure = figureOf(facts, proof);
  const { options, equal } = optionsOf(facts, figure);
  const marked = facts.played && facts.played.verdict !== "good" ? facts.played : null;
  const better = marked && marked.better !== null ? { action: marked.better, line: marked.line ?? [] } : null;
  return {
    figure,
    share: figure && shareOf(facts, figure),
    proven: proof && { result: proof.result, distance: proof.distance },
    played: marked && { action: marked.action, verdict: marked.verdict, reason: marked.reason },
    better,
    equal,
    options,
    headline: headlineOf(facts, proof, marked !== null, figure),
    act: actOf(facts, better !== null),
  };
}

/** A player 0's number for a side. */
const seenBy = (side: Player, number: number): number => (side === 0 ? number : 0 - number);

const turnOf = ({ mover, side }: PanelFacts): number => (mover === side ? 1 : -1);

const own = (chance: number, turn: number): number => (turn === 1 ? chance : 1 - chance);

/** The strongest proof, for the named side. */
function proofOf(facts: PanelFacts): Proof | null {
  const { end, known, search, distance = null, side } = facts;
  const turn = turnOf(facts);
  const proof = (result: number, source: Source, plies = distance): Proof => ({
    result: turn * result + 0,
    distance: plies,
    source,
  });
  if (end) return { result: seenBy(side, end.result), distance: 0, source: "end" };
  if (known && known.result !== null) return proof(known.result, "rules", known.result === 1 ? 1 : 2);
  if (known && known.margin !== null) return proof(Math.sign(known.margin), "solved");
  if (search && search.proven !== null) return proof(search.proven, "rules");
  return known && known.outcome !== null ? proof(known.outcome, "solved") : null;
}

function figureOf(facts: PanelFacts, proof: Proof | null): Figure | null {
  const { side, unit, end, known, points, search, network, earlier } = facts;
  const turn = turnOf(facts);
  if (proof) {
    const { result, source } = proof;
    const lead = end
      ? end.lead !== null
        ? seenBy(side, end.lead)
        : null
      : known && known.margin !== null
        ? turn * known.margin
        : null;
    // A game that was given up, or whose result a record tells, may be lost with a lead.
    const isCounted = lead !== null && unit !== "chance" && Math.sign(lead) === result;
    if (isCounted) return { side, unit, value: lead, spread: 0, source };
    return { side, unit: "chance", value: (1 + result) / 2, spread: 0, source };
  }
  const chance = (value: number, spread: number, source: Source): Figure => ({
    side,
    unit: "chance",
    value,
    spread,
    source,
  });
  if (points && unit !== "chance") {
    return { side, unit: "points", value: seenBy(side, points.mean), spread: points.spread, source: "search" };
  }
  if (search && search.chance !== null) {
    const visits = search.candidates[0]?.visits ?? 0;
    return chance(own(search.chance, turn), standardError(search.chance, visits), "search");
  }
  if (network != null) return chance(own(network, turn), standardError(network, 0), "network");
  return earlier != null ? chance(earlier, standardError(earlier, 0), "earlier") : null;
}

/** The standard error of a chance found by `visits` visits, with one win and one loss added. */
export function standardError(chance: number, visits: number): number {
  const count = visits + 2;
  const smooth = (chance * visits + 1) / count;
  return Math.sqrt((smooth * (1 - smooth)) / count);
}

function shareOf({ scale }: PanelFacts, { unit, value }: Figure): number {
  const share = unit === "chance" ? value : 0.5 + value / (2 * scale);
  return Math.min(1, Math.max(0, share));
}

/** The candidates in figures of the named side, and the moves that are equally good. */
function optionsOf(facts: PanelFacts, figure: Figure | null): Pick<Panel, "options" | "equal"> {
  if (facts.end) return { options: [], equal: [] };
  const candidates = facts.search?.candidates ?? [];
  const equal = equalIn(facts, candidates);
  const total = candidates.reduce((sum, { visits }) => sum + visits, 0) || 1;
  const options = candidates.map((each) => ({
    action: each.action,
    value: figure && worthOf(facts, figure, each),
    loss: each.loss ?? null,
    share: each.visits / total,
    isEqual: equal.includes(each.action),
  }));
  return { options, equal };
}

/** The proven result for the mover, and the moves that keep it; null if nothing is proven. */
function keptBy({ known }: PanelFacts): { readonly result: number; readonly left: readonly number[] } | null {
  const result = known ? (known.result ?? known.margin ?? known.outcome) : null;
  return known && result !== null ? { result: Math.sign(result), left: known.left } : null;
}

function equalIn(facts: PanelFacts, candidates: readonly PanelCandidate[]): readonly number[] {
  const proof = keptBy(facts);
  // Of a lost position nothing says which move holds out longest, unless it is counted.
  if (proof) return proof.result >= 0 || facts.known?.margin != null ? proof.left : [];
  const [first] = candidates;
  const hasValue = facts.search?.chance != null;
  return first ? candidates.filter((each) => isEqual(each, first, hasValue)).map(({ action }) => action) : [];
}

function isEqual(one: PanelCandidate, first: PanelCandidate, hasValue: boolean): boolean {
  const { least_share: least, errors } = thresholds.equal;
  if (one.action === first.action) return true;
  if ((one.loss ?? 0) > (first.loss ?? 0)) return false;
  if (!hasValue) return one.visits === first.visits;
  if (one.visits < least * first.visits) return false;
  const error = Math.hypot(standardError(one.winRate, one.visits), standardError(first.winRate, first.visits));
  return Math.abs(one.winRate - first.winRate) <= errors * error;
}

/** The figure of a move for the named side; no move is worth more to the mover than the position. */
function worthOf(facts: PanelFacts, { unit, value }: Figure, { action, loss, winRate }: PanelCandidate): number | null {
  const turn = turnOf(facts);
  if (unit !== "chance") return loss == null ? null : value - turn * loss;
  const best = own(value, turn);
  const proof = keptBy(facts);
  if (proof?.left.includes(action)) return value;
  // What gives a draw away is lost, what gives a win away is a draw at most; a win at once may be made up for later.
  const most = proof === null || facts.known?.result != null ? best : Math.max(0, best - 0.5);
  return own(Math.min(winRate, most), turn);
}

/** What the sentence is about. */
function headlineOf({ moment, end }: PanelFacts, proof: Proof | null, isMarked: boolean, figure: unknown): Headline {
  if (moment.isTrying) return "trying";
  if (isMarked) return "verdict";
  if (end) return "over";
  if (proof) return proof.result > 0 ? "won" : proof.result < 0 ? "lost" : "drawn";
  return figure ? "figure" : "unknown";
}

function actOf(facts: PanelFacts, hasBetter: boolean): Act {
  const { moment } = facts;
  if (moment.isBusy) return "stop";
  return moment.isReplay ? actInReplay(facts, hasBetter) : actInPlay(moment);
}

function actInPlay(now: Moment): Act {
  if (now.phase === "scoring") return "agree";
  if (now.phase === "read") return "review";
  if (now.phase === "over") return now.canReview ? "review" : "rematch";
  if (now.isWatched) return now.isPaused ? "resume" : "pause";
  if (now.phase === "yours") return "play";
  if (now.isStuck) return "ask_again";
  return now.hasNetwork === false ? "wait" : "stop";
}

function actInReplay({ moment, played, end }: PanelFacts, hasBetter: boolean): Act {
  if (moment.isTrying) return "to_game";
  if (hasBetter && (played?.verdict === "mistake" || played?.verdict === "blunder")) return "try_again";
  if (moment.hasMistakes) return "next_mistake";
  if (moment.canReview && !moment.isReviewed) return "analyse";
  return end ? "rematch" : "play_on";
}
