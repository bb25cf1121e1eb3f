/** What is said of how a game stands: whose turn it is, who has won, why, and what each player has. */

import { Connect4 } from "../../engine/games/Connect4";
import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Gomoku } from "../../engine/games/Gomoku";
import { Hex } from "../../engine/games/Hex";
import { Reversi } from "../../engine/games/Reversi";
import { TicTacToe } from "../../engine/games/TicTacToe";
import type { Player, State } from "../../engine/State";
import { count, number, say } from "../../texts/Speech";
import type { Presentation } from "../boards/Presentation";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { capital, deadOf, points, score } from "./Words";

/** What the networks are called that play each other. */
export type Names = { readonly called?: readonly [string, string] };
type Pieces = Pick<Presentation, "pieces"> & Names;
type Named = Pick<Presentation, "prompt"> & Pieces;

/**
 * What the page says of the game, which asks a person for a move; `isPaused` is of a game that is watched, `isStuck` of one
 * in which the network was asked for a move and gave none.
 */
export function status(session: Session, named: Named, isPaused = false, isStuck = false): string {
  const now = sessions.phase(session);
  if (now === "yours") return sessions.isShared(session) ? movesNext(session, named) : say(named.prompt);
  if (now === "scoring") return say("tap_dead");
  if (now === "over") return result(session, named);
  if (now === "read") return say("record_no_result");
  if (isStuck) return say("not_moved");
  if (!sessions.isWatched(session)) return say("waiting");
  return say(isPaused ? "paused" : "watching", say(named.pieces[sessions.latest(session).toMove]));
}

/** What the page says of the position that a replay shows. */
export function statusShown(session: Session, named: Named): string {
  const state = sessions.visible(session);
  if (state.isTerminal || (session.end && session.shown === null)) return status(session, named);
  if (sessions.isWatched(session)) return say("watching", say(named.pieces[state.toMove]));
  if (sessions.isRead(session) || sessions.isShared(session)) return movesNext(session, named);
  return state.toMove === session.human ? say("your_turn") : say("ais_turn");
}

const movesNext = (session: Session, named: Named): string =>
  say("moves_next", firstWord(session, sessions.visible(session).toMove, named));

/** What a side is called in a game that no person here plays: by the record's name or its network's, else by its pieces. */
export const playerName = ({ names }: Pick<Session, "names">, player: Player, { pieces, called }: Pieces): string =>
  names?.[player] || called?.[player] || say(pieces[player]);

/** The same where a sentence begins with it: the word of a piece has a capital letter, names stay as they are. */
export function firstWord(session: Pick<Session, "names">, player: Player, named: Pieces): string {
  const [name, piece] = [playerName(session, player, named), say(named.pieces[player])];
  return name === piece ? capital(name) : name;
}

export function result(session: Session, named: Pieces): string {
  const winner = sessions.winner(session);
  if (winner === null) return say("draw");
  if (!sessions.hasPerson(session)) return say("winner_is", playerName(session, winner, named));
  return say(winner === session.human ? "you_won" : "ai_won");
}

/** How a game that is over has ended, for the list of games. */
export function describeEnd(
  session: Pick<Session, "human" | "names"> & { readonly winner: Player | null },
  named: Pieces,
): string {
  const { human, winner } = session;
  if (winner === null) return say("finished_draw");
  if (!sessions.hasPerson({ human })) return say("finished_watched", playerName(session, winner, named));
  return say(winner === human ? "finished_won" : "finished_lost");
}

/** Why a game that is over has the result that it has; null if there is nothing to say. */
export function why(session: Session, named: Pieces): string | null {
  const { end } = session;
  if (end?.kind === "time") return say("ended_time", playerName(session, end.by, named));
  if (end?.kind === "resigned")
    return end.by === undefined ? say("you_resigned") : say("ended_resigned", firstWord(session, end.by, named));
  if (session.end?.kind === "told") return say("record_tells", session.end.result);
  const state = sessions.latest(session);
  if (state instanceof Go) return score(state, deadOf(session, state));
  // The score says it.
  if (state instanceof DotsAndBoxes || state instanceof Reversi) return null;
  return row(state) ?? (sessions.winner(session) === null ? say("no_row") : null);
}

/** "5 : 4", "+6.5": what is counted at the end of a game, the near player's first; empty if nothing is. */
export function scoreText(session: Session): string {
  const state = sessions.latest(session);
  const side = sessions.sideOf(session);
  if (session.end && session.end.kind !== "agreed") return "";
  if (state instanceof Go) return `+${number(Math.abs(state.score(deadOf(session, state))))}`;
  if (!(state instanceof DotsAndBoxes || state instanceof Reversi)) return "";
  return `${state.scores[side]} : ${state.scores[side === 0 ? 1 : 0]}`;
}

/** "4 in a row from column 2 to column 5": the row that has won; null if nobody has one. */
export function row(state: State): string | null {
  if (!(state instanceof Connect4 || state instanceof TicTacToe || state instanceof Gomoku || state instanceof Hex))
    return null;
  const line = state.longestLine();
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (state instanceof TicTacToe) return say("line_points", line.length, cell(first), cell(last));
  if (state instanceof Hex) return say("line_chain", line.length, state.label(first), state.label(last));
  if (state instanceof Gomoku) return say("line_points", line.length, state.label(first), state.label(last));
  const [one = 0, other = 0] = [first, last].map((at) => (at % state.columns) + 1).sort((a, b) => a - b);
  return one === other ? say("line_column", line.length, one) : say("line_columns", line.length, one, other);
}

const cell = (at: number): string => say("move_cell", Math.floor(at / 3) + 1, (at % 3) + 1);

/** What a player has in the position that is shown; null if a game has nothing to count. */
export function countOf(session: Session, player: Player): string | null {
  const state = sessions.visible(session);
  if (state instanceof DotsAndBoxes) return count("boxes_count", state.scores[player]);
  if (state instanceof Reversi) return count("discs_count", state.scores[player]);
  if (!(state instanceof Go)) return null;
  // While the dead stones are not agreed on there is no score yet.
  if (!state.isTerminal || sessions.phase(session) === "scoring") return say("captured_count", state.prisoners[player]);
  // White has the komi.
  const area = state.areas(deadOf(session, state))[player].length;
  return points(player === 1 ? area + state.komi : area);
}
