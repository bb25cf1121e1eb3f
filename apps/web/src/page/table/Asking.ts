/** What a person is asked before a game is given up, or a move of two people is taken back. */

import { other } from "../../engine/State";
import { say } from "../../texts/Speech";
import { isSure } from "../dom/Question";
import * as sessions from "../game/Session";
import { firstWord, playerName } from "../words/Outcome";
import type { Table } from "./Table";
import "texts:people";

/** Give the game up where the person means it; of two people the one who is to move. */
export async function resign(table: Table): Promise<void> {
  const { session } = table.now;
  const { toMove } = sessions.latest(session);
  const title = say("resign");
  const about = sessions.isShared(session) ? say("resign_ask_of", firstOf(table, toMove)) : say("resign_ask");
  const sure = await isSure({ title, about, yes: title, no: say("cancel"), suggested: "no" });
  if (sure && session.states === table.now.session.states) table.resign();
}

/** Take a move back where two people agree on it; at once where they need not. */
export async function takeBack(table: Table): Promise<void> {
  const { session } = table.now;
  if (session.isUndoAsked && sessions.isShared(session) && session.end === null) {
    // Whose move would be taken back asks the other one.
    const asking = sessions.latest(sessions.undoMoves(session)).toMove;
    const about = say("undo_ask", firstOf(table, asking), nameOf(table, other(asking)));
    const yes = say("undo_agree");
    const sure = await isSure({ title: say("undo"), about, yes, no: say("undo_refuse"), suggested: "no" });
    if (!sure || session.states !== table.now.session.states) return;
  }
  table.undo();
}

const firstOf = ({ now: { session }, stage }: Table, player: 0 | 1): string =>
  firstWord(session, player, stage.presentation);

const nameOf = ({ now: { session }, stage }: Table, player: 0 | 1): string =>
  playerName(session, player, stage.presentation);
