/**
 * A `.tflite` file, looked at by the tables of its schema before LiteRT.js gets it: one subgraph of built-in operators that
 * only calculate, one signature of its inputs and outputs. The tables are read where they lie, and nothing of it is run.
 */

import { tflite } from "../../../../../validate/door/operations.json";
import { BundleError, sentence } from "../../texts/Sentence";
import type { Manifest } from "../Manifest";
import { Table } from "./FlatBuffer";
import operators from "./operators.json";
import { isTooLarge, type Maker } from "./Sizes";
import { MOST_AXES, MOST_INPUT, MOST_NODES, MOST_VALUES, unsafe, valuesIn } from "./Unsafe";

type Ports = Pick<Manifest, "name" | "inputs" | "outputs">;

const OPERATIONS: ReadonlySet<string> = new Set(tflite);
// The places of members in the tables of TFLite's schema.
const MODEL = { codes: 1, subgraphs: 2, buffers: 4, signatures: 7, groups: 8, external: 9 };
const CODE = { old: 0, custom: 1, builtin: 3 };
const GRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 };
const OPERATOR = { code: 0, inputs: 1, outputs: 2, custom: 5, mutated: 7, intermediates: 8, large: 10 };
const TENSOR = { shape: 0, type: 1, buffer: 2, name: 3, isVariable: 5, sparsity: 6, variants: 9, external: 10 };
const BUFFER = { data: 0, offset: 1, size: 2 };
const SIGNATURE = { inputs: 0, outputs: 1, key: 2, subgraph: 4 };
const NAMED = { name: 0, tensor: 1 };
/** Bits of a value, by the number of its type: text, resources and variants are no numbers. */
const BITS: Readonly<Record<number, number>> = {
  ...{ 0: 32, 1: 16, 2: 32, 3: 8, 4: 64, 6: 8, 7: 16, 8: 64, 9: 8, 10: 64, 11: 128, 12: 64, 15: 32, 16: 16 },
  ...{ 17: 4, 18: 16, 19: 2, 20: 4, 21: 8, 22: 8 },
};
const [FLOAT32, INT32] = [0, 2];
const FEW = 64;

/** A tensor of the subgraph; `stored` is its constant's bytes, empty of one that is made. */
interface Tensor {
  readonly table: Table;
  readonly name: string;
  readonly type: number;
  readonly shape: readonly number[];
  readonly stored: Uint8Array;
}

/** BundleError with a sentence unless a network only calculates. */
export function lookAtLite(manifest: Ports, bytes: ArrayBuffer): void {
  try {
    look(manifest, Table.root(bytes, "TFL3"));
  } catch (error) {
    if (error instanceof BundleError) throw error;
    // An offset that leads out of the file, a length that it does not have.
    throw new BundleError(sentence("error_load_lite", manifest.name, "it is no TFLite file"), { cause: error });
  }
}

function look(manifest: Ports, model: Table): void {
  const { name } = manifest;
  const [graph, ...others] = model.tables(MODEL.subgraphs);
  if (!graph || others.length) throw unsafe("part", name, "subgraphs");
  if (model.count(MODEL.groups) + model.count(MODEL.external) > 0) throw unsafe("part", name, "external_buffers");
  const buffers = model.tables(MODEL.buffers);
  // Their bytes would lie behind the model.
  if (buffers.some((each) => each.long(BUFFER.offset) > 1n || each.long(BUFFER.size) > 1n))
    throw unsafe("part", name, "buffers");
  const tensors = graph.tables(GRAPH.tensors).map((table) => tensorIn(table, buffers));
  lookAtSignature(manifest, model, graph, tensors);
  lookAtTensors(name, graph, tensors);
  lookAtOperators(name, model, graph, tensors);
}

function tensorIn(table: Table, buffers: readonly Table[]): Tensor {
  const buffer = buffers[table.uint(TENSOR.buffer)];
  if (!buffer) throw new RangeError("a tensor has no buffer");
  return {
    table,
    name: table.text(TENSOR.name),
    type: table.byte(TENSOR.type),
    shape: table.ints(TENSOR.shape),
    stored: buffer.bytes(BUFFER.data),
  };
}

/** Hold the one signature to the manifest's names and to the subgraph's own inputs and outputs. */
function lookAtSignature(
  { name, inputs, outputs }: Ports,
  model: Table,
  graph: Table,
  tensors: readonly Tensor[],
): void {
  const [signature, ...others] = model.tables(MODEL.signatures);
  if (!signature || others.length || signature.uint(SIGNATURE.subgraph)) throw unsafe("part", name, "signature_defs");
  if (!signature.text(SIGNATURE.key)) throw unsafe("part", name, "signature_key");
  const sides = [
    [inputs, signature.tables(SIGNATURE.inputs), graph.ints(GRAPH.inputs)],
    [outputs, signature.tables(SIGNATURE.outputs), graph.ints(GRAPH.outputs)],
  ] as const;
  for (const [ports, named, places] of sides) {
    const at = named.map((each) => each.uint(NAMED.tensor));
    const odd = named.map((each) => each.text(NAMED.name)).find((each) => !ports.some((port) => port.name === each));
    const isWhole = named.length === ports.length && places.length === at.length;
    const isSame = places.every((place) => at.includes(place)) && at.every((place) => tensors[place]);
    if (odd !== undefined || !isWhole || !isSame || new Set(at).size !== at.length)
      throw unsafe("port", name, odd ?? ports[0]?.name);
  }
}

