/**
 * The openings of a series: their moves are drawn by chance from what the networks would play. Without them two sides
 * that always play what they think best would play the same game again and again.
 */

import { chooseAction, type Level } from "../../engine/Levels";
import type { State } from "../../engine/State";
import type { Advice } from "../../worker/Messages";
import { beginSession, latest, NOBODY, playMove, type Session } from "../game/Session";

/** As a level that plays by its policy alone: every move in proportion to the root of its probability. */
const DRAW: Level = { simulations: 0, threshold: 0, temperature: 2 };

/** How often an opening is drawn again if it was played already; tic-tac-toe has 72 of two moves. */
const TRIES = 20;

/** The policy of the mover's network in a position. */
export type Ask = (session: Session) => Promise<Advice["policy"]>;

/** A game of `plies` moves, drawn by `seed`: no move passes by choice, and none ends the game. */
async function drawOnce(start: State, plies: number, ask: Ask, seed: number): Promise<Session> {
  let session = beginSession(start, NOBODY);
  for (let ply = 0; ply < plies; ply++) {
    const state = latest(session);
    const policy = (await ask(session)).filter(([action]) => state.label(action) !== "pass");
    if (!policy.length) break;
    const next = playMove(session, chooseAction(policy, DRAW, seed, ply));
    if (latest(next).isTerminal) break;
    session = next;
  }
  return session;
}

/** An opening that is not `known` yet, if one is drawn in `TRIES`; its moves become known. */
export async function drawOpening(
  start: State,
  plies: number,
  ask: Ask,
  known: Set<string>,
  random: () => number = Math.random,
): Promise<Session> {
  let session = beginSession(start, NOBODY);
  for (let time = 0; time < TRIES; time++) {
    session = await drawOnce(start, plies, ask, Math.floor(random() * 2 ** 32));
    const moves = session.states.slice(1).map(({ lastAction }) => lastAction);
    const text = moves.join(" ");
    if (known.has(text)) continue;
    known.add(text);
    break;
  }
  return session;
}
