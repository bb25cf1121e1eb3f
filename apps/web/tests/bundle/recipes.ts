/** Bad bundles, made of a good one as mobile_assets/fixtures/bad_bundles.json says; docs/fixtures.md describes it. */

import type { Edit, Recipe } from "../engine/fixtures";
import { asJson, type Files, hash, seal, tiny } from "./tiny";

const NAMES = { manifest: "manifest.json", golden: "golden.json", model: "tiny_tfjs/group1-shard1of1.bin" };
const INDEX = "index.json";

/** The files of a page's folder of bundles, by their paths: the index, and the bundle. */
export function made(recipe: Recipe): Files {
  const good = tiny();
  let files = edit(edit(good, recipe, "golden"), recipe, "model");
  if (recipe.sealed) files = seal(files);
  files = edit(files, recipe, "manifest");
  const manifest = (recipe.sealed ? files : good).get(NAMES.manifest) ?? Buffer.alloc(0);
  const entry = {
    name: "tiny",
    title: "Tic-tac-toe (tiny)",
    game: "tictactoe",
    settings: {},
    artifact: "tiny_tfjs",
    format: "tfjs",
    files: [{ path: NAMES.manifest, sha256: hash(manifest), size: manifest.length }],
    problems: [],
  };
  const all: Files = new Map([...files].map(([path, bytes]) => [`tiny/${path}`, bytes]));
  all.set(INDEX, asJson({ schema_version: 2, bundles: [entry] }));
  return edits(all, recipe, "index", INDEX);
}

function edit(files: Files, recipe: Recipe, file: keyof typeof NAMES): Files {
  return edits(files, recipe, file, NAMES[file]);
}

function edits(files: Files, { edits: all }: Recipe, file: Edit["file"], path: string): Files {
  const changed = new Map(files);
  for (const edit of all.filter((each) => each.file === file)) {
    if (edit.do === "remove") changed.delete(path);
    else changed.set(path, after(changed.get(path) ?? Buffer.alloc(0), edit));
  }
  return changed;
}

/** What an edit makes of a file. */
function after(bytes: Buffer, edit: Edit): Buffer {
  const text = String(bytes);
  const [first, last, middle] = [text.indexOf("{") + 1, text.lastIndexOf("}"), bytes.length >> 1];
  switch (edit.do) {
    case "cut":
      return bytes.subarray(0, middle);
    case "change":
      return Buffer.from(bytes.map((byte, at) => (at === middle ? byte ^ 1 : byte)));
    case "write":
      return Buffer.from(edit.text ?? "");
    case "fill":
      return Buffer.from((edit.text ?? "").repeat(edit.times ?? 0));
    case "replace":
      if (!text.includes(edit.old ?? "")) throw new Error(`there is no ${edit.old}.`);
      return Buffer.from(text.replace(edit.old ?? "", edit.new ?? ""));
    case "begin":
      return Buffer.from(text.slice(0, first) + edit.text + text.slice(first));
    case "end":
      return Buffer.from(text.slice(0, last) + edit.text + text.slice(last));
    default: {
      const data = JSON.parse(text) as Members;
      change(data, edit.at ?? [], edit);
      return asJson(data);
    }
  }
}

type Members = Record<string | number, unknown>;

/** Put another value at a place, or take what is there away. */
function change(data: Members, [first = "", ...rest]: readonly (string | number)[], edit: Edit): void {
  for (const place of first === "*" ? Object.keys(data) : [first]) {
    if (rest.length) change(data[place] as Members, rest, edit);
    else if (edit.do === "set") data[place] = edit.value;
    else delete data[place];
  }
}
