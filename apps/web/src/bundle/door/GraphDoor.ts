/**
 * A TF.js network, looked at as the JSON that it is before TF.js gets it: one graph of operations that only calculate, the
 * manifest's inputs and outputs, weights that fill their files. Nothing of it is run.
 */

import { tfjs } from "../../../../../validate/door/operations.json";
import { type Data, isCount, isData, membersOf } from "../../engine/Data";
import type { Graph } from "../Bundle";
import type { Manifest } from "../Manifest";
import { isTooLarge, type Maker } from "./Sizes";
import { MOST_AXES, MOST_INPUT, MOST_NODES, MOST_VALUES, unsafe, valuesIn } from "./Unsafe";

type Ports = Pick<Manifest, "name" | "inputs" | "outputs">;

const OPERATIONS: ReadonlySet<string> = new Set(tfjs);
/** What model.json may hold; of the rest TF.js runs some when it loads a model, as `modelInitializer`. */
const MEMBERS = set("format generatedBy convertedBy signature modelTopology weightsManifest userDefinedMetadata");
const OF_TOPOLOGY = set("node library versions");
const OF_NODE = set("name op input attr device experimentalType experimentalDebugInfo");
const OF_WEIGHT = set("name shape dtype quantization");
/** Attributes that say where a node came from, what shapes it has, or that an optimizer was there; they change nothing. */
const NOTES = /^_(output_shapes|input_shapes|user_specified_name|grappler_\w*)$/;
/** Bytes of a weight's value, by its type, and of a packed one. Text is no type of a weight. */
const BYTES: Readonly<Record<string, number>> = { float32: 4, int32: 4, bool: 1, complex64: 8 };
const PACKED: Readonly<Record<string, number>> = { uint8: 1, uint16: 2, float16: 2 };
const NUMBERS = /^DT_(FLOAT|DOUBLE|HALF|BFLOAT16|U?INT(8|16|32|64)|BOOL|COMPLEX(64|128))$/;
/** What a word in an attribute may be: a padding, a layout, an equation; never a path. */
const WORD = /^[A-Za-z0-9_,.> -]{0,64}$/;
/** A file's own name beside model.json. */
const FILE = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const FEW = 64;

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

const oddIn = (data: Data, known: ReadonlySet<string>): string | undefined =>
  Object.keys(data).find((member) => !known.has(member));
const source = (tensor: string): string => tensor.replace(/^\^/, "").split(":")[0] ?? "";

/** A network whose weights may not be here yet: then nothing is said of what takes its size from them. */
type PartialGraph = Omit<Graph, "weights"> & { readonly weights: ArrayBuffer | null };

/** BundleError with a sentence unless a network only calculates. */
export function lookAtGraph(manifest: Ports, graph: PartialGraph): void {
  const { name } = manifest;
  const document: Data = { ...graph.model };
  const topology: Data = { ...graph.model.modelTopology };
  const odd = oddIn(document, MEMBERS) ?? oddIn(topology, OF_TOPOLOGY);
  if (odd !== undefined || document.format !== "graph-model") throw unsafe("part", name, odd ?? "format");
  const { library, node } = topology;
  if (isData(library) && Object.values(library).some((each) => !Array.isArray(each) || each.length))
    throw unsafe("part", name, "library");
  if (!Array.isArray(node) || node.length > MOST_NODES) throw unsafe("part", name, "node");
  const [names, constant] = readWeights(name, graph);
  const makers = new Map<string, Maker>();
  for (const each of node) {
    const maker = lookAtNode(name, each);
    // What every object of JavaScript has would be taken for a node.
    if (makers.has(maker.name) || maker.name in {}) throw unsafe("node", name, maker.name, "name");
    makers.set(maker.name, { operation: maker.op, inputs: maker.inputs.map(source) });
  }
  // TF.js would take a weight for what a node of its name answers.
  const odds = [...names].filter((each) => makers.get(each)?.operation !== "Const");
  const missing = [...makers].find(([node, { operation }]) => operation === "Const" && !names.has(node));
  if (odds.length || missing) throw unsafe("weight", name, odds[0] ?? missing?.[0]);
  for (const [node, maker] of makers) {
    if (graph.weights && isTooLarge(maker, { makers, constant })) throw unsafe("size", name, node);
  }
  lookAtSignature(manifest, graph.model.signature, makers);
}

