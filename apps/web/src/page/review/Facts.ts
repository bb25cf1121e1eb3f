/** What is known of the position that a sitting shows, and of each position of its graph, as facts of a panel. */

import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import { type Figure, type PanelFacts, type PanelUnit, panelOf, type Searched } from "../../engine/review/Panel";
import type { Seen } from "../../engine/review/Verdicts";
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
  /** Player 0's lead, as random games see it. */
  readonly lead: PanelFacts["points"] | null;
  readonly thinking: Progress | null;
}

const NOTHING: Findings = { found: null, points: null, lead: null, thinking: null };

/** The facts of the position that a session shows. */
export function factsOf(session: Session, { found, points, lead, thinking }: Findings = NOTHING): Facts {
  const state = sessions.visible(session);
  const [unit, scale] = currencyOf(state);
  const side = sessions.sideOf(session);
  const seen = found?.seen ?? seenAt(session, sessions.ply(session));
  const known = seen?.known ?? null;
  return {
    side,
    mover: state.toMove,
    unit,
    scale,
    end: endOf(session, state),
    known,
    distance: known?.distance ?? null,
    search: (found && searchOf(found, points)) ?? thoughtOf(session, thinking) ?? (seen && searchBy(seen)),
    points: lead ?? null,
    earlier: sessions.chanceShown(session),
  };
}

function currencyOf(state: State): readonly [PanelUnit, number] {
  if (state instanceof DotsAndBoxes) return ["boxes", state.owners.length];
  if (state instanceof Reversi) return ["discs", state.cells.length];
  return state instanceof Go ? ["points", state.cells.length] : ["chance", 1];
}

/** What a review has found of a position, with what is proven of it. */
function seenAt(session: Session, moves: number): Seen | null {
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

function searchOf({ candidates, seen, lines }: Analysis, points: Findings["points"]): Searched {
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

const searchBy = ({ chance }: Seen): Searched => ({ chance, proven: null, candidates: [] });

/** What the network thinks while a person waits for it; whose thought it is in other games is not told. */
function thoughtOf(session: Session, thinking: Progress | null): Searched | null {
  const isTheirs = sessions.phase(session) === "theirs" && sessions.hasPerson(session);
  if (!isTheirs || thinking?.winRate == null || sessions.visible(session) !== sessions.latest(session)) return null;
  const { winRate, proven } = thinking;
  return { chance: winRate, proven: proven ? 2 * winRate - 1 : null, candidates: [] };
}

/** A point of the graph: after how many moves, how much of the height is the side's, and the figure. */
export interface Point {
  readonly moves: number;
  readonly share: number;
  readonly unit: PanelUnit;
}

/**
 * The graph of a session, with the `figure` of the position that is shown in place of what was known of it. Chances and
 * counts have no scale in common: the graph has the points of the kind that most positions have.
 */
export function graphOf(
  session: Session,
  shown: { readonly figure: Figure | null; readonly share: number | null },
): readonly Point[] {
  const seen = seenOf(session);
  const first = sessions.firstPly(session);
  const last = session.states.length - 1;
  const points = new Map<number, Point>();
  for (const [moves, chance] of sessions.curve(session)) {
    const state = session.states[moves];
    if (!state) continue;
    const [unit, scale] = currencyOf(state);
    const one = seen[moves - first];
    const at = { side: sessions.sideOf(session), mover: state.toMove, unit, scale, moment: { phase: "over" } } as const;
    const end = moves === last ? endOf(session, state) : null;
    const { figure, share } = panelOf({ ...at, end, known: one?.known ?? null, earlier: chance });
    if (figure && share !== null) points.set(moves, { moves, share, unit: figure.unit });
  }
  const { figure, share } = shown;
  if (figure && share !== null && figure.source !== "earlier")
    points.set(sessions.ply(session), { moves: sessions.ply(session), share, unit: figure.unit });
  const all = [...points.values()].sort((one, other) => one.moves - other.moves);
  const counted = all.filter(({ unit }) => unit !== "chance");
  const unit = 2 * counted.length < all.length ? "chance" : counted[0]?.unit;
  return all.filter((point) => point.unit === unit);
}

/** Whether the moves can be judged: by a network that tells chances, or in a game that is solved. */
export const canReview = ({ network, game }: { readonly network: Playing | null; readonly game: string }): boolean =>
  network !== null && (network.hasValue || game === "tictactoe");
