/** What is said of moves that are equally good. */

import { percent, say } from "../../texts/Speech";

/** How many of them a sentence names; the board marks all. */
const MOST = 4;

/** `isAll` if these are all moves, `isProven` if that is proven; `rate` is the person's chance, null if unknown. */
export function sayEqual(
  names: readonly string[],
  { isAll, isProven, rate }: { readonly isAll: boolean; readonly isProven: boolean; readonly rate: number | null },
): string {
  const comma = names.some((name) => name.includes(", ")) ? "; " : say("board_comma");
  const named = [...names.slice(0, MOST), ...(names.length > MOST ? ["…"] : [])].join(comma);
  const moves = isAll ? say("hint_all") : named;
  if (isProven) return say("hint_equal_proven", moves);
  return rate === null ? say("hint_equal", moves) : say("hint_equal_rate", moves, percent(rate));
}
