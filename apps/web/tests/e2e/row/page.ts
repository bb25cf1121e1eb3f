/** A page of the tiny game alone: its board, what is said of it, and its picture. It plays the first cell that is free. */

import "../../../src/page/style.css";
import "../../../src/page/library/list/library.css";
import "./row.css";

import { begin, type Game } from "../../../src/engine/Game";
import { GAMES } from "../../../src/engine/known/Catalogue";
import { byName } from "../../../src/engine/known/Recognition";
import { PRESENTATIONS, type Presentation, presentationOf } from "../../../src/page/boards/Presentation";
import { element } from "../../../src/page/dom/Dom";
import * as sessions from "../../../src/page/game/Session";
import { pictureOf } from "../../../src/page/library/list/Picture";
import { status } from "../../../src/page/words/Outcome";
import { notPossible } from "../../../src/page/words/Words";
import { ROW } from "../../engine/Row";
import { PRESENTATION } from "./RowBoard";

// The entry; both lists are for reading alone once the page runs.
(GAMES as Map<string, Game>).set("row", ROW);
(PRESENTATIONS as Record<string, Presentation>).row = PRESENTATION;

const presentation = presentationOf("row");
const board = presentation.board(begin(byName("row")), choose);
const [said, moves, picture] = [place("status"), place("moves"), place("picture")];
let session = sessions.beginSession(begin(byName("row")), 0);

function place(id: string): HTMLElement {
  const made = element("p", { id });
  document.body.append(made);
  return made;
}

function choose(action: number): void {
  const refusal = sessions.latest(session).whyIllegal(action);
  if (refusal) said.textContent = notPossible(refusal);
  else move(action);
  while (sessions.phase(session) === "theirs") move(sessions.latest(session).legalActions()[0] ?? 0);
}

function move(action: number): void {
  moves.append(`${board.describeMove(action, sessions.latest(session))}. `);
  session = sessions.playMove(session, action);
  show();
}

function show(): void {
  const [state, last] = [sessions.latest(session), sessions.lastMove(session)];
  board.show({ state, human: 0, last, heat: null, canPlay: sessions.phase(session) === "yours" });
  said.textContent = status(session, presentation);
  picture.replaceChildren(pictureOf([state], presentation.pieces));
}

document.body.prepend(board.element);
show();
