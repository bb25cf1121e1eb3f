/** A game handed on: as a link, and as a file. */

import { lineOf, linkOf, sgfOf, type Written } from "../../engine/records/Writing";
import { say } from "../../texts/Speech";
import { byId, put } from "../Dom";
import { save } from "./RecordFile";

/** What is shared: the game, and the bundle that it is played with; null where there is none. */
export type Shared = () => { readonly bundle: string; readonly game: Written } | null;

export function connectSharing(shared: Shared): void {
  byId("share-game").addEventListener("click", () => {
    const given = shared();
    if (given) void share(addressOf(given) ?? textOf(given));
  });
  byId("save-game").addEventListener("click", () => {
    const given = shared();
    if (!given) return;
    const sgf = sgfOf(given.game);
    save(`${given.game.game.name}.${sgf === null ? "txt" : "sgf"}`, sgf ?? lineOf(given.game));
  });
}

/** The page's address with the game behind its #; null where that would be too long. */
function addressOf({ bundle, game }: NonNullable<ReturnType<Shared>>): string | null {
  const end = linkOf(encodeURIComponent(bundle), game);
  return end && `${location.origin}${location.pathname}${location.search}#${end}`;
}

const textOf = ({ game }: NonNullable<ReturnType<Shared>>): string => sgfOf(game) ?? lineOf(game);

/** Hand a text to another app where the system can, else to the clipboard; else show it, to be copied by hand. */
async function share(text: string): Promise<void> {
  const [done, isLink] = [byId("share-done"), text.startsWith(location.origin)];
  put(done, "");
  if (typeof navigator.share === "function") {
    // Who changes their mind has shared nothing, and wants nothing instead.
    await navigator.share(isLink ? { url: text } : { text }).catch(() => undefined);
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    put(done, say(isLink ? "link_copied" : "moves_copied"));
  } catch {
    put(done, text);
  }
}
