/**
 * How large what an operation makes may get: the numbers that give a size, followed back to constants.
 *
 * A `Fill` of some bytes asks for any amount of memory. Its size is a constant, or is put together from constants and from
 * the shapes of tensors: then the product of all these constants is at least as large.
 */

import { MOST_VALUES, valuesIn } from "./Unsafe";

/** What makes a tensor: its operation and the tensors that it reads. */
export interface Maker {
  readonly operation: string;
  readonly inputs: readonly string[];
}

/** The tensors of a graph; `constant` gives the whole numbers of a small constant, null of all else. */
export interface Tensors {
  readonly makers: ReadonlyMap<string, Maker>;
  readonly constant: (name: string) => readonly number[] | null;
}

/** The inputs that give a size, by the operations' names in all formats: in small letters, without version. */
const SIZED_BY: Readonly<Record<string, readonly number[]>> = {
  fill: [0],
  conv2dbackpropinput: [0],
  transposeconv: [0],
  conv3dtranspose: [0],
  tile: [1],
  broadcastto: [1],
  pad: [1],
  mirrorpad: [1],
  onehot: [1],
  sparsetodense: [1],
  resizebilinear: [1],
  resizenearestneighbor: [1],
  bincount: [1],
  densebincount: [1],
  rfft: [1],
  rfft2d: [1],
  irfft: [1],
  dilate: [1],
  scatternd: [2],
  spacetobatchnd: [2],
  linspace: [2],
  imageprojectivetransform: [2],
  unsortedsegmentmax: [2],
  unsortedsegmentmin: [2],
  unsortedsegmentprod: [2],
  unsortedsegmentsum: [2],
  cropandresize: [3],
  range: [0, 1, 2],
};
/** Operations of whose inputs all bear sizes; of others that put sizes together the first one does. */
const JOINING =
  /^(pack|concat|concatenation|add|sub|mul|floordiv|realdiv|div|maximum|minimum|floormod|mod|select|where|range)$/;
/** What there is already has a size that was looked at. */
const OF_SHAPES = /^(shape|shapen|size|rank)$/;

const bare = (operation: string): string => operation.replace(/V\d+$/, "").replaceAll("_", "").toLowerCase();

/** Whether an operation asks for more values than any board takes, or for as many as the board says. */
export function isTooLarge({ operation, inputs }: Maker, { makers, constant }: Tensors): boolean {
  const left = (SIZED_BY[bare(operation)] ?? []).flatMap((at) => inputs[at] ?? []);
  const visited = new Set<string>();
  let total = 1;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (visited.has(name)) continue;
    visited.add(name);
    const [values, maker] = [constant(name), makers.get(name)];
    total *= values ? valuesIn(values) : 1;
    if (total > MOST_VALUES) return true;
    if (values || (maker && OF_SHAPES.test(bare(maker.operation)))) continue;
    if (!maker?.inputs.length) return true;
    left.push(...(JOINING.test(bare(maker.operation)) ? maker.inputs : maker.inputs.slice(0, 1)));
  }
  return false;
}
