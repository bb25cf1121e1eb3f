/** What the browser remembers by name, of this page or of one tab; nothing if it forbids that. */

import { type Data, membersOf } from "../../engine/Data";

const PREFIX = "azx ";

/** What is remembered of one tab, until that is closed. */
export const OF_TAB = "sessionStorage";
/** Its name for what is being opened in this tab. */
export const OPENING = "opening";
type Where = typeof OF_TAB | "localStorage";

export function readStored(name: string, where: Where = "localStorage"): string | null {
  try {
    return window[where].getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** The members of what is remembered as JSON; none if that is no object. */
export function readMembers(name: string): Data {
  try {
    return membersOf(JSON.parse(readStored(name) ?? "null"));
  } catch {
    return {};
  }
}

/** Set a switch as it was left, and remember its changes. */
export function rememberSwitch(box: HTMLInputElement): void {
  box.checked = readStored(box.id) === "on";
  box.addEventListener("change", () => store(box.id, box.checked ? "on" : null));
}

/** Remember `value`; null forgets. */
export function store(name: string, value: string | null, where: Where = "localStorage"): void {
  try {
    if (value === null) window[where].removeItem(PREFIX + name);
    else window[where].setItem(PREFIX + name, value);
  } catch {
    return;
  }
}

/** The names that begin so. */
export function storedNames(beginning: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX + beginning))
      .map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}
