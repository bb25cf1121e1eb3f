/** What is wrong, in one sentence above all else. */

import type { Said } from "../../texts/Speech";
import { byId } from "./Dom";
import { tell } from "./Labels";

/** Show what is wrong; null takes away what is there. */
export function complain(said: Said | null): void {
  tell("alert", said);
  const alert = byId("alert");
  alert.hidden = alert.textContent === "";
  // A page that has something to say has started.
  if (said) byId("starting").hidden = true;
}
