/** What is looked at before a runtime gets a network: hostile ones are refused by a sentence, sound ones pass. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import chinese from "../../../texts/zh-Hans.json";
import { Bundle, type Graph, type ModelJson } from "../../src/bundle/Bundle";
import { lookAtGraph } from "../../src/bundle/door/GraphDoor";
import { lookAtLite } from "../../src/bundle/door/LiteDoor";
import operators from "../../src/bundle/door/operators.json";
import { take } from "../../src/bundle/given/Given";
import type { Manifest } from "../../src/bundle/Manifest";
import { BundleError } from "../../src/texts/Sentence";
import { wordsOf } from "../texts/words";
import { byte, int, type Lite, long, tinyLite } from "./flatbuffer";
import { asJson, changeFile, type Files, seal, tiny } from "./tiny";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface Node {
  name: string;
  op: string;
  input?: unknown;
  attr?: Record<string, unknown>;
  device?: string;
}

/** Of a model.json what tests change. */
interface Model {
  signature: { inputs: Record<string, object>; outputs: Record<string, object> };
  modelTopology: { node: Node[]; library?: object };
  weightsManifest: { paths: string[]; weights: Record<string, unknown>[] }[];
}

const PORT = (name: string): { name: string; shape: readonly number[] } => ({ name, shape: [9] });
const MANIFEST = {
  name: "tiny",
  inputs: [PORT("board")],
  outputs: [PORT("value"), PORT("moves")],
} as unknown as Manifest;

const modelOf = (files: Files): Model => JSON.parse(String(files.get("tiny_tfjs/model.json"))) as Model;

function graphOf(change: (model: Model) => unknown): Graph {
  const files = tiny();
  const model = modelOf(files);
  change(model);
  const weights = Uint8Array.from(files.get("tiny_tfjs/group1-shard1of1.bin") ?? []).buffer;
  return { model: model as unknown as ModelJson, weights, lengths: [weights.byteLength] };
}

/** What is said of an error that is a sentence of this app's; fails at any other. */
function saidOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return wordsOf(error);
  }
}

const nodeOf = ({ modelTopology }: Model, name: string): Node =>
  modelTopology.node.find((each) => each.name === name) as Node;
const insert = (node: Node) => (model: Model) => model.modelTopology.node.push(node);
/** A node that makes the sum of something else. */
const onTop = (op: string, more: Partial<Node> = {}): ((model: Model) => unknown) =>
  insert({ name: "more", op, input: ["board"], ...more });
const CALLS = "is none of those that only calculate";
const MORE = "which is more than a calculation";

