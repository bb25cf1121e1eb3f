/** The two chips above the board: who plays with what, what each has, and whose turn it is. */

import { other, type Player } from "../../engine/State";
import { say } from "../../texts/Speech";
import * as controls from "../Controls";
import { byId, element } from "../Dom";
import type { Sides } from "../library/GameRecord";
import { countOf, playerName } from "../Outcome";
import type { Presentation } from "../Presentation";
import type { Session } from "../Session";
import * as sessions from "../Session";
import { levelText, titleOf } from "../Words";

/** What the chips say beside the session: of a game between two networks who they are, of a series what they have won. */
export interface Seated {
  readonly presentation: Presentation;
  readonly game: string;
  readonly sides: Sides | null;
  readonly wins: readonly [number, number] | null;
}

let shown = "";

/** Bring the chips in line with a session: the person on the left, or who began where there is none. */
export function displayPlayers(session: Session, { presentation: { pieces }, game, sides, wins }: Seated): void {
  const side = sessions.sideOf(session);
  const chips = [side, other(side)].map((player) => ({
    piece: pieces[player],
    isNext: markOf(session, player) !== null,
    words: [
      ["who", sides ? titleOf({ title: sides[player].name, game }) : whoIs(session, player, pieces)],
      ["mark", markOf(session, player)],
      ["what", sideText(session, player, say(pieces[player]), sides)],
      ["count", countOf(session, player)],
      ["wins", wins && String(wins[player])],
    ] as const,
  }));
  // A thought's progress changes nothing in them, and what a screen reader stands on stays there.
  const text = JSON.stringify(chips);
  if (text === shown && byId("players").hasChildNodes()) return;
  shown = text;
  byId("players").replaceChildren(...chips.map(({ piece, isNext, words }) => chip(piece, isNext, words)));
}

function chip(piece: string, isNext: boolean, words: readonly (readonly [string, string | null])[]): HTMLElement {
  const said = words.flatMap(([name, text]) => (text ? [element("span", { class: name }, text), " "] : []));
  const stone = element("span", { class: "stone", "data-piece": piece, "aria-hidden": "true" });
  return element("li", { class: "chip", "aria-current": isNext ? "true" : null }, stone, ...said);
}

const whoIs = (session: Session, player: Player, pieces: Presentation["pieces"]): string =>
  sessions.isRead(session) ? playerName(session, player, { pieces }) : say(player === session.human ? "you" : "ai");

/** What a side plays with; of the network how strong it is, too. */
function sideText(session: Session, player: Player, piece: string, sides: Sides | null): string {
  return player === session.human || sessions.isRead(session)
    ? piece
    : say("piece_strength", piece, sides ? levelText(sides[player].level) : controls.strengthText());
}

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