/** A node's name, operation and inputs, where it does no more than calculate. */
function lookAtNode(
  bundle: string,
  data: unknown,
): { readonly name: string; readonly op: string; readonly inputs: readonly string[] } {
  if (!isData(data)) throw unsafe("part", bundle, "node");
  const { name, op, input = [], attr = {}, device = "" } = data;
  const odd = oddIn(data, OF_NODE);
  if (typeof name !== "string" || typeof op !== "string" || odd !== undefined) throw unsafe("node", bundle, name, odd);
  if (!OPERATIONS.has(op)) throw unsafe("operation", bundle, op, name);
  // The optimizer of the converter notes its own processor at what it joins.
  if (device !== "" && device !== "/device:CPU:0") throw unsafe("node", bundle, name, device);
  if (!Array.isArray(input) || !isData(attr)) throw unsafe("node", bundle, name, "input");
  // It waits for another node, whatever that does; what TensorFlow has folded to a constant waits in name alone.
  const waits = input.find((each) => typeof each !== "string" || (each.startsWith("^") && op !== "Const"));
  if (waits !== undefined) throw unsafe("node", bundle, name, waits);
  for (const [key, value] of Object.entries(attr)) {
    if (!isAttribute(key, value)) throw unsafe("node", bundle, name, key);
  }
  // Its mean would be that of the boards that are asked together.
  const isTraining = op.startsWith("FusedBatchNorm") && membersOf(attr.is_training).b !== false;
  if (isTraining) throw unsafe("node", bundle, name, "is_training");
  const shape = op === "Placeholder" ? sizesOf(membersOf(attr.shape).shape) : [];
  if (shape && valuesIn(shape) > MOST_INPUT) throw unsafe("size", bundle, name);
  return { name, op, inputs: input };
}

/** Whether an attribute says what to calculate, and nothing else: numbers, words, types and shapes, one kind of them. */
function isAttribute(key: string, value: unknown): boolean {
  if (NOTES.test(key)) return true;
  if (key.startsWith("_") || !isData(value)) return false;
  const [[kind, one] = ["", null], ...others] = Object.entries(value);
  if (others.length) return false;
  if (kind !== "list") return isOfKind(kind, [one]);
  const [[of, all] = ["", []], ...more] = isData(one) ? Object.entries(one) : [];
  return more.length === 0 && Array.isArray(all) && isOfKind(of, all);
}

function isOfKind(kind: string, values: readonly unknown[]): boolean {
  switch (kind) {
    case "":
    case "f":
    case "b":
      return true;
    case "i":
      return valuesIn(values.map(Number)) <= MOST_VALUES;
    case "s":
      return values.every(isWord);
    case "type":
      return values.every((type) => typeof type === "number" || NUMBERS.test(String(type)));
    case "shape":
      return values.every(isShape);
    case "tensor":
      // A constant's numbers are a weight, which its file has to fill: it may be large.
      return values.every((tensor) => isData(tensor) && sizesOf(tensor.tensorShape ?? {}) !== null);
    default:
      return false;
  }
}

/** Whether bytes, as JSON has them, are a word. */
function isWord(bytes: unknown): boolean {
  try {
    return typeof bytes === "string" && WORD.test(atob(bytes));
  } catch {
    return false;
  }
}

/** The sizes of a shape in JSON; null if it is no shape. */
function sizesOf(shape: unknown): readonly number[] | null {
  const { dim = [] } = membersOf(shape);
  if (!Array.isArray(dim)) return null;
  const sizes = dim.map((each) => Number(membersOf(each).size ?? 0));
  return sizes.every(Number.isSafeInteger) && sizes.length <= MOST_AXES ? sizes : null;
}

