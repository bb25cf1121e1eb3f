/** What `azx serve --watch` has from moment to moment: the page asks again. Loaded where it is served like this. */

import { textOf } from "../../bundle/Store";

const MILLISECONDS = 2000;

/**
 * Ask for a file beside the bundles again and again, while the page is seen: `hear` gets its JSON whenever it differs from
 * the last one, and `done` is called after each answer. Asks at once too if what is returned is called.
 */
export function follow(
  base: string,
  file: string,
  hear: (data: unknown) => void,
  done: () => void = () => undefined,
): () => Promise<void> {
  let last: string | null = null;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    const text = await textOf(base, file);
    isAsking = false;
    done();
    if (text === null || text === last) return;
    last = text;
    try {
      hear(JSON.parse(text));
    } catch {
      // What cannot be read now may be read the next time; the page keeps what it has.
    }
  };
  setInterval(() => void ask(), MILLISECONDS);
  document.addEventListener("visibilitychange", () => void ask());
  return ask;
}
