/** The self-test's table. */

import { BACKENDS, type BackendName, type Tested } from "../worker/Messages";
import type { Client } from "./Client";
import { byId, element, say } from "./Dom";

// How long the network, and the search, are measured on each backend.
const SECONDS = 1;

/** Run the self-test on every backend, a row for each. */
export async function runSelfTest(client: Client): Promise<void> {
  const button = byId<HTMLButtonElement>("test");
  button.disabled = true;
  byId("results").replaceChildren();
  let passed = 0;
  for (const backend of BACKENDS) {
    say(byId("test-status"), `Testing ${backend} …`);
    const found = await client.ask("test", { backend, seconds: SECONDS }).catch((error: Error) => error.message);
    if (typeof found !== "string" && found.passed) passed++;
    byId("results").append(typeof found === "string" ? refused(backend, found) : row(found));
  }
  say(byId("test-status"), `Self-test done: passed on ${passed} of ${BACKENDS.length} backends.`);
  button.disabled = false;
}

function row(found: Tested): HTMLElement {
  const cells = [
    found.backend,
    found.passed ? "pass" : "FAIL",
    found.largestError.toExponential(1),
    found.withBest ? `${found.sameBest} of ${found.withBest}` : "–",
    found.milliseconds.toFixed(2),
    Math.round(found.evaluationsPerSecond).toLocaleString("en"),
    Math.round(found.playoutsPerSecond).toLocaleString("en"),
  ];
  const made = element("tr", { class: found.passed ? "passed" : "failed" }, ...cells.map((text) => element("td", {}, text)));
  made.dataset.tested = JSON.stringify(found);
  return made;
}

function refused(backend: BackendName, sentence: string): HTMLElement {
  return element("tr", { class: "absent" }, element("td", {}, backend), element("td", { colspan: 6 }, sentence));
}
