/** The moves that a search considers, beside the board: each with its share of the visits and its win rate. */

import { percent, say } from "../../texts/Speech";
import type { Analysis } from "../../worker/Messages";
import { byId, element } from "../Dom";

/** The share of the visits of each candidate, by action. */
export function sharesOf({ candidates, visits }: Analysis): ReadonlyMap<number, number> {
  return new Map(candidates.map((each) => [each.action, each.visits / (visits || 1)]));
}

/** The win rate of each candidate, by action; null where the network has no value to tell them by. */
export function ratesOf({ candidates, seen }: Analysis): ReadonlyMap<number, number> | null {
  return seen && new Map(candidates.map(({ action, winRate }) => [action, winRate]));
}

export function displayCandidates(found: Analysis | null, nameOf: (action: number) => string): void {
  const table = byId("candidates");
  table.hidden = found === null || found.candidates.length === 0;
  if (!found) {
    table.replaceChildren();
    return;
  }
  const [shares, rates] = [sharesOf(found), ratesOf(found)];
  const head = (text: string): HTMLElement => element("th", { scope: "col" }, text);
  const columns = [say("candidate_visits"), ...(rates ? [say("candidate_rate")] : [])];
  table.replaceChildren(
    element("caption", {}, say("candidates")),
    element("tr", {}, head(say("candidate_move")), ...columns.map(head)),
    ...found.candidates.map(({ action, visits, winRate }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, nameOf(action)),
        element("td", {}, `${visits} (${percent(shares.get(action) ?? 0)})`),
        ...(rates ? [element("td", {}, percent(winRate))] : []),
      ),
    ),
  );
}
