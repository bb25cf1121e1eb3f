/** What a network may not hold, as the sentence about it: none is given to a runtime before it was looked at. */

import { BundleError, sentence } from "../../texts/Sentence";

/** An input of any runtime, and any tensor that is made while it runs: 224 x 224 in 64 channels are 3 million values. */
export const MOST_INPUT = 2 ** 20;
export const MOST_VALUES = 2 ** 24;
export const MOST_NODES = 200_000;
/** No tensor of a board has more axes. */
export const MOST_AXES = 32;

const LONGEST = 64;

/** How many values a tensor of these sizes has; a free one (-1, or 0 for "as before") counts as one. */
export const valuesIn = (sizes: readonly number[]): number =>
  sizes.reduce((product, size) => product * Math.max(1, Math.abs(size)), 1);

/** A name from a file: of one line, and no longer than anybody reads. */
export function short(name: unknown): string {
  const text = String(name).replace(/[^\x20-\x7e\u00a1-\ud7ff]/g, "?");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

/** An operation that is not on the list: it may draw lots, touch files, call other code. */
export const unsafeOperation = (bundle: string, operation: unknown, node: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_operation", bundle, short(operation), short(node)));

/** A node or a tensor with more to it than what is calculated; `what` is its name in the format. */
export const unsafeNode = (bundle: string, node: unknown, what: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_node", bundle, short(node), short(what)));

/** A part of a file beside the one graph that is asked. */
export const unsafePart = (bundle: string, what: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_part", bundle, short(what)));

/** A signature that names other tensors than the manifest and the graph. */
export const unsafePort = (bundle: string, name: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_port", bundle, short(name)));

/** A weight that is no tensor of numbers, or does not fill its place in the file. */
export const unsafeWeight = (bundle: string, name: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_weight", bundle, short(name)));

/** A node that asks for more memory than any board takes. */
export const unsafeSize = (bundle: string, node: unknown): BundleError =>
  new BundleError(sentence("error_unsafe_size", bundle, short(node)));
