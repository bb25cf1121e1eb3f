/** What is wrong, in one sentence above all else. */

import { byId, say as put } from "./Dom";
import type { Said } from "./Words";

let complaint: Said | null = null;

/** Show what is wrong; null takes away what is there. */
export function complain(said: Said | null): void {
  complaint = said;
  const [alert, words] = [byId("alert"), said?.() ?? ""];
  alert.hidden = words === "";
  put(alert, words);
  // A page that has something to say has started.
  if (words) byId("starting").hidden = true;
}

/** Say it again, in another language. */
export function retellComplaint(): void {
  complain(complaint);
}
