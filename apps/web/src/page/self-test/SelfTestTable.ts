/**
 * The self-test's table: a column for each backend, so that all its figures fit beside the board; below TF.js's what plays
 * in a lower precision, and LiteRT.js's.
 */

import type { Sentence } from "../../texts/Sentence";
import { number, say, sayThis } from "../../texts/Speech";
import { isOnLite, isSmall, PRECISION_OF, type Subject, type TestResult, TF_BACKENDS } from "../../worker/Messages";
import { byId, element } from "../dom/Dom";
import { LITERT, shortOf } from "../words/Words";
import "./self-test.css";

/** What is known of a backend: figures, or why there are none. */
export type Result = TestResult | Sentence;

const isTested = (result: Result): result is TestResult => "passed" in result;

const whole = (figure: number): string => number(Math.round(figure));

const FIGURES = [
  ["result", ({ passed }: TestResult) => say(passed ? "passed" : "failed")],
  ["largest_error", ({ largestError }: TestResult) => largestError.toExponential(1)],
  [
    "best_move",
    ({ sameBest, withBest }: TestResult) => (withBest ? say("count_of", sameBest, withBest) : say("unknown")),
  ],
  ["ms_p50", ({ milliseconds }: TestResult) => milliseconds.toFixed(2)],
  ["evaluations_second", ({ evaluationsPerSecond }: TestResult) => whole(evaluationsPerSecond)],
  [
    "playouts_second",
    ({ playoutsPerSecond }: TestResult) => (playoutsPerSecond === null ? say("unknown") : whole(playoutsPerSecond)),
  ],
] as const;

/** Show what is known of each backend; what is wrong with the bundle is said once, below. */
export function showTable(backends: readonly Subject[], shown: ReadonlyMap<Subject, Result>): void {
  const tf = backends.filter((each) => !isOnLite(each) && !isSmall(each));
  const [small, lite] = [backends.filter(isSmall), backends.filter(isOnLite)];
  byId("results").replaceChildren(
    ...rowsOf(tf, say("backend"), shown),
    ...(small.length ? rowsOf(small, "TF.js", shown) : []),
    ...(lite.length ? rowsOf(lite, LITERT, shown) : []),
  );
  const refusals = new Set([...shown.values()].flatMap((each) => (isTested(each) ? [] : sayThis(each))));
  byId("test-refusals").replaceChildren(...[...refusals].map((refusal) => element("p", {}, refusal)));
}

/** A part of the table: the backends' names behind `title`, and their figures; as wide as the other part. */
function rowsOf(part: readonly Subject[], title: string, shown: ReadonlyMap<Subject, Result>): readonly HTMLElement[] {
  const blanks = (): readonly HTMLElement[] =>
    Array.from({ length: TF_BACKENDS.length - part.length }, () => element("td", {}));
  const heads = [...part.map((backend) => head(backend, shown.get(backend))), ...blanks()];
  const rows = FIGURES.map(([name, figure]) => {
    const cells = part.map((backend) => cell(shown.get(backend), name, figure));
    return element("tr", {}, element("th", { scope: "row" }, say(name)), ...cells, ...blanks());
  });
  return [element("tr", {}, element("th", { scope: "row" }, title), ...heads), ...rows];
}

function head(backend: Subject, found: Result | undefined): HTMLElement {
  const made = element("th", { scope: "col" }, shortOf(isOnLite(backend) ? PRECISION_OF[backend] : backend));
  made.dataset.backend = backend;
  if (found) made.dataset.tested = isTested(found) ? JSON.stringify(found) : "";
  return made;
}

function cell(found: Result | undefined, name: string, figure: (found: TestResult) => string): HTMLElement {
  if (!found) return element("td", {}, "…");
  if (!isTested(found)) return element("td", {}, say("unknown"));
  const kind = name === "result" ? (found.passed ? "passed" : "failed") : null;
  return element("td", { class: kind }, figure(found));
}
