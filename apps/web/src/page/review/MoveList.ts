/** The list of moves, each a button that shows its position, with the mark that an analysis has given it. */

import type { JudgedMove } from "../../engine/review/Verdicts";
import { say } from "../../texts/Speech";
import { button, byId, element } from "../dom/Dom";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { movesOf } from "./Judgement";

/** What players of board games write behind a move. */
const GLYPHS = { good: "", inaccuracy: "?!", mistake: "?", blunder: "??" } as const;

let listed = "";

/** List a session's moves; `show` hears after how many moves the position is wanted. */
export function displayMoves(
  session: Session,
  nameOf: (action: number) => string,
  show: (moves: number) => void,
): void {
  const list = byId("move-list");
  const judged = movesOf(session);
  const first = sessions.firstPly(session);
  const played = sessions.actions(session).slice(first);
  const names = played.map((action, at) => [nameOf(action), judged[at]?.verdict ?? "good"] as const);
  byId("set-up").hidden = first === 0;
  const text = JSON.stringify([first, names, say("verdict_mistake")]);
  list.hidden = names.length === 0;
  if (text !== listed || list.childElementCount !== names.length) {
    listed = text;
    list.replaceChildren(...names.map(([name, verdict], at) => item(at, name, verdict, () => show(first + at + 1))));
  }
  mark(list, sessions.moveShown(session) - 1);
}

function item(at: number, name: string, verdict: JudgedMove["verdict"], show: () => void): HTMLElement {
  const glyph = element("b", { "data-verdict": verdict, "aria-hidden": "true" }, GLYPHS[verdict]);
  const marks = verdict === "good" ? [] : [glyph, element("span", { class: "unseen" }, say(`verdict_${verdict}`))];
  const number = element("span", { class: "number", "aria-hidden": "true" }, String(at + 1));
  return element("li", {}, button({}, show, number, element("span", {}, name), ...marks));
}

/** Mark the move that leads to the shown position, and scroll the list to it. */
function mark(list: HTMLElement, at: number): void {
  for (const [index, { firstElementChild }] of [...list.children].entries()) {
    if (index === at) firstElementChild?.setAttribute("aria-current", "true");
    else firstElementChild?.removeAttribute("aria-current");
  }
  const shown = list.children[Math.max(0, at)] as HTMLElement | undefined;
  if (!shown) return;
  const [top, bottom] = [shown.offsetTop, shown.offsetTop + shown.offsetHeight];
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}
