/** The moves that a search considers, beside the board: each with its share of the visits and what it is worth. */

import { percent, say } from "../../texts/Speech";
import type { Analysis } from "../../worker/Messages";
import { signed } from "../boards/Board";
import { byId, element } from "../dom/Dom";

/** What a game is counted in, over the figures of its candidates; of any other one chances alone are known. */
const COUNTED: Readonly<Record<string, () => string>> = {
  go: () => say("candidate_points"),
  dots_and_boxes: () => say("candidate_boxes"),
  reversi: () => say("candidate_discs"),
};

/** The share of the visits of each candidate, by action. */
export function sharesOf({ candidates, visits }: Analysis): ReadonlyMap<number, number> {
  return new Map(candidates.map((each) => [each.action, each.visits / (visits || 1)]));
}

/** The win rate of each candidate, by action; null where the network has no value to tell them by. */
export function ratesOf({ candidates, seen }: Analysis): ReadonlyMap<number, number> | null {
  return seen && new Map(candidates.map(({ action, winRate }) => [action, winRate]));
}

/**
 * The candidates that nothing is known to be better than, the first one first: those that win as often as it, to the
 * percent that is shown, were looked at long enough to say so, and lose no points against it. Where some moves are proven
 * to be best no other is.
 */
export function bestOf(
  { candidates, seen, proven }: Analysis,
  points: ReadonlyMap<number, number> | null,
): readonly number[] {
  const [first] = candidates;
  if (!first) return [];
  const percentOf = ({ winRate }: typeof first): number => Math.round(100 * winRate);
  const isEqual = (each: typeof first): boolean =>
    seen ? percentOf(each) === percentOf(first) && 4 * each.visits >= first.visits : each.visits === first.visits;
  const worth = ({ action }: typeof first): number => points?.get(action) ?? 0;
  const isProven = ({ action }: typeof first): boolean => proven?.includes(action) ?? true;
  return candidates
    .filter((each) => isProven(each) && isEqual(each) && worth(each) >= worth(first))
    .map(({ action }) => action);
}

/** What the last column says: a heading, and a figure a move, which is what the disc on the board says of it. */
export function worthsOf(
  found: Analysis,
  points: ReadonlyMap<number, number> | null,
  game: string,
): { readonly heading: string; readonly of: (action: number) => string } | null {
  const counted = COUNTED[game];
  if (points && counted) return { heading: counted(), of: (action) => signed(points.get(action) ?? 0) };
  const rates = ratesOf(found);
  return rates && { heading: say("candidate_rate"), of: (action) => percent(rates.get(action) ?? 0) };
}

/** List them; `point` hears which one a pointer is on, and null where it is on none any more. */
export function displayCandidates(
  found: Analysis | null,
  worths: ReturnType<typeof worthsOf>,
  nameOf: (action: number) => string,
  point: (action: number | null) => void,
): void {
  const table = byId("candidates");
  table.hidden = found === null || found.candidates.length === 0;
  if (!found) {
    table.replaceChildren();
    return;
  }
  const shares = sharesOf(found);
  const head = (text: string): HTMLElement => element("th", { scope: "col" }, text);
  const columns = [say("candidate_visits"), ...(worths ? [worths.heading] : [])];
  table.replaceChildren(
    element("caption", {}, say("candidates")),
    element("tr", {}, head(say("candidate_move")), ...columns.map(head)),
    ...found.candidates.map(({ action, visits }, at) =>
      pointing(
        action,
        point,
        element("th", { scope: "row" }, nameOf(action), ...lineAfter(found.lines[at] ?? [], nameOf)),
        element("td", {}, `${visits} (${percent(shares.get(action) ?? 0)})`),
        ...(worths ? [element("td", {}, worths.of(action))] : []),
      ),
    ),
  );
}

/** How the search thinks that a move goes on, in small. */
function lineAfter(line: readonly number[], nameOf: (action: number) => string): HTMLElement[] {
  if (line.length === 0) return [];
  return [element("small", {}, say("candidate_line", line.map(nameOf).join(say("board_comma"))))];
}

/** A row whose place on the board lights up under the pointer. */
function pointing(action: number, point: (action: number | null) => void, ...cells: HTMLElement[]): HTMLElement {
  const row = element("tr", {}, ...cells);
  row.addEventListener("pointerenter", () => point(action));
  row.addEventListener("pointerleave", () => point(null));
  return row;
}
