/**
 * Texts that stay on the page until they are replaced; they follow a change of the language.
 *
 * index.html names its own: `data-text` for what stands in an element, `data-label` for its label.
 */

import { language, type Said, say, sayBy } from "../../texts/Speech";
import { byId, put } from "./Dom";

const texts = new Map<string, Said>();

/** Show a text in an element from now on; null empties the element. */
export function tell(id: string, said: Said | null): void {
  texts.set(id, said ?? (() => ""));
  put(byId(id), said?.() ?? "");
}

/** Say all of them in the language that is spoken. */
export function label(): void {
  document.documentElement.lang = language();
  for (const each of document.querySelectorAll<HTMLElement>("[data-text]"))
    put(each, sayBy(each.dataset.text ?? "", each.dataset.count));
  for (const each of document.querySelectorAll<HTMLElement>("[data-label]"))
    each.setAttribute("aria-label", sayBy(each.dataset.label ?? ""));
  for (const [id, said] of texts) put(byId(id), said());
  // What the style sheet writes while something is held over the page.
  document.body.dataset.drop = say("drop_here");
}
