/** Bundles whose hashes are sound and whose networks cannot be run, or may not be: one sentence each, which names the bundle. */

import { expect, it } from "vitest";

import { asJson, below, changeFile, type Files, packZip, seal, tiny } from "../bundle/tiny";
import { noteQuestions, screenshot } from "./browser";
import { inBrowser, openBundle, play, textOf } from "./person";

interface Node {
  readonly name: string;
  op: string;
  input?: string[];
}

/** The bundle with the graph's nodes changed, and its manifest written anew. */
function withNodes(change: (nodes: Node[]) => readonly Node[]): Files {
  return seal(
    changeFile(tiny(), "tiny_tfjs/model.json", (bytes) => {
      const model = JSON.parse(bytes.toString()) as { modelTopology: { node: Node[] } };
      return asJson({ ...model, modelTopology: { ...model.modelTopology, node: change(model.modelTopology.node) } });
    }),
  );
}

const rename = (name: string, more: Partial<Node>) => (nodes: Node[]) =>
  nodes.map((node) => (node.name === name ? { ...node, ...more } : node));

const BROKEN: readonly (readonly [string, Files])[] = [
  ["an operation that is none", withNodes(rename("moves", { op: "Frobnicate" }))],
  ["an output that is not there", withNodes((nodes) => nodes.filter(({ name }) => name !== "moves"))],
  ["an input that is not there", withNodes(rename("moves", { input: ["nobody", "bias"] }))],
  ["an operation without its inputs", withNodes(rename("moves", { input: [] }))],
  [
    "weights of a kind that is none",
    seal(
      changeFile(tiny(), "tiny_tfjs/model.json", (bytes) => Buffer.from(bytes.toString().replace('"float32"', '"f"'))),
    ),
  ],
  [
    "nodes that are none",
    seal(
      changeFile(tiny(), "tiny_tfjs/model.json", () =>
        asJson({ format: "graph-model", modelTopology: { node: [null, 1] }, weightsManifest: [] }),
      ),
    ),
  ],
];

inBrowser("a bundle with sound hashes", ({ visit }) => {
  it.each(BROKEN)("and %s is refused in one sentence", async (_, files) => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.click("#open");
      await page.locator("#opener[open]").waitFor();
      const file = { name: "tiny.zip", mimeType: "application/zip", buffer: packZip(below("tiny", files)) };
      await page.setInputFiles("#open-file", file);
      await page.locator("#alert:visible").waitFor();
      const sentence = await textOf(page, "alert");
      console.info(sentence);
      expect(sentence).toMatch(/^Bundle 'tiny'.*: (do not use it, export its checkpoint|export the bundle) again\.$/);
      expect(sentence).not.toMatch(/undefined|null|not a function|github|https?:|Unknown op/);
      // Another bundle is played all the same.
      await page.click("#bundle-connect4");
      await openBundle(page, "tictactoe", "policy");
      await play(page, "tictactoe", 1);
    });
  });
});

/** Runs in the page: drop these files of a folder, as a person does. */
function drop(files: readonly (readonly [string, string])[]): void {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name));
  }
  document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

inBrowser("a bundle that does more than calculate", ({ visit }) => {
  it.each([
    ["draws lots", rename("moves", { op: "RandomUniform" }), "its operation 'RandomUniform' (node 'moves')"],
    ["writes a file", rename("mean", { op: "WriteFile" }), "its operation 'WriteFile' (node 'mean')"],
    ["waits for another node", rename("moves", { input: ["board", "bias", "^mean"] }), "its node 'moves' has '^mean'"],
  ] as const)(
    "and %s is refused in a sentence when it is dropped: nothing of it runs, and it is not kept",
    (_, change, words) =>
      visit(async ({ page }) => {
        await openBundle(page, "tictactoe", "policy");
        const questions = await noteQuestions(page);
        await openBundle(page, "tictactoe", "policy");
        const before = (await questions()).asked;
        const zip = packZip(below("tiny", withNodes(change)));
        await page.evaluate(drop, [["tiny.zip", zip.toString("base64")]] as const);
        await page.locator("#alert", { hasText: words }).waitFor();
        const sentence = await textOf(page, "alert");
        expect(sentence).toMatch(
          /^Bundle 'tiny' was not run because .*: do not use it, export its checkpoint again\.$/,
        );
        await screenshot(page, "hostile");
        // The worker was asked to look at it, and to open nothing.
        const { asked } = await questions();
        expect(asked.slice(before.length).filter((kind) => !["stop", "keep"].includes(kind))).toEqual(["take"]);
        expect(await page.locator("#bundle-tiny").count()).toBe(0);
        await page.reload();
        await openBundle(page, "tictactoe", "policy");
        expect(await page.locator("#bundle-tiny").count()).toBe(0);
        // The game that was there goes on.
        await play(page, "tictactoe", 1);
      }),
  );

  it("is told of what lies beside its files, which is named and not opened", () =>
    visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      const more = [".DS_Store", "parity.json", "files.json", "evil.js", "tiny_tfjs/more.bin"];
      const files: Files = new Map([...tiny(), ...more.map((path) => [path, Buffer.from("{}")] as const)]);
      await page.evaluate(drop, [["tiny.zip", packZip(below("tiny", files)).toString("base64")]] as const);
      const sentence = "Bundle 'tiny': not listed in its manifest, and so not opened: evil.js, tiny_tfjs/more.bin.";
      await page.locator("#alert", { hasText: sentence }).waitFor();
      await screenshot(page, "unlisted");
      await openBundle(page, "tiny", "policy", "tictactoe");
      await play(page, "tictactoe", 1);
    }));
});
