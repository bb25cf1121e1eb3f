/** What was being opened when the page was ended, which only its next start can tell: a browser ends a page that takes too much memory. */

const NAME = "azx opening";

/** Note what is being opened in this tab; null once that is over. */
export function noteOpening(name: string | null): void {
  try {
    if (name === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, name);
  } catch {
    // The browser keeps nothing: then nothing can be told.
  }
}

/** What this tab was opening when it was ended, told once; null where it was not. */
export function takeLostOpening(): string | null {
  try {
    const name = sessionStorage.getItem(NAME);
    noteOpening(null);
    return name;
  } catch {
    return null;
  }
}
