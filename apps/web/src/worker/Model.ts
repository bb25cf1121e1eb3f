/** A bundle's network in some runtime: numbers in, numbers out, whatever it plays. */

import type { Input, Manifest } from "../bundle/Manifest";
import { sizeOf } from "../engine/Encoding";

/** Numbers for each input by its name, flat, without the batch. */
export type Feeds = Readonly<Record<string, ArrayLike<number>>>;

/** Outputs by their names, flat. */
export type Outputs = ReadonlyMap<string, ArrayLike<number>>;

export interface Model {
  /**
   * The outputs for `count` positions at once; on webgl they have to be waited for. Error with a sentence if the
   * runtime cannot run it.
   */
  run(feeds: Feeds, count?: number): Outputs | Promise<Outputs>;
  dispose(): void;
}

/** What of a manifest says how a network takes positions: its inputs, and how many at a time. */
type Taking = Pick<Manifest, "inputs" | "batch">;

export const batchOf = ({ batch }: Pick<Manifest, "batch">): number => batch ?? 1;

/** The outputs for each position, in batches of the network's size; the last position fills up the last batch. */
export async function answers(model: Model, manifest: Taking, rows: readonly Feeds[]): Promise<readonly Outputs[]> {
  const [found, batch]: [Outputs[], number] = [[], batchOf(manifest)];
  for (let at = 0; at < rows.length; at += batch) {
    const taken = rows.slice(at, at + batch);
    const outputs = await model.run(stackRows(manifest, taken), batch);
    found.push(...taken.map((_, row) => rowOf(outputs, row, batch)));
  }
  return found;
}

/** One vector an input, the positions one after the other, filled up with the last. */
function stackRows(manifest: Taking, rows: readonly Feeds[]): Feeds {
  const batch = batchOf(manifest);
  const stack = ({ name, shape }: Input): [string, Float32Array] => {
    const size = sizeOf(shape);
    const whole = new Float32Array(size * batch);
    for (let row = 0; row < batch; row++) {
      const numbers = rows[Math.min(row, rows.length - 1)]?.[name];
      if (numbers?.length !== size)
        throw new Error(`A position has ${numbers?.length ?? "no"} numbers for '${name}', the network reads ${size}.`);
      whole.set(numbers, row * size);
    }
    return [name, whole];
  };
  return Object.fromEntries(manifest.inputs.map(stack));
}

/** One position's part of the outputs of `count`. */
function rowOf(outputs: Outputs, row: number, count: number): Outputs {
  return new Map(
    [...outputs].map(([name, numbers]) => {
      const size = numbers.length / count;
      return [name, Array.prototype.slice.call(numbers, row * size, (row + 1) * size)];
    }),
  );
}
