/** What a network may not hold, as the sentence about it: none is given to a runtime before it was looked at. */

import { BundleError } from "../../texts/Sentence";

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

/**
 * What is unsafe in a network, with the names of its places: an `operation` that is not on the list, which may draw lots,
 * touch files or call other code; a `node` or tensor that does more than calculate, and what of it; a `part` beside the
 * one graph that is asked; a `port` of the signature that the manifest and the graph do not have; a `weight` that is no
 * tensor of numbers, or does not fill its place in the file; a node whose `size` is more memory than any board takes.
 */
export const unsafe = (
  kind: "operation" | "node" | "part" | "port" | "weight" | "size",
  bundle: string,
  ...names: readonly unknown[]
): BundleError => new BundleError({ key: `error_unsafe_${kind}`, places: [bundle, ...names.map(short)] });
