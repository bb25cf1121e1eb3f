/** What is said at the end of a game: the result, why it is so, and what to do next. */

import type { Presentation } from "../boards/Presentation";
import { byId, put } from "../dom/Dom";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { type Names, result, scoreText, why } from "../words/Outcome";

/** Whether the card is to be seen: a replay shows the game, not its end. */
export const isResultShown = (session: Session, isReplay: boolean): boolean =>
  sessions.phase(session) === "over" && !isReplay;

export function displayResult(session: Session, presentation: Presentation & Names, isReplay: boolean): void {
  const isShown = isResultShown(session, isReplay);
  const card = byId("foot");
  card.classList.toggle("over", isShown);
  // For a screen reader the status has said the result; for the eye the card has, and the status only keeps its place.
  byId("status").classList.toggle("in-card", isShown);
  const reason = isShown ? why(session, presentation) : null;
  put(byId("result"), isShown ? result(session, presentation) : "");
  put(byId("why"), reason ?? "");
  put(byId("score"), isShown ? scoreText(session) : "");
  byId("result").hidden = !isShown;
  byId("why").hidden = reason === null;
  byId("see-replay").hidden = !isShown;
  byId("swap").hidden = !isShown || !(sessions.hasPerson(session) || sessions.isShared(session));
}
