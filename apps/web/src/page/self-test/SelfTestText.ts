/** The self-test's result as an English text to hand on. Loaded when somebody shares it. */

import type { Entry } from "../../bundle/Index";
import { MANIFEST } from "../../bundle/Needed";
import { say, sayThis } from "../../texts/Speech";
import { type Subject, TOLERANCE } from "../../worker/Messages";
import { button, byId, element } from "../dom/Dom";
import { share } from "../dom/Share";
import { NAME_OF } from "../words/Words";
import type { Result } from "./SelfTestTable";

/** What was found of the bundle on each backend. */
export function selfTestText(entry: Entry, found: ReadonlyMap<Subject, Result>): string {
  const passed = [...found.values()].every((each) => "passed" in each && each.passed);
  const manifest = entry.files.find(({ path }) => path === MANIFEST)?.sha256.slice(0, 12) ?? "unknown";
  return [
    `azx self-test: ${passed ? "PASS" : "FAIL"}`,
    `Bundle: ${entry.title} (${entry.name}, manifest ${manifest})`,
    `Browser: ${navigator.userAgent}`,
    `Largest error allowed: ${TOLERANCE.toExponential(1)}`,
    ...[...found].map(([backend, each]) => `${NAME_OF[backend]}: ${lineOf(each)}`),
  ].join("\n");
}

function lineOf(result: Result): string {
  if (!("passed" in result)) return sayThis(result);
  const { passed, positions, largestError, sameBest, withBest, milliseconds } = result;
  const { evaluationsPerSecond, playoutsPerSecond } = result;
  return [
    `${passed ? "pass" : "FAIL"} on ${positions} positions`,
    `largest error ${largestError.toExponential(1)}`,
    withBest ? `best move ${sameBest} of ${withBest}` : "no policy",
    `one evaluation ${milliseconds.toFixed(2)} ms (p50)`,
    `${Math.round(evaluationsPerSecond)} evaluations a second`,
    playoutsPerSecond === null
      ? "no playouts, it cannot be played"
      : `${Math.round(playoutsPerSecond)} playouts a second`,
  ].join(", ");
}

/** Offer below the table what was found, to be handed on; until the next test begins. */
export function offerText(entry: Entry, found: ReadonlyMap<Subject, Result>): void {
  const done = element("p", { id: "share-test-done", role: "status" });
  const copy = (): unknown => share({ text: selfTestText(entry, found) }, done, say("result_copied"));
  const handOn = button({ id: "share-test", "data-text": "share" }, copy, say("share"));
  byId("test-status").after(element("div", { id: "share-found" }, element("p", { class: "row" }, handOn), done));
}
