/** What is wrong, in one sentence above all else. */

import { told } from "../texts/Told";
import { byId, say as put } from "./Dom";
import type { Said } from "./Words";

let complaint: Said = () => "";

/** Show a sentence that was said in English below; "" takes away the one that is there. */
export function complain(sentence: string): void {
  complainOf(() => told(sentence));
}

export function complainOf(said: Said): void {
  complaint = said;
  const [alert, sentence] = [byId("alert"), said()];
  alert.hidden = sentence === "";
  put(alert, sentence);
  // A page that has something to say has started.
  if (sentence) byId("starting").hidden = true;
}

/** Say it again, in another language. */
export function retellComplaint(): void {
  complainOf(complaint);
}
