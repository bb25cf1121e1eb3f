/** The moves that a search considers, beside the board: each with its share of the visits and what it is worth. */

import type { Panel } from "../../engine/review/Panel";
import { percent, say } from "../../texts/Speech";
import type { Analysis } from "../../worker/Messages";
import { signed } from "../boards/Board";
import { byId, element } from "../dom/Dom";
import { sharesOf } from "./Shares";

/** What a game is counted in, over the figures of its candidates; of any other one chances alone are known. */
const COUNTED: Readonly<Record<string, () => string>> = {
  go: () => say("candidate_points"),
  dots_and_boxes: () => say("candidate_boxes"),
  reversi: () => say("candidate_discs"),
};

/** What the last column says: a heading, and a figure a move, which is what the disc on the board says of it. */
export function worthsOf(
  { options, figure }: Pick<Panel, "options" | "figure">,
  game: string,
): { readonly heading: string; readonly of: (action: number) => string } | null {
  const counted = COUNTED[game];
  const optionOf = (action: number): Panel["options"][number] | undefined =>
    options.find((each) => each.action === action);
  if (counted && options.some(({ loss }) => loss !== null))
    return { heading: counted(), of: (action) => signed(0 - (optionOf(action)?.loss ?? 0)) };
  if (figure?.unit !== "chance" || figure.source === "earlier") return null;
  return { heading: say("candidate_rate"), of: (action) => percent(optionOf(action)?.value ?? 0) };
}

/** List them; `point` hears which one a pointer is on, and null if it is on none any more. */
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
