/** The two chips above the board: who plays with what, what each has, and whose turn it is. */

import { other, type Player } from "../../engine/State";
import { say } from "../../texts/Speech";
import type { Presentation } from "../boards/Presentation";
import * as controls from "../choices/Controls";
import { byId, element } from "../dom/Dom";
import { faceOf, leftAt } from "../game/Clock";
import type { Sides } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { countOf, firstWord, type Names } from "../words/Outcome";
import { levelText, shortTitle } from "../words/Words";

/** What the chips say beside the session: of a game between two networks who they are, of a series what they have won. */
export interface Seating {
  readonly presentation: Presentation & Names;
  readonly game: string;
  readonly sides: Sides | null;
  readonly wins: readonly [number, number] | null;
}

let shown = "";

/** Draw the chips of a session: the person on the left, or the player who began if no person plays. */
export function displayPlayers(session: Session, { presentation, game, sides, wins }: Seating): void {
  const side = sessions.sideOf(session);
  const { pieces } = presentation;
  const chips = [side, other(side)].map((player) => ({
    piece: pieces[player],
    isNext: markOf(session, player) !== null,
    words: [
      ["who", whoIs(session, player, presentation, sides, game)],
      ["mark", markOf(session, player)],
      ["what", sideText(session, player, say(pieces[player]), sides)],
      ["count", countOf(session, player)],
      ["wins", wins && String(wins[player])],
      ["clock", session.clock ? faceOf(leftAt(session.clock, sessions.ply(session))[player]) : null],
    ] as const,
  }));
  // A thought's progress changes nothing in them, and what a screen reader stands on stays there.
  const text = JSON.stringify(chips);
  if (text === shown && byId("players").hasChildNodes()) return;
  shown = text;
  byId("players").replaceChildren(...chips.map(({ piece, isNext, words }) => chip(piece, isNext, words)));
}

function chip(piece: string, isNext: boolean, words: readonly (readonly [string, string | null])[]): HTMLElement {
  const parts = words.flatMap(([name, text]) =>
    text ? [element("span", { class: name, role: name === "clock" ? "timer" : null }, text), " "] : [],
  );
  const stone = element("span", { class: "stone", "data-piece": piece, "aria-hidden": "true" });
  return element("li", { class: "chip", "aria-current": isNext ? "true" : null }, stone, ...parts);
}

/** A side's name: of two networks what tells them apart, of one and the same how strong it plays. */
function whoIs(session: Session, player: Player, named: Presentation, sides: Sides | null, game: string): string {
  if (sides) return isOneNetwork(sides) ? levelText(sides[player].level) : shortTitle(sides[player].name, game);
  if (sessions.isRead(session) || sessions.isShared(session)) return firstWord(session, player, named);
  return say(player === session.human ? "you" : "ai");
}

/** What a side plays with; of a network how strong it is, too, if that is not its name. */
function sideText(session: Session, player: Player, piece: string, sides: Sides | null): string | null {
  // Two people without names are called by their pieces.
  if (sessions.isShared(session)) return session.names?.[player] ? piece : null;
  if (player === session.human || sessions.isRead(session) || (sides && isOneNetwork(sides))) return piece;
  return say("piece_strength", piece, sides ? levelText(sides[player].level) : controls.strengthText());
}

const isOneNetwork = ([one, two]: Sides): boolean => one.name === two.name;

/** What is to be said of a side in the position that is shown: that it moves next, or that it has won. */
function markOf(session: Session, player: Player): string | null {
  const state = sessions.visible(session);
  const isLast = state === sessions.latest(session);
  const now = sessions.phase(session);
  if (isLast && now === "over") return sessions.winner(session) === player ? say("won") : null;
  // Nobody moves while the dead stones are agreed on.
  if ((isLast && now === "scoring") || state.isTerminal || state.toMove !== player) return null;
  return say("to_move");
}
