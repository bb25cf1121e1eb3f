/** Bundles in the folder $AZX_WALKED, each with the doubts that Python says of it: this app says the same of each. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { Bundle } from "../../src/bundle/Bundle";
import { sayDoubt } from "../../src/page/bundles/Readings";
import { hash } from "./tiny";

const FOLDER = process.env.AZX_WALKED ?? "";

it.runIf(FOLDER !== "")("says of every bundle what Python says", async () => {
  const said = JSON.parse(readFileSync(`${FOLDER}/doubts.json`, "utf8")) as Record<string, readonly string[]>;
  const names = readdirSync(FOLDER).filter((name) => name !== "doubts.json");
  expect(names.sort()).toEqual(Object.keys(said).sort());
  for (const name of names) {
    const manifest = readFileSync(`${FOLDER}/${name}/manifest.json`);
    const entry = { path: "manifest.json", sha256: hash(manifest), size: manifest.length };
    const { doubt, playing } = await Bundle.open(
      name,
      entry,
      async (path) => Uint8Array.from(readFileSync(`${FOLDER}/${name}/${path}`)).buffer as ArrayBuffer,
    );
    // Of what it cannot play it says why, and nothing else.
    if (playing) expect([name, ...(doubt ? [sayDoubt(doubt)] : [])]).toEqual([name, ...(said[name] ?? [])]);
  }
});
