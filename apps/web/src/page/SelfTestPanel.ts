/** The self-test's table: a column for each backend, so that all its figures fit beside the board; LiteRT.js's below TF.js's. */

import { type Sentence, sentenceOf } from "../texts/Sentence";
import { number, say, sayThis } from "../texts/Speech";
import { type BackendName, isOnLite, PRECISION_OF, type Tested, TF_BACKENDS } from "../worker/Messages";
import type { Client } from "./Client";
import { byId, element } from "./Dom";
import { tell } from "./Labels";
import { LITERT, NAME_OF } from "./Words";

// How long the network, and the search, are measured on each backend.
const SECONDS = 1;

const whole = (figure: number): string => number(Math.round(figure));

const FIGURES = [
  ["result", ({ passed }: Tested) => say(passed ? "passed" : "failed")],
  ["largest_error", ({ largestError }: Tested) => largestError.toExponential(1)],
  ["best_move", ({ sameBest, withBest }: Tested) => (withBest ? say("count_of", sameBest, withBest) : say("unknown"))],
  ["ms_p50", ({ milliseconds }: Tested) => milliseconds.toFixed(2)],
  ["evaluations_second", ({ evaluationsPerSecond }: Tested) => whole(evaluationsPerSecond)],
  [
    "playouts_second",
    ({ playoutsPerSecond }: Tested) => (playoutsPerSecond === null ? say("unknown") : whole(playoutsPerSecond)),
  ],
] as const;

/** What is known of a backend: figures, or why there are none. */
type Result = Tested | Sentence;

const isTested = (result: Result): result is Tested => "passed" in result;

let runs = 0;
// Those of the bundle that is open.
let backends: readonly BackendName[] = TF_BACKENDS;
// What the table says.
let shown: ReadonlyMap<BackendName, Result> = new Map();
// Whether the person had the self-test open beside a board; null while one is there.
let wasOpen: boolean | null = null;

/** Forget what was found, and what a test that is under way will find. */
export function clearSelfTest(): void {
  runs++;
  shown = new Map();
  tell("test-status", null);
  retellSelfTest();
  byId("results").hidden = true;
  byId<HTMLButtonElement>("test").disabled = false;
}

/** Open the self-test where it is all that a bundle has, and say why where it cannot run, on any of these backends. */
export function prepareSelfTest(
  isAlone: boolean,
  untestable: Sentence | null,
  on: readonly BackendName[] = TF_BACKENDS,
): void {
  backends = on;
  const panel = byId<HTMLDetailsElement>("self-test");
  if (isAlone && wasOpen === null) wasOpen = panel.open;
  panel.open = isAlone || (wasOpen ?? panel.open);
  if (!isAlone) wasOpen = null;
  byId("test").hidden = untestable !== null;
  tell("test-status", untestable && (() => say("self_test_refused", sayThis(untestable))));
  retellSelfTest();
}

export async function runSelfTest(client: Client): Promise<void> {
  clearSelfTest();
  const run = runs;
  const found = new Map<BackendName, Result>();
  byId<HTMLButtonElement>("test").disabled = true;
  byId("results").hidden = false;
  for (const backend of backends) {
    tell("test-status", () => say("testing_backend", NAME_OF[backend]));
    retellSelfTest();
    found.set(backend, await client.ask("test", { backend, seconds: SECONDS }).catch(sentenceOf));
    if (run !== runs) return;
    shown = found;
  }
  const passed = [...found.values()].filter((each) => isTested(each) && each.passed).length;
  tell("test-status", () => say("self_test_done", passed, found.size));
  retellSelfTest();
  byId<HTMLButtonElement>("test").disabled = false;
}

/** Say what is known, in the language of the page. */
export function retellSelfTest(): void {
  const [tf, lite] = [backends.filter((each) => !isOnLite(each)), backends.filter(isOnLite)];
  byId("results").replaceChildren(...rowsOf(tf, say("backend")), ...(lite.length ? rowsOf(lite, LITERT) : []));
  // What is wrong with the bundle is the same on every backend.
  const refusals = new Set([...shown.values()].flatMap((each) => (isTested(each) ? [] : sayThis(each))));
  byId("test-refusals").replaceChildren(...[...refusals].map((refusal) => element("p", {}, refusal)));
}

/** A part of the table: the backends' names behind `title`, and their figures; as wide as the other part. */
function rowsOf(part: readonly BackendName[], title: string): readonly HTMLElement[] {
  const blanks = (): readonly HTMLElement[] =>
    Array.from({ length: TF_BACKENDS.length - part.length }, () => element("td", {}));
  const heads = [...part.map((backend) => head(backend, shown.get(backend))), ...blanks()];
  const rows = FIGURES.map(([name, figure]) => {
    const cells = part.map((backend) => cell(shown.get(backend), name, figure));
    return element("tr", {}, element("th", { scope: "row" }, say(name)), ...cells, ...blanks());
  });
  return [element("tr", {}, element("th", { scope: "row" }, title), ...heads), ...rows];
}

function head(backend: BackendName, found: Result | undefined): HTMLElement {
  const made = element(
    "th",
    { scope: "col" },
    isOnLite(backend) ? PRECISION_OF[backend].replace("-dynamic", "") : backend,
  );
  made.dataset.backend = backend;
  if (found) made.dataset.tested = isTested(found) ? JSON.stringify(found) : "";
  return made;
}

function cell(found: Result | undefined, name: string, figure: (found: Tested) => string): HTMLElement {
  if (!found) return element("td", {}, "…");
  if (!isTested(found)) return element("td", {}, say("unknown"));
  const kind = name === "result" ? (found.passed ? "passed" : "failed") : null;
  return element("td", { class: kind }, figure(found));
}