const HOSTILE: readonly (readonly [string, (model: Model) => unknown, string])[] = [
  ...[
    "RandomUniform",
    "Multinomial",
    "WriteFile",
    "Print",
    "HashTableV2",
    "TensorListReserve",
    "VarHandleOp",
    "While",
  ].map((op) => [`the operation ${op}`, onTop(op), `its operation '${op}' (node 'more') ${CALLS}`] as const),
  ["an operation in the place of another", (model) => (nodeOf(model, "moves").op = "RandomUniform"), CALLS],
  [
    "an edge that only waits",
    (model) => (nodeOf(model, "moves").input = ["board", "bias", "^mean"]),
    `'^mean', ${MORE}`,
  ],
  ["a device", (model) => (nodeOf(model, "moves").device = "/job:far"), `'/job:far', ${MORE}`],
  ["a function in an attribute", onTop("Identity", { attr: { f: { func: { name: "g" } } } }), `'f', ${MORE}`],
  ["a path in an attribute", onTop("Identity", { attr: { to: { s: btoa("/etc/passwd") } } }), `'to', ${MORE}`],
  ["text in an attribute that is no base 64", onTop("Identity", { attr: { to: { s: [47, 101] } } }), MORE],
  ["an attribute of text", onTop("Identity", { attr: { T: { type: "DT_STRING" } } }), `'T', ${MORE}`],
  ["an attribute of several kinds", onTop("Identity", { attr: { T: { type: "DT_FLOAT", i: 1 } } }), MORE],
  ["an attribute for the runtime", onTop("Identity", { attr: { _XlaCompile: { b: true } } }), "'_XlaCompile'"],
  ["a mean of the boards that are asked together", onTop("FusedBatchNormV3", { attr: {} }), "'is_training'"],
  ["a node without a name", (model) => insert({ op: "Add" } as Node)(model), MORE],
  ["two nodes of one name", (model) => insert({ ...nodeOf(model, "moves") })(model), "'name'"],
  ["a node that every object has", insert({ name: "__proto__", op: "Identity", input: ["board"] }), "'__proto__'"],
  ["functions of its own", (model) => (model.modelTopology.library = { function: [{}] }), "'library'"],
  ["what runs at the load", (model) => Object.assign(model, { modelInitializer: { node: [] } }), "'modelInitializer'"],
  ["another format", (model) => Object.assign(model, { format: "layers-model" }), "'format'"],
  ["a graph beside its own", (model) => Object.assign(model.modelTopology, { more: [] }), "'more'"],
  ["no signature", (model) => Object.assign(model, { signature: undefined }), "('board')"],
  ["an output that is another node", (model) => (model.signature.outputs.moves = { name: "mean:0" }), "('moves')"],
  [
    "an output that is not the first of its node",
    (model) => (model.signature.outputs.moves = { name: "moves:1" }),
    "('moves')",
  ],
  ["an output that nobody asks for", (model) => (model.signature.outputs.more = { name: "mean:0" }), "('more')"],
  [
    "an input that is kept from before",
    (model) => Object.assign(model.signature.inputs.board as object, { resourceId: 1 }),
    "('board')",
  ],
  ["an input that the signature leaves out", insert({ name: "more", op: "Placeholder", attr: {} }), "('more')"],
  [
    "an input that is calculated",
    (model) => Object.assign(nodeOf(model, "board"), { op: "Identity", input: ["mean"] }),
    "('board')",
  ],
  ["weights elsewhere", (model) => model.weightsManifest[0]?.paths.splice(0, 1, "../more.bin"), "'../more.bin'"],
  [
    "more weights than its files hold",
    (model) => Object.assign(model.weightsManifest[0]?.weights[0] as object, { shape: [2] }),
    "'group1-shard1of1.bin'",
  ],
  [
    "text as a weight",
    (model) => Object.assign(model.weightsManifest[0]?.weights[0] as object, { dtype: "string" }),
    "'bias'",
  ],
  [
    "two weights of one name",
    (model) => Object.assign(model.weightsManifest[0]?.weights[1] as object, { name: "bias" }),
    "'bias'",
  ],
  [
    "a group of weights in another's file",
    (model) => model.weightsManifest.push({ paths: [], weights: model.weightsManifest[0]?.weights.splice(1) ?? [] }),
    "holds no numbers",
  ],
  [
    "an input of any size",
    (model) => (nodeOf(model, "board").attr = { shape: { shape: { dim: [{ size: "999999999" }] } } }),
    "holds|asks|attr|more",
  ],
  ["a size that the board decides", onTop("Fill", { input: ["board", "bias"] }), "asks for more numbers"],
  [
    "a weight in a node's place",
    (model) => Object.assign(model.weightsManifest[0]?.weights[1] as object, { name: "moves" }),
    "'moves'",
  ],
  ["a constant without its weight", insert({ name: "more", op: "Const" }), "'more'"],
];

/** The graph with a Fill of so many numbers by so many. */
function filled(sizes: readonly number[]): Graph {
  const graph = graphOf((model) => {
    insert({ name: "sizes", op: "Const", attr: {} })(model);
    insert({ name: "more", op: "Fill", input: ["sizes", "bias"] })(model);
    model.weightsManifest[0]?.weights.push({ name: "sizes", shape: [sizes.length], dtype: "int32" });
  });
  const weights = Uint8Array.from([...new Uint8Array(graph.weights), ...new Uint8Array(Int32Array.from(sizes).buffer)]);
  return { ...graph, weights: weights.buffer, lengths: [weights.length] };
}

