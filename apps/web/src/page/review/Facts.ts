/** The facts from which panels are made: of the position that a sitting shows, and of each position of its graph. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import { factsIn, type GameGraph, graphOf } from "../../engine/review/Graph";
import { type PanelFacts, type PanelUnit, panelOf, type SearchResult } from "../../engine/review/Panel";
import type { Observation } from "../../engine/review/Verdicts";
import type { State } from "../../engine/State";
import type { Analysis, Playing, Progress } from "../../worker/Messages";
import { scoreOf } from "../game/Ending";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { seenOf } from "./Judgement";

type Facts = Omit<PanelFacts, "moment">;

/** What searches have found of the very position. */
export interface Findings {
  readonly found: Analysis | null;
  /** What its moves gain or lose against the best, in the game's unit. */
  readonly points: ReadonlyMap<number, number> | null;
  readonly thinking: Progress | null;
}

const NOTHING: Findings = { found: null, points: null, thinking: null };

/** Black's lead in positions of Go as random games see it, in those that were asked for. */
export const LEADS = new WeakMap<State, NonNullable<PanelFacts["points"]>>();

/** The facts of the position that a session shows. */
export function factsOf(session: Session, { found, points, thinking }: Findings = NOTHING): Facts {
  const state = sessions.visible(session);
  const seen = found?.seen ?? seenAt(session, sessions.ply(session));
  const known = seen?.known ?? null;
  return {
    ...boardOf(session, state),
    known,
    distance: known?.distance ?? null,
    search: (found && searchOf(found, points)) ?? thoughtOf(session, thinking) ?? (seen && searchBy(seen)),
    earlier: sessions.chanceShown(session),
  };
}

/** What a position tells without a network. */
function boardOf(session: Session, state: State) {
  const [unit, scale] = currencyOf(state);
  const points = LEADS.get(state) ?? null;
  return { side: sessions.sideOf(session), mover: state.toMove, unit, scale, points, end: endOf(session, state) };
}

/** A lead in Go is seldom as large as the board. */
function currencyOf(state: State): readonly [PanelUnit, number] {
  if (state instanceof DotsAndBoxes) return ["boxes", state.owners.length];
  if (state instanceof Reversi) return ["discs", state.cells.length];
  return state instanceof Go ? ["points", 3 * state.size] : ["chance", 1];
}

/** What a review has found of a position, with what is proven of it. */
function seenAt(session: Session, moves: number): Observation | null {
  if (!session.seen?.has(moves)) return null;
  return seenOf(session)[moves - sessions.firstPly(session)] ?? session.seen.get(moves) ?? null;
}

function endOf(session: Session, state: State): NonNullable<PanelFacts["end"]> | null {
  const isLast = state === sessions.latest(session);
  if (!(isLast && sessions.phase(session) === "over")) return null;
  const result = sessions.result(session) * (sessions.sideOf(session) === 0 ? 1 : -1);
  const isTold = session.end !== null && session.end.kind !== "agreed";
  return { result, lead: isTold ? null : leadAtEnd(session, state) };
}

function leadAtEnd({ end }: Session, state: State): number | null {
  if (state instanceof DotsAndBoxes || state instanceof Reversi) return state.scores[0] - state.scores[1];
  return state instanceof Go ? scoreOf(state, end?.kind === "agreed" ? end.dead : []) : null;
}

function searchOf({ candidates, seen, lines }: Analysis, points: Findings["points"]): SearchResult {
  return {
    chance: seen?.chance ?? null,
    proven: null,
    candidates: candidates.map(({ action, visits, winRate }, at) => {
      const gained = points?.get(action);
      return {
        action,
        visits,
        winRate,
        line: lines[at] ?? [],
        loss: gained === undefined ? null : Math.max(0, -gained),
      };
    }),
  };
}

const searchBy = ({ chance }: Observation): SearchResult => ({ chance, proven: null, candidates: [] });

/** What the network thinks while a person waits for its move; null in other games, where either side may be thinking. */
function thoughtOf(session: Session, thinking: Progress | null): SearchResult | null {
  const isTheirs = sessions.phase(session) === "theirs" && sessions.hasPerson(session);
  if (!isTheirs || thinking?.winRate == null || sessions.visible(session) !== sessions.latest(session)) return null;
  const { winRate, proven } = thinking;
  return { chance: winRate, proven: proven ? 2 * winRate - 1 : null, candidates: [] };
}

/** The graph of a session, by moves from its first position on; `shown` are the facts of the position on the board. */
export function graphOfGame(session: Session, shown: PanelFacts): GameGraph {
  const [first, at] = [sessions.firstPly(session), sessions.moveShown(session)];
  const [seen, chances] = [seenOf(session), new Map(sessions.curve(session))];
  // A chance of an earlier position is no point of the graph.
  const isOwn = panelOf(shown).figure?.source !== "earlier";
  const positions = session.states.slice(first).map((state, move): PanelFacts => {
    if (move === at && isOwn) return shown;
    const [known, earlier] = [seen[move]?.known ?? null, chances.get(first + move) ?? null];
    return { ...boardOf(session, state), known, earlier, moment: shown.moment };
  });
  return graphOf(positions, at);
}

/** The facts in the unit of the graph: a count that is the end's alone becomes a chance. */
export const factsAs = (session: Session, facts: PanelFacts): PanelFacts =>
  facts.end ? factsIn(graphOfGame(session, facts).unit, facts) : facts;

/** Whether the moves can be judged: by a network that tells chances, or in a game that is solved. */
export const canReview = ({ network, game }: { readonly network: Playing | null; readonly game: string }): boolean =>
  network !== null && (network.hasValue || game === "tictactoe");
