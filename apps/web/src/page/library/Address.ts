/** What stands behind the # of the page's address: a game of the library, a bundle, a new game, or a record. */

export type Address =
  | { readonly kind: "game"; readonly id: string }
  | { readonly kind: "new"; readonly bundle: string }
  | { readonly kind: "bundle"; readonly bundle: string }
  | { readonly kind: "record"; readonly bundle: string; readonly text: string }
  | { readonly kind: "setup"; readonly text: string }
  | { readonly kind: "puzzles" }
  | { readonly kind: "library" }
  | { readonly kind: "none" };

const NEW = "/new/";
const GAME = "/games/";
const LIBRARY = "/games";
const SETUP = "/set-up/";
const PUZZLES = "/puzzles";

export const gameAddress = (id: string): string => `#${GAME}${id}`;
export const newAddress = (bundle: string): string => `#${NEW}${encodeURIComponent(bundle)}`;
export const bundleAddress = (bundle: string): string => `#${encodeURIComponent(bundle)}`;
export const LIBRARY_ADDRESS = `#${LIBRARY}`;
export const PUZZLES_ADDRESS = `#${PUZZLES}`;
/** A position that is being set up, as `Sketch` writes it; of a game's name alone its first one. */
export const setUpAddress = (text: string): string => `#${SETUP}${text}`;

export function readAddress(hash: string): Address {
  const end = hash.replace(/^#/, "");
  if (end === "") return { kind: "none" };
  if (end === LIBRARY) return { kind: "library" };
  if (end === PUZZLES) return { kind: "puzzles" };
  if (end.startsWith(SETUP)) return { kind: "setup", text: end.slice(SETUP.length) };
  if (end.startsWith(GAME)) return { kind: "game", id: end.slice(GAME.length) };
  if (end.startsWith(NEW)) return { kind: "new", bundle: decode(end.slice(NEW.length)) };
  const [bundle = "", moves] = end.split("/moves=");
  if (moves !== undefined) return { kind: "record", bundle: decode(bundle), text: hash };
  return { kind: "bundle", bundle: decode(bundle) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// What the page has acted on, null before it has.
let followed: string | null = null;

/** The page's address, which the page acts on now. */
export function follow(): Address {
  followed = location.hash;
  return readAddress(followed);
}

/** Whether the browser has just gone to an address that the page will hear of next: what is shown has none any more. */
export const isLeaving = (): boolean => followed !== null && followed !== location.hash;

/** Set the page's address: as a step that Back undoes, or in place of the present one. */
export function goTo(address: string, isStep: boolean): void {
  if (location.hash === address || (address === "" && location.hash === "")) return;
  const whole = address || location.pathname + location.search;
  if (isStep) history.pushState(null, "", whole);
  else history.replaceState(null, "", whole);
  followed = location.hash;
}
