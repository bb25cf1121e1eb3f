/** The self-test's table: a column for each backend, so that all its figures fit beside the board. */

import { BACKENDS, type BackendName, type Tested } from "../worker/Messages";
import type { Client } from "./Client";
import { byId, element, say } from "./Dom";

// How long the network, and the search, are measured on each backend.
const SECONDS = 1;

const count = (number: number): string => Math.round(number).toLocaleString("en");

const FIGURES: readonly (readonly [string, (found: Tested) => string])[] = [
  ["Result", ({ passed }) => (passed ? "pass" : "FAIL")],
  ["Largest error", ({ largestError }) => largestError.toExponential(1)],
  ["Best move", ({ sameBest, withBest }) => (withBest ? `${sameBest} of ${withBest}` : "–")],
  ["ms a position", ({ milliseconds }) => milliseconds.toFixed(2)],
  ["Evaluations / s", ({ evaluationsPerSecond }) => count(evaluationsPerSecond)],
  ["Playouts / s", ({ playoutsPerSecond }) => (playoutsPerSecond === null ? "–" : count(playoutsPerSecond))],
];

/** What is known of each backend: figures, or the sentence that says why there are none. */
type Found = ReadonlyMap<BackendName, Tested | string>;

let runs = 0;
// Whether the person had the self-test open beside a board; null while one is there.
let wasOpen: boolean | null = null;

/** Forget what was found, and what a test that is under way will find. */
export function clearSelfTest(): void {
  runs++;
  show(new Map());
  byId("results").hidden = true;
  say(byId("test-status"), "");
  byId<HTMLButtonElement>("test").disabled = false;
}

/** Open the self-test where it is all that a bundle has, and say why where it cannot run. */
export function prepareSelfTest(isAlone: boolean, untestable: string | null): void {
  const panel = byId<HTMLDetailsElement>("self-test");
  if (isAlone && wasOpen === null) wasOpen = panel.open;
  panel.open = isAlone || (wasOpen ?? panel.open);
  if (!isAlone) wasOpen = null;
  byId("test").hidden = untestable !== null;
  say(byId("test-status"), untestable === null ? "" : `The self-test cannot run. ${untestable}`);
}

/** Run the self-test on every backend. */
export async function runSelfTest(client: Client): Promise<void> {
  clearSelfTest();
  const run = runs;
  const found = new Map<BackendName, Tested | string>();
  byId<HTMLButtonElement>("test").disabled = true;
  byId("results").hidden = false;
  for (const backend of BACKENDS) {
    say(byId("test-status"), `Testing ${backend} …`);
    found.set(backend, await client.ask("test", { backend, seconds: SECONDS }).catch((error: Error) => error.message));
    if (run !== runs) return;
    show(found);
  }
  const passed = [...found.values()].filter((each) => typeof each !== "string" && each.passed).length;
  say(byId("test-status"), `Self-test done: passed on ${passed} of ${BACKENDS.length} backends.`);
  byId<HTMLButtonElement>("test").disabled = false;
}

function show(found: Found): void {
  const heads = BACKENDS.map((backend) => head(backend, found.get(backend)));
  const rows = FIGURES.map(([name, figure]) => {
    const cells = BACKENDS.map((backend) => cell(found.get(backend), figure));
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  byId("results").replaceChildren(element("tr", {}, element("th", { scope: "row" }, "Backend"), ...heads), ...rows);
  // What is wrong with the bundle is the same on every backend.
  const refusals = new Set([...found.values()].filter((each) => typeof each === "string"));
  byId("test-refusals").replaceChildren(...[...refusals].map((sentence) => element("p", {}, sentence)));
}

function head(backend: BackendName, found: Tested | string | undefined): HTMLElement {
  const made = element("th", { scope: "col" }, backend);
  made.dataset.backend = backend;
  if (found) made.dataset.tested = typeof found === "string" ? "" : JSON.stringify(found);
  return made;
}

function cell(found: Tested | string | undefined, figure: (found: Tested) => string): HTMLElement {
  if (!found) return element("td", {}, "…");
  if (typeof found === "string") return element("td", {}, "–");
  const text = figure(found);
  return element("td", { class: { pass: "passed", FAIL: "failed" }[text] ?? null }, text);
}
