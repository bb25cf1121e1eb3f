/** Tests that take long. Of those a run has the share that AZX_WHOLE names, as 2/5 does the second of five; else all. */

import { createHash } from "node:crypto";
import { it, type TestOptions } from "vitest";

const [NUMBER = 1, COUNT = 1] = (process.env.AZX_WHOLE || "1/1").split("/").map(Number);

/** Whether a test is in this run's share, by its name alone: on every machine the same. */
const isDrawn = (name: string): boolean =>
  createHash("sha256").update(name).digest().readUInt32BE() % COUNT === NUMBER - 1;

/** `it` for a test that takes long, and guards what seldom changes or what other tests guard in part. */
export function wholeIt(name: string, test: () => Promise<void>, options: TestOptions = {}): void {
  it.skipIf(!isDrawn(name))(name, options, test);
}
