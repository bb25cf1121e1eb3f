/** Bundles of a few numbers, made by hand: sums and means of their inputs. */

import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";

/** A bundle's files by their paths. */
export type Files = Map<string, Buffer>;

export const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const asJson = (data: unknown): Buffer => Buffer.from(JSON.stringify(data));

export interface Tiny {
  readonly name?: string;
  readonly game?: string | null;
  /** How many inputs there are, each of nine numbers. */
  readonly inputs?: number;
  readonly batch?: number;
  readonly hasPolicy?: boolean;
}

const SIZE = 9;
const BIAS = 0.25;
const ENCODING = { layout: "flat", board: [3, 3], planes: ["signed"] };

const encodingOf = (plane: string): object => ({ ...ENCODING, planes: [plane] });

/** What a manifest says where the reading of `tiny` is only assumed. */
export const ASSUMED = {
  others: [
    { name: "tictactoe-signed-opponent", encoding: encodingOf("signed_opponent"), actions: "cell" },
    { name: "tictactoe-codes-player0", encoding: encodingOf("codes_player0"), actions: "cell" },
  ],
};

/** The files of a bundle: the policy is the sum of the inputs, and the value their mean, each plus the bias. */
export function tiny({ name = "tiny", game = "tictactoe", inputs = 1, batch = 1, hasPolicy = true }: Tiny = {}): Files {
  const names = Array.from({ length: inputs }, (_, at) => (at ? `input_${at + 1}` : "board"));
  const outputs = [
    { name: "value", role: "value", activation: "linear", shape: [1], source_name: "value", pb_node: "value" },
    { name: "moves", role: "policy", activation: "linear", shape: [SIZE], source_name: "moves", pb_node: "moves" },
  ].slice(0, hasPolicy ? 2 : 1);
  const files: Files = new Map([
    ["golden.json", asJson(golden(names, hasPolicy))],
    [
      `${name}_tfjs/model.json`,
      asJson(
        model(
          names,
          outputs.map(({ name }) => name),
          batch,
        ),
      ),
    ],
    [`${name}_tfjs/group1-shard1of1.bin`, Buffer.from([...Buffer.from(Float32Array.of(BIAS).buffer), 1, 0, 0, 0])],
  ]);
  const artifact = { format: "tfjs", path: `${name}_tfjs`, precision: "fp32" };
  const manifest = {
    schema_version: 1,
    azx_version: "1.0.0",
    name,
    game,
    settings: game === null ? null : {},
    encoding: game === null ? null : ENCODING,
    actions: game === null ? null : "cell",
    checkpoint: { file: `${name}.h5`, sha256: hash(asJson(name)), keras_version: "3", parameters: 1 },
    inputs: names.map((each) => ({ name: each, source_name: each, shape: [SIZE], dtype: "float32", layout: "flat" })),
    outputs,
    batch,
    artifacts: [artifact],
    recommended: { web: artifact.path },
    files: [...files].map(([path, bytes]) => ({ path, sha256: hash(bytes), size: bytes.length })),
  };
  return files.set("manifest.json", asJson(manifest));
}

/** Three positions, and what the network is to answer. */
function golden(names: readonly string[], hasPolicy: boolean): object {
  const positions = [0, 1, 2].map((row) => {
    const inputs = names.map((_, at) => Array.from({ length: SIZE }, (_, cell) => (cell * (at + 1) + row) % 4));
    const moves = Array.from(
      { length: SIZE },
      (_, cell) => BIAS + inputs.reduce((sum, each) => sum + (each[cell] ?? 0), 0),
    );
    const value = [moves.reduce((sum, each) => sum + each - BIAS, 0) / SIZE + BIAS];
    const told = { inputs: Object.fromEntries(names.map((name, at) => [name, inputs[at]])), legal: null };
    return hasPolicy
      ? { ...told, outputs: { value, moves }, best: moves.indexOf(Math.max(...moves)) }
      : { ...told, outputs: { value } };
  });
  return { schema_version: 1, positions };
}

