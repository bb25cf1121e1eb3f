/** The page in WebKit, if that is installed: games are opened and played, and networks answer as the originals do. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { installedGames, whyNot } from "./browser";
import { BOARDS } from "./person";
import { type Site, serve } from "./server";
import { WebKit, whyNoWebKit } from "./webkit";

const ASSETS = fileURLToPath(new URL("../../dist/assets/", import.meta.url));
const reason = whyNot() ?? whyNoWebKit();
if (reason) console.warn(reason);

// WebKit runs a worker's first file anew for whoever imports it: of each question there were two answers.
describe.skipIf(whyNot() !== null)("the worker's first file", () => {
  it("is imported by no other", () => {
    const files = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
    const [first, ...more] = files.filter((name) => name.startsWith("worker-"));
    expect(more).toEqual([]);
    const importing = files.filter((name) => readFileSync(ASSETS + name, "utf8").includes(`./${first}`));
    expect(importing).toEqual([]);
  });
});

describe.skipIf(reason !== null)("WebKit", () => {
  let webkit: WebKit;
  let site: Site;
  beforeAll(async () => {
    [webkit, site] = [await WebKit.launch(), await serve()];
  });
  afterAll(async () => {
    await webkit?.close();
    await site?.close();
  });

  const ready = "document.querySelector('#status')?.textContent.startsWith('Tap')";

  it.each([...installedGames()])("plays %s", async (name, game) => {
    await webkit.visit(`${site.url}#${name}`);
    await webkit.wait(ready);
    await webkit.tell(`document.querySelector("#board ${BOARDS[game]}:not([aria-disabled=true])").click()`);
    await webkit.wait(`${ready} && !document.querySelector("#undo").disabled`);
    expect(await webkit.tell("document.querySelector('#alert').textContent")).toBe("");
  });

  it.each([...installedGames().keys()])("answers as the original of %s does", async (name) => {
    await webkit.visit(`${site.url}#${name}`);
    await webkit.wait("document.querySelector('#about')?.textContent.includes(' on ')");
    await webkit.tell("document.querySelector('#test').click()");
    await webkit.wait("document.querySelector('#test-status').textContent.startsWith('Self-test done')");
    for (const backend of ["wasm", "cpu"]) {
      const tested = await webkit.tell(`document.querySelector('[data-backend="${backend}"]').dataset.tested`);
      expect(JSON.parse(String(tested))).toMatchObject({ backend, passed: true, positions: 20 });
    }
  });
});
