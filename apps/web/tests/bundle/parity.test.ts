/** The networks of the bundles in build/bundles, in TF.js on the cpu backend, against the fixtures' parity.json. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { check } from "../../src/bundle/Store";
import { use } from "../../src/worker/Backends";
import { Network } from "../../src/worker/Network";
import { TfModel } from "../../src/worker/TfModel";
import { NAMES, stateAfter } from "../engine/fixtures";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface Parity {
  readonly checkpoint_sha256: string;
  readonly tolerance: number;
  readonly states: readonly {
    readonly actions: readonly number[];
    readonly value?: number;
    readonly policy: readonly number[];
  }[];
}

const json = (path: string): unknown => JSON.parse(readFileSync(ROOT + path, "utf8"));
const parityOf = (name: string): Parity => json(`mobile_assets/fixtures/${name}/parity.json`) as Parity;

/** Whether the bundle is there, of the checkpoint that the fixture was made with. */
function built(name: string): boolean {
  const path = `build/bundles/${name}/manifest.json`;
  if (!existsSync(ROOT + path)) return false;
  const { checkpoint } = json(path) as { checkpoint: { sha256: string } };
  return checkpoint.sha256 === parityOf(name).checkpoint_sha256;
}

const missing = NAMES.filter((name) => !built(name));
if (missing.length)
  console.info(`not compared with parity.json, for \`make bundles\` has not made them (anew): ${missing.join(", ")}.`);

async function open(name: string): Promise<Bundle> {
  const manifest = readFileSync(`${ROOT}build/bundles/${name}/manifest.json`);
  return Bundle.open(name, { path: "manifest.json", sha256: "", size: manifest.length }, async (path, file) => {
    const bytes = Uint8Array.from(readFileSync(`${ROOT}build/bundles/${name}/${path}`)).buffer;
    if (path !== "manifest.json") await check(bytes, file, name);
    return bytes;
  });
}

/** The largest difference; a move without an output, such as a forced pass, is NaN in both. */
function furthest(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  const far = (number: number, at: number): number => Math.abs((found[at] ?? NaN) - number);
  return Math.max(...Array.from(expected, (number, at) => (Object.is(number, found[at]) ? 0 : far(number, at))));
}

describe.each(NAMES)("the network of %s", (name) => {
  const parity = parityOf(name);

  it.skipIf(!built(name))("answers in TF.js as the original does", async () => {
    await use("cpu");
    const bundle = await open(name);
    const { manifest, playing } = bundle;
    if (!playing) throw new Error(bundle.problems.join());
    const network = new Network(await TfModel.load(manifest, await bundle.graph()), manifest, playing);
    for (const { actions, value, policy } of parity.states) {
      const state = stateAfter(name, {}, actions);
      const [found] = await network.evaluate([state]);
      const expected = playing.reading.policy(policy, state) ?? [];
      expect(furthest(found?.policy ?? [], expected)).toBeLessThanOrEqual(parity.tolerance);
      if (value !== undefined) expect(Math.abs((found?.value ?? NaN) - value)).toBeLessThanOrEqual(parity.tolerance);
    }
    network.model.dispose();
  });
});
