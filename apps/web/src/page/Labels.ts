/** The texts of index.html, which names them: `data-text` for what stands in an element, `data-label` for its label. */

import { language, say, sayBy } from "../texts/Speech";
import { say as put } from "./Dom";

/** Say all of them in the language that is spoken. */
export function label(): void {
  document.documentElement.lang = language();
  for (const each of document.querySelectorAll<HTMLElement>("[data-text]"))
    put(each, sayBy(each.dataset.text ?? "", each.dataset.count));
  for (const each of document.querySelectorAll<HTMLElement>("[data-label]"))
    each.setAttribute("aria-label", sayBy(each.dataset.label ?? ""));
  // What the style sheet writes while something is held over the page.
  document.body.dataset.drop = say("drop_here");
}
