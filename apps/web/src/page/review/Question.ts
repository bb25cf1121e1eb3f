/** The question before moves of a game are given up. */

import { say } from "../../texts/Speech";
import { element } from "../Dom";

/** Whether the person means it; Escape means no. */
export function isSure(title: string, about: string): Promise<boolean> {
  const yes = element("button", { type: "button", class: "primary" }, title);
  const no = element("button", { type: "button" }, say("cancel"));
  const dialog = element(
    "dialog",
    { "aria-label": title },
    element("h2", {}, title),
    element("p", {}, about),
    element("div", { class: "row" }, yes, no),
  );
  yes.addEventListener("click", () => dialog.close("yes"));
  no.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const closed = (): void => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    dialog.addEventListener("close", closed, { once: true });
  });
}
