/** The self-test beside the board: run on each backend in turn; its table is loaded once there is one to show. */

import type { Entry } from "../../bundle/Index";
import { type Sentence, sentenceOf } from "../../texts/Sentence";
import { say, sayThis } from "../../texts/Speech";
import { type Subject, TF_BACKENDS } from "../../worker/Messages";
import type { Client } from "../bundles/Client";
import { byId } from "../dom/Dom";
import { tell } from "../dom/Labels";
import { NAME_OF } from "../words/Words";
import type { Result } from "./SelfTestTable";

// How long the network, and the search, are measured on each backend.
const SECONDS = 1;

let runs = 0;
// Those of the bundle that is open.
let backends: readonly Subject[] = TF_BACKENDS;
// What the table says.
let shown: ReadonlyMap<Subject, Result> = new Map();
// Whether the person had the self-test open beside a board; null while one is there.
let wasOpen: boolean | null = null;

/** Forget what was found, and what a test that is under way will find. */
export function clearSelfTest(): void {
  runs++;
  shown = new Map();
  tell("test-status", null);
  byId("results").hidden = true;
  byId("test-refusals").replaceChildren();
  document.getElementById("share-found")?.remove();
  byId<HTMLButtonElement>("test").disabled = false;
}

/** Open the self-test where it is all that a bundle has, and say why where it cannot run, on any of these backends. */
export function prepareSelfTest(
  isAlone: boolean,
  untestable: Sentence | null,
  on: readonly Subject[] = TF_BACKENDS,
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

/** Test the bundle that is open, which is `entry`'s. */
export async function runSelfTest(client: Client, entry: Entry | null): Promise<void> {
  clearSelfTest();
  const run = runs;
  const results = new Map<Subject, Result>();
  byId<HTMLButtonElement>("test").disabled = true;
  byId("results").hidden = false;
  for (const backend of backends) {
    tell("test-status", () => say("testing_backend", NAME_OF[backend]));
    retellSelfTest();
    results.set(backend, await client.ask("test", { backend, seconds: SECONDS }).catch(sentenceOf));
    if (run !== runs) return;
    shown = results;
  }
  const passed = [...results.values()].filter((each) => "passed" in each && each.passed).length;
  tell("test-status", () => say("self_test_done", passed, results.size));
  retellSelfTest();
  if (entry) void import("./SelfTestText").then(({ offerText }) => offerText(entry, results));
  byId<HTMLButtonElement>("test").disabled = false;
}

/** Say what is known, in the language of the page. */
export function retellSelfTest(): void {
  if (byId("results").hidden) return;
  void import("./SelfTestTable").then(({ showTable }) => showTable(backends, shown));
}
