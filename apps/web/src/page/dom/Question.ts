/** A question before something is lost. */

import { button, element } from "./Dom";

/** What is asked, what its buttons say, and which of them is suggested. */
export interface Question {
  readonly title: string;
  readonly about: string;
  readonly yes: string;
  readonly no: string;
  readonly suggested: "yes" | "no";
}

/** Whether the person means it; Escape means no, and so does a question while there is another. */
export async function isSure({ title, about, yes, no, suggested }: Question): Promise<boolean> {
  if (document.getElementById("question")) return false;
  const answer = (id: "yes" | "no", text: string): HTMLElement =>
    button({ id: `question-${id}`, class: id === suggested ? "primary" : null }, () => dialog.close(id), text);
  const buttons = [answer("yes", yes), answer("no", no)];
  const dialog = element(
    "dialog",
    { id: "question", "aria-labelledby": "question-title", "aria-describedby": "question-about" },
    element("h2", { id: "question-title" }, title),
    element("p", { id: "question-about" }, about),
    element("div", { class: "row" }, ...(suggested === "yes" ? buttons : buttons.reverse())),
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  return dialog.returnValue === "yes";
}