describe("a TF.js network", () => {
  it("passes where it only calculates", () => {
    lookAtGraph(
      MANIFEST,
      graphOf(() => undefined),
    );
    lookAtGraph(MANIFEST, filled([9, 9]));
    // What TensorFlow's optimizer leaves behind.
    const attr = { _grappler_ArithmeticOptimizer_MinimizeBroadcasts: { b: true }, T: { type: "DT_FLOAT" }, axis: {} };
    const folded = { input: ["^mean"] };
    lookAtGraph(
      MANIFEST,
      graphOf((model) => Object.assign(nodeOf(model, "bias"), folded)),
    );
    const noted = { experimentalType: { typeId: "TFT_PRODUCT" } };
    lookAtGraph(
      MANIFEST,
      graphOf((model) => Object.assign(nodeOf(model, "moves"), { attr, ...noted })),
    );
  });

  it.each(HOSTILE)("with %s is refused", (_, change, words) => {
    const said = saidOf(() => lookAtGraph(MANIFEST, graphOf(change)));
    expect(said).toMatch(/^Bundle 'tiny' was not run because .*: do not use it, export its checkpoint again\.$/);
    if (!words.includes("|")) expect(said).toContain(words);
  });

  it("passes with a weight of any size that its file fills", () => {
    const shape = [6000, 5000];
    const dim = shape.map((size) => ({ size: String(size) }));
    const large = (held: number): Graph => {
      const graph = graphOf((model) => {
        const tensor = { dtype: "DT_FLOAT", tensorShape: { dim } };
        insert({ name: "kernel", op: "Const", attr: { value: { tensor } } })(model);
        model.weightsManifest[0]?.weights.push({ name: "kernel", shape, dtype: "float32" });
      });
      return { ...graph, lengths: [(graph.lengths[0] ?? 0) + held] };
    };
    lookAtGraph(MANIFEST, large(6000 * 5000 * 4));
    expect(saidOf(() => lookAtGraph(MANIFEST, large(16)))).toContain("'group1-shard1of1.bin'");
  });

  it("that asks for any amount of memory is refused", () => {
    expect(saidOf(() => lookAtGraph(MANIFEST, filled([5000, 5000])))).toContain(
      "its node 'more' asks for more numbers",
    );
  });

  it("that is given to the page is refused before it is kept", async () => {
    const files = seal(
      changeFile(tiny(), "tiny_tfjs/model.json", (bytes) => {
        const model = JSON.parse(String(bytes)) as Model;
        onTop("WriteFile")(model);
        return asJson(model);
      }),
    );
    const given = [...files].map(([path, bytes]) => ({
      path: `tiny/${path}`,
      blob: new Blob([Uint8Array.from(bytes)]),
    }));
    await expect(take(given, [])).rejects.toThrow("error_unsafe_operation (tiny, WriteFile, more)");
  });
});

const BARE = [
  { 0: [1, 9], 3: "board" },
  { 0: [1], 3: "bias" },
  { 0: [1, 9], 3: "moves" },
];
const LITE = { ...MANIFEST, outputs: [PORT("moves")] } as unknown as Manifest;

const HOSTILE_LITES: readonly (readonly [string, Lite, string])[] = [
  ...[
    "RANDOM_UNIFORM",
    "MULTINOMIAL",
    "WHILE",
    "VAR_HANDLE",
    "ASSIGN_VARIABLE",
    "HASHTABLE",
    "CALL_ONCE",
    "STABLEHLO_RNG_BIT_GENERATOR",
  ].map(
    (op) =>
      [
        `the operator ${op}`,
        { code: { 3: int(operators.indexOf(op)) } },
        `its operation '${op}' (node 'moves')`,
      ] as const,
  ),
  ["an operator of its own", { code: { 3: int(32), 1: "FlexWriteFile" } }, "'CUSTOM FlexWriteFile'"],
  ["an operator's older number", { code: { 0: byte(32), 3: int(0) } }, "'CUSTOM'"],
  ["an operator that nobody knows", { code: { 3: int(999) } }, "'999'"],
  ["two subgraphs", { model: { 2: [{ 0: [] }, { 0: [] }] } }, "'subgraphs'"],
  ["no subgraph", { model: { 2: [] } }, "'subgraphs'"],
  ["a signature of another subgraph", { signature: { 4: int(1) } }, "'signature_defs'"],
  ["no signature", { model: { 7: [] } }, "'signature_defs'"],
  ["two signatures", { model: { 7: [{ 2: "one" }, { 2: "two" }] } }, "'signature_defs'"],
  ["a signature that answers with another tensor", { signature: { 1: [{ 0: "moves", 1: int(0) }] } }, "('moves')"],
  ["a signature of other names", { signature: { 0: [{ 0: "other", 1: int(0) }] } }, "('other')"],
  ["a signature that leaves an output out", { graph: { 2: [2, 1] } }, "('moves')"],
  ["a signature behind the tensors", { signature: { 1: [{ 0: "moves", 1: int(7) }] }, graph: { 2: [7] } }, "('moves')"],
  ["a tensor that is kept", { output: { 5: byte(1) } }, "'is_variable'"],
  ["text as a tensor", { output: { 1: byte(5) } }, "'moves' holds no numbers"],
  ["a resource as a tensor", { output: { 1: byte(13) } }, "'moves' holds no numbers"],
  ["a tensor of variants", { output: { 9: [{}] } }, "'external_buffer'"],
  ["weights in another file", { constant: { 10: int(1) } }, "'external_buffer'"],
  ["weights in other files", { model: { 9: [{}] } }, "'external_buffers'"],
  ["weights behind the model", { buffer: { 1: long(4096), 2: long(4) } }, "'buffers'"],
  ["weights that do not fill their shape", { constant: { 0: [2] } }, "'bias' holds no numbers"],
  ["a constant that an operator writes", { operator: { 2: [1] } }, "'bias' holds no numbers"],
  ["options of its own", { operator: { 5: Uint8Array.of(1) } }, "'custom_options'"],
  ["options behind the model", { operator: { 10: long(8) } }, "'custom_options'"],
  ["an input that it changes", { operator: { 7: Uint8Array.of(1) } }, "'mutating_variable_inputs'"],
  ["intermediates", { operator: { 8: [1] } }, "'mutating_variable_inputs'"],
  ["a tensor that was left from the last board", { graph: { 0: BARE } }, "'bias' has 'inputs'"],
  ["an input that an operator writes", { operator: { 2: [0] } }, "'outputs'"],
  ["an output that nobody makes", { operator: { 2: [] } }, "('moves')"],
  ["an operator that reads what comes later", { operator: { 1: [2, 1] } }, "'moves' has 'inputs'"],
  ["a tensor of any size", { output: { 0: [5000, 5000] } }, "its node 'moves' asks for more numbers"],
  ["a size that the board decides", { code: { 3: int(operators.indexOf("FILL")) } }, "asks for more numbers"],
];

