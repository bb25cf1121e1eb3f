/** The question before a game under way is given up. */

import { byId } from "./Dom";

/** Whether the person means it; Escape means no. */
export function isSure(): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>("question");
  if (dialog.open) return Promise.resolve(false);
  dialog.returnValue = "";
  byId("question-yes").onclick = () => dialog.close("yes");
  byId("question-no").onclick = () => dialog.close();
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