/** The graph model: AddV2 of the inputs, Mean over the cells, AddV2 of the bias. */
function model(names: readonly string[], outputs: readonly string[], batch: number): object {
  const float = { type: "DT_FLOAT" };
  const shape = (...sizes: number[]): object => ({ shape: { dim: sizes.map((size) => ({ size: String(size) })) } });
  const add = (name: string, ...input: string[]): object => ({ name, op: "AddV2", input, attr: { T: float } });
  const constant = (name: string, dtype: string): object => ({ name, op: "Const", attr: { dtype: { type: dtype } } });
  const [first = "", ...others] = names;
  const sums = others.map((name, at) => add(`sum_${at}`, at ? `sum_${at - 1}` : first, name));
  const sum = others.length ? `sum_${others.length - 1}` : first;
  const axes = { keep_dims: { b: true }, T: float, Tidx: { type: "DT_INT32" } };
  const node = [
    ...names.map((name) => ({ name, op: "Placeholder", attr: { dtype: float, shape: shape(batch, SIZE) } })),
    constant("bias", "DT_FLOAT"),
    constant("axis", "DT_INT32"),
    ...sums,
    { name: "mean", op: "Mean", input: [sum, "axis"], attr: axes },
    add("value", "mean", "bias"),
    add("moves", sum, "bias"),
  ];
  const port = (name: string): [string, object] => [name, { name: `${name}:0`, dtype: "DT_FLOAT" }];
  return {
    format: "graph-model",
    signature: { inputs: Object.fromEntries(names.map(port)), outputs: Object.fromEntries(outputs.map(port)) },
    modelTopology: { node, versions: { producer: 1 } },
    weightsManifest: [
      {
        paths: ["group1-shard1of1.bin"],
        weights: [
          { name: "bias", shape: [], dtype: "float32" },
          { name: "axis", shape: [1], dtype: "int32" },
        ],
      },
    ],
  };
}

/** The same files with one changed. */
export function changeFile(files: Files, path: string, change: (bytes: Buffer) => Buffer): Files {
  return new Map(files).set(path, change(files.get(path) ?? Buffer.alloc(0)));
}

/** The same files with other members in the manifest. */
export function withManifest(files: Files, more: object): Files {
  return changeFile(files, "manifest.json", (bytes) => asJson({ ...JSON.parse(bytes.toString()), ...more }));
}

/** The same files with a manifest that knows them as they are. */
export function seal(files: Files): Files {
  const { files: listed } = JSON.parse(String(files.get("manifest.json"))) as { files: { path: string }[] };
  const seal = ({ path }: { path: string }): object => {
    const bytes = files.get(path) ?? Buffer.alloc(0);
    return { path, size: bytes.length, sha256: hash(bytes) };
  };
  return withManifest(files, { files: listed.map(seal) });
}

/** What a member of a .zip says of itself, if it is not the truth. */
export interface Lies {
  readonly size?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Bytes of a field between its own header's name and its bytes, of which the directory has none. */
  readonly extra?: number;
}

/** A .zip of these members; `claimed` is the method that all of them are said to be packed by. */
export function packZip(
  files: Iterable<readonly [string, Buffer]>,
  lies: Readonly<Record<string, Lies>> = {},
  claimed?: number,
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const { size = bytes.length, flags = 0, method = 8 } = lies[path] ?? {};
    const [packed, name] = [method === 0 ? bytes : deflateRawSync(bytes), Buffer.from(path)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(claimed ?? method, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const extra = Buffer.alloc(lies[path]?.extra ?? 0);
    const local = Buffer.concat([common.subarray(0, 24), Buffer.of(extra.length, 0)]);
    parts.push(Buffer.from("PK\x03\x04"), local, name, extra, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), common, rest, name);
    at += 30 + name.length + extra.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  const count = directory.length / 4;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

/** Files below a folder, as a person packs them. */
export const below = (folder: string, files: Files): [string, Buffer][] =>
  [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]);
