/** What `azx serve --watch` has from moment to moment: the page asks again. Loaded where it is served like this. */

import { bundlesOf, type Entry } from "../../bundle/Index";
import { indexText } from "../../bundle/Store";

const MILLISECONDS = 2000;

/** Ask for the index again and again, while the page is seen, and hand on each that is another than before. */
export function follow(base: string, hear: (found: readonly Entry[]) => void): void {
  let last: string | null = null;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    const text = await indexText(base);
    isAsking = false;
    if (text === null || text === last) return;
    last = text;
    try {
      hear(bundlesOf(JSON.parse(text)));
    } catch {
      // An index that cannot be read now may be read the next time; the page has one.
    }
  };
  setInterval(() => void ask(), MILLISECONDS);
  document.addEventListener("visibilitychange", () => void ask());
}
