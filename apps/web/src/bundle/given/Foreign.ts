/** What holds no bundle but a network all the same: which format it seems to be, and what to run so that it can be played. */

import { type Sentence, sentence } from "../../texts/Sentence";
import type { Member } from "./Zip";

/** Says what a file is, by its name. */
type Remark = (name: string) => Sentence;

// What this app plays, as `azx export` and as people call it.
export const EXPORTED = "tfjs";
const PLAYED = "TF.js";

const keras: Remark = (name) => sentence("given_keras", name, EXPORTED);
const otherFormat =
  (format: string): Remark =>
  (name) =>
    sentence("given_other_format", name, format, PLAYED, EXPORTED);

// What HDF5 files begin with; and TFLite's, behind the place of their table.
const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const TFLITE = [0x54, 0x46, 0x4c, 0x33];
const TFLITE_AT = 4;
// The others are protocol buffers, which begin with nothing of their own.
const NAMED: readonly (readonly [RegExp, Remark])[] = [
  [/\.(h5|hdf5|keras)$/i, keras],
  [/\.tflite$/i, otherFormat("TFLite")],
  [/\.onnx$/i, otherFormat("ONNX")],
  [/^saved_model\.pb$/i, (name) => sentence("given_saved_model", name, EXPORTED)],
  [/\.pb$/i, otherFormat("TensorFlow")],
  [/\.(mlpackage|mlmodel)$/i, otherFormat("Core ML")],
  [/^model\.json$/i, (name) => sentence("given_alone", name, PLAYED)],
];
// What Keras 3 puts into the .zip that it calls .keras.
const KERAS_MEMBERS = ["config.json", "model.weights.h5"];

/** The sentence about a file that was given alone, by its first bytes or else by its name; null if it is no network. */
export async function foreignFile(name: string, blob: Blob): Promise<Sentence | null> {
  const head = new Uint8Array(await blob.slice(0, HDF5.length).arrayBuffer());
  const begins = (bytes: readonly number[], from = 0): boolean => bytes.every((byte, at) => head[from + at] === byte);
  if (begins(HDF5)) return keras(name);
  if (begins(TFLITE, TFLITE_AT)) return otherFormat("TFLite")(name);
  return byName(name)?.(name) ?? null;
}

/** The sentence about the first network in a folder or a .zip called `what` that holds no bundle; null without one. */
export function foreignAmong(members: readonly Member[], what: string): Sentence | null {
  const paths = members.map(({ path }) => path);
  if (KERAS_MEMBERS.every((each) => paths.includes(each))) return keras(what);
  // A .zip's own name is not in its paths, as a folder's is.
  const before = paths.some((path) => path.split("/")[0] === what) ? [] : [what];
  for (const path of paths) {
    const parts = path.split("/");
    // Core ML's are folders.
    const at = parts.findIndex((part) => byName(part));
    const remark = byName(parts[at] ?? "");
    if (remark) return remark([...before, ...parts.slice(0, at + 1)].join("/"));
  }
  return null;
}

const byName = (name: string): Remark | undefined => NAMED.find(([pattern]) => pattern.test(name))?.[1];
