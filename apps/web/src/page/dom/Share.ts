/** A text, or a link, handed to another app. */

import { put } from "./Dom";

/** Let the system hand it on where it can, else copy it and say so at `done`; else show it there, to be copied by hand. */
export async function share(data: { url: string } | { text: string }, done: Element, copied: string): Promise<void> {
  put(done, "");
  if (typeof navigator.share === "function") {
    // A person who cancels wants nothing else shared.
    await navigator.share(data).catch(() => undefined);
    return;
  }
  const text = "url" in data ? data.url : data.text;
  try {
    await navigator.clipboard.writeText(text);
    put(done, copied);
  } catch {
    put(done, text);
  }
}
