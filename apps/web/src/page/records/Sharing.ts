/** A game handed on: as a link, and as a file. */

import { lineOf, linkOf, sgfOf, type WrittenGame } from "../../engine/records/Writing";
import { say } from "../../texts/Speech";
import { byId } from "../dom/Dom";
import { share } from "../dom/Share";
import { save } from "./RecordFile";

/** What is shared: the game, and the bundle that it is played with; null if there is none. */
export type SharedGame = () => { readonly bundle: string; readonly game: WrittenGame } | null;

export function connectSharing(shared: SharedGame): void {
  byId("share-game").addEventListener("click", () => {
    const given = shared();
    if (given) shareLink(given, byId("share-done"));
  });
  byId("save-game").addEventListener("click", () => {
    const given = shared();
    if (given) saveFile(given.game);
  });
}

/** Hand a game on as a link, or as a text where that would be too long; what was done is said at `done`. */
export function shareLink(given: NonNullable<ReturnType<SharedGame>>, done: Element): void {
  const link = addressOf(given);
  void share(link ? { url: link } : { text: textOf(given) }, done, say(link ? "link_copied" : "moves_copied"));
}

export function saveFile(game: WrittenGame): void {
  const sgf = sgfOf(game);
  save(`${game.game.name}.${sgf === null ? "txt" : "sgf"}`, sgf ?? lineOf(game));
}

/** The page's address with the game behind its #; null if that would be too long. */
function addressOf({ bundle, game }: NonNullable<ReturnType<SharedGame>>): string | null {
  const end = linkOf(encodeURIComponent(bundle), { ...game, tellsSetUp: true });
  return end && `${location.origin}${location.pathname}${location.search}#${end}`;
}

const textOf = ({ game }: NonNullable<ReturnType<SharedGame>>): string => sgfOf(game) ?? lineOf(game);