describe("a .tflite", () => {
  it("passes where it only calculates", () => {
    lookAtLite(LITE, tinyLite());
  });

  it.each(HOSTILE_LITES)("with %s is refused", (_, more, words) => {
    const said = saidOf(() => lookAtLite(LITE, tinyLite(more)));
    expect(said).toMatch(/^Bundle 'tiny' was not run because .*: do not use it, export its checkpoint again\.$/);
    expect(said).toContain(words);
  });

  it("that is cut off, or changed anywhere, is refused in a sentence or harmless, and never waited for", () => {
    const bytes = new Uint8Array(tinyLite());
    for (let at = 0; at < bytes.length; at++) {
      expect(
        saidOf(() => lookAtLite(LITE, bytes.slice(0, at).buffer)),
        String(at),
      ).toMatch(/^Bundle 'tiny'/);
      for (const value of [0, 1, 127, 128, 255]) {
        const changed = bytes.slice();
        changed[at] = value;
        saidOf(() => lookAtLite(LITE, changed.buffer));
      }
    }
    expect(saidOf(() => lookAtLite(LITE, new ArrayBuffer(0)))).toContain("it is no TFLite file");
  });
});

it("has each of its sentences in Chinese", () => {
  const keys = Object.keys(chinese).filter((key) => key.startsWith("error_unsafe_"));
  expect(keys.length).toBe(6);
});

const BUNDLES = `${ROOT}build/bundles`;
const shipped = existsSync(BUNDLES) ? readdirSync(BUNDLES) : [];
if (!shipped.length) console.info("no shipped bundle was looked at, for `make bundles` has made none.");

describe.each(shipped.map((name) => [name]))("the shipped bundle of %s", (name) => {
  const read = (path: string): Uint8Array => Uint8Array.from(readFileSync(`${BUNDLES}/${name}/${path}`));

  it("is let through in every precision, by both formats", async () => {
    const manifest = JSON.parse(new TextDecoder().decode(read("manifest.json"))) as Manifest;
    const folders = readdirSync(`${BUNDLES}/${name}`).filter((each) => each.endsWith("_tfjs"));
    const lites = readdirSync(`${BUNDLES}/${name}`).filter((each) => each.endsWith(".tflite"));
    expect(folders.length).toBeGreaterThan(0);
    expect(lites.length).toBeGreaterThan(0);
    for (const folder of folders) {
      const bundle = await Bundle.open(
        name,
        { path: "manifest.json", sha256: "", size: 1 },
        async (path) => read(path).slice().buffer,
        [],
        null,
        folder,
      );
      lookAtGraph(manifest, await bundle.graph());
    }
    for (const path of lites) lookAtLite(manifest, read(path).slice().buffer);
  });
});