function lookAtTensors(bundle: string, graph: Table, tensors: readonly Tensor[]): void {
  const inputs = new Set(graph.ints(GRAPH.inputs));
  const made = new Set(graph.tables(GRAPH.operators).flatMap((each) => each.ints(OPERATOR.outputs)));
  for (const [at, tensor] of tensors.entries()) {
    const { table, name, type, shape, stored } = tensor;
    const bits = BITS[type];
    if (table.byte(TENSOR.isVariable)) throw unsafe("node", bundle, name, "is_variable");
    if (table.count(TENSOR.variants) || table.uint(TENSOR.external))
      throw unsafe("node", bundle, name, "external_buffer");
    if (bits === undefined || shape.length > MOST_AXES || shape.some((size) => size < -1))
      throw unsafe("weight", bundle, name);
    const most = inputs.has(at) ? MOST_INPUT : MOST_VALUES;
    const isSparse = table.has(TENSOR.sparsity);
    if ((!stored.length || isSparse) && valuesIn(shape) > most) throw unsafe("size", bundle, name);
    if (!stored.length) continue;
    // A constant that an operator writes would be another one the next time.
    const isFilled = isSparse || stored.length === Math.ceil((shape.reduce((all, size) => all * size, 1) * bits) / 8);
    if (made.has(at) || inputs.has(at) || !isFilled) throw unsafe("weight", bundle, name);
  }
}

function lookAtOperators(bundle: string, model: Table, graph: Table, tensors: readonly Tensor[]): void {
  const listed = graph.tables(GRAPH.operators);
  if (listed.length > MOST_NODES) throw unsafe("part", bundle, "operators");
  const codes = model.tables(MODEL.codes).map((code) => operationOf(code));
  const called = (table: Table): string =>
    table
      .ints(OPERATOR.outputs)
      .map((at) => tensors[at]?.name)
      .join();
  const steps = listed.map((table): Maker & { readonly table: Table } => {
    const operation = codes[table.uint(OPERATOR.code)] ?? "";
    return { table, operation, inputs: table.ints(OPERATOR.inputs).map(String) };
  });
  lookAtOrder(bundle, graph, steps, tensors);
  const makers = new Map(steps.flatMap((each) => each.table.ints(OPERATOR.outputs).map((at) => [String(at), each])));
  const constant = (at: string): readonly number[] | null => (Number(at) < 0 ? [1] : numbersOf(tensors[Number(at)]));
  // One that no operator uses is made at the load all the same.
  const unknown = codes.find((code) => !OPERATIONS.has(code));
  for (const each of steps) {
    const { table, operation } = each;
    const node = called(table);
    if (!OPERATIONS.has(operation)) throw unsafe("operation", bundle, operation, node);
    if (table.count(OPERATOR.custom) || table.long(OPERATOR.large))
      throw unsafe("node", bundle, node, "custom_options");
    const isKept = table.count(OPERATOR.intermediates) || table.bytes(OPERATOR.mutated).some(Boolean);
    if (isKept) throw unsafe("node", bundle, node, "mutating_variable_inputs");
    if (isTooLarge(each, { makers, constant })) throw unsafe("size", bundle, node);
  }
  if (unknown !== undefined) throw unsafe("operation", bundle, unknown, "operator_codes");
}

/** Hold each operator to what is there before it: what was left in memory from the last board would be a state. */
function lookAtOrder(
  bundle: string,
  graph: Table,
  listed: readonly { readonly table: Table }[],
  tensors: readonly Tensor[],
): void {
  const isHere = ({ stored, shape }: Tensor): boolean => stored.length > 0 || shape.includes(0);
  const there = new Set([...tensors.keys()].filter((at) => isHere(tensors[at] as Tensor)));
  for (const at of graph.ints(GRAPH.inputs)) there.add(at);
  for (const { table } of listed) {
    // -1 is one that an operator does without.
    const missing = table.ints(OPERATOR.inputs).find((at) => at !== -1 && !there.has(at));
    if (missing !== undefined) throw unsafe("node", bundle, tensors[missing]?.name, "inputs");
    for (const at of table.ints(OPERATOR.outputs)) {
      if (there.has(at) || !tensors[at]) throw unsafe("node", bundle, tensors[at]?.name, "outputs");
      there.add(at);
    }
  }
  const missing = graph.ints(GRAPH.outputs).find((at) => !there.has(at));
  if (missing !== undefined) throw unsafe("port", bundle, tensors[missing]?.name);
}

/** An operator's name: the larger of two numbers, as LiteRT takes it, because the older one has 7 bits. */
function operationOf(code: Table): string {
  if (code.has(CODE.custom)) return `CUSTOM ${code.text(CODE.custom)}`;
  const number = Math.max(code.int(CODE.builtin), code.byte(CODE.old));
  return operators[number] ?? String(number);
}

/** The numbers of a small constant that may give a size; null of any other tensor. */
function numbersOf(tensor: Tensor | undefined): readonly number[] | null {
  if (!tensor?.stored.length || tensor.stored.length > FEW * 4) return null;
  const bytes = tensor.stored.slice().buffer;
  if (tensor.type === INT32) return [...new Int32Array(bytes)];
  return tensor.type === FLOAT32 ? [...new Float32Array(bytes)].map(Math.trunc) : null;
}