function isShape(shape: unknown): boolean {
  const sizes = sizesOf(shape);
  return sizes !== null && valuesIn(sizes) <= MOST_VALUES;
}

/** Hold the weights to their files, which they fill exactly; their names, and what gives the numbers of a small one. */
function readWeights(
  bundle: string,
  { model, weights, lengths }: PartialGraph,
): readonly [ReadonlySet<string>, (name: string) => readonly number[] | null] {
  const small = new Map<string, readonly number[]>();
  const names = new Set<string>();
  let [at, file] = [0, 0];
  for (const { paths, weights: listed } of model.weightsManifest) {
    const odd = paths.find((path) => !FILE.test(path));
    if (odd !== undefined) throw unsafe("weight", bundle, odd);
    const begin = at;
    for (const entry of listed as readonly Data[]) {
      const size = bytesOf(entry);
      const own = String(entry.name);
      if (size === null || names.has(own)) throw unsafe("weight", bundle, own);
      names.add(own);
      const numbers = weights && numbersOf(entry, weights, at, size);
      if (numbers) small.set(own, numbers);
      at += size;
    }
    const held = lengths.slice(file, file + paths.length).reduce((sum, each) => sum + each, 0);
    if (at - begin !== held) throw unsafe("weight", bundle, paths.join(", "));
    file += paths.length;
  }
  return [names, (name) => small.get(name) ?? null];
}

/** How many bytes a weight takes in its file; null if it is no tensor of numbers. */
function bytesOf(entry: unknown): number | null {
  if (!isData(entry) || oddIn(entry, OF_WEIGHT) !== undefined) return null;
  const { name, shape, dtype, quantization } = entry;
  const bytes = quantization === undefined ? BYTES[String(dtype)] : PACKED[String(membersOf(quantization).dtype)];
  const isTensor = Array.isArray(shape) && shape.length <= MOST_AXES && shape.every(isCount);
  if (typeof name !== "string" || !isTensor || !bytes || !(String(dtype) in BYTES)) return null;
  return bytes * shape.reduce((product: number, size: number) => product * size, 1);
}

/** The numbers of a small weight that may give a size; null of any other. */
function numbersOf(entry: Data, weights: ArrayBuffer, at: number, size: number): readonly number[] | null {
  const kind = { float32: Float32Array, int32: Int32Array }[String(entry.dtype)];
  if (!kind || entry.quantization !== undefined || size > FEW * 4 || at + size > weights.byteLength) return null;
  return [...new kind(weights.slice(at, at + size))].map(Math.trunc);
}

/** Hold the signature to the manifest: the same names, each that of a node, and all inputs of the graph among them. */
function lookAtSignature(
  { name, inputs, outputs }: Ports,
  signature: unknown,
  makers: ReadonlyMap<string, Maker>,
): void {
  const { inputs: given, outputs: asked } = membersOf(signature);
  const sides = [
    [inputs, given],
    [outputs, asked],
  ] as const;
  for (const [ports, side] of sides) {
    const infos = membersOf(side);
    const odd = ports.find((port) => !isPort(infos[port.name], port.name, makers))?.name;
    const more = Object.keys(infos).find((key) => !ports.some((port) => port.name === key));
    if (odd !== undefined || more !== undefined) throw unsafe("port", name, odd ?? more);
  }
  for (const [node, { operation }] of makers) {
    const isAsked = inputs.some((port) => port.name === node);
    if ((operation === "Placeholder") !== isAsked) throw unsafe("port", name, node);
  }
}

/** Whether a tensor of the signature is the first of the node that is asked by its name. */
function isPort(info: unknown, name: string, makers: ReadonlyMap<string, Maker>): boolean {
  if (!isData(info) || info.resourceId !== undefined || !makers.has(name)) return false;
  return info.name === name || info.name === `${name}:0`;
}
