/** The readings of a network whose way to see the board is only assumed, as its manifest lists them. */

import { isCount, isData, membersOf } from "../engine/Data";
import { type Encoding, shapeOf, sizeOf } from "../engine/Encoding";
import type { Reading } from "../engine/Game";
import { GameError } from "../engine/GameError";
import { fromManifest, type ManifestGame } from "../engine/known/Recognition";

const MOST = 8;
const NAME = /^[a-z0-9_-]{1,120}$/;

/** Another reading as the manifest has it; `name` is what `azx export --encoding` takes. */
interface Other {
  readonly name: string;
  readonly encoding: object;
  readonly actions: string | readonly number[];
}

export interface Assumed {
  readonly others: readonly Other[];
}

/** What the page knows of an assumed reading: the assumed encoding, the others by name, and the one that a person chose. */
export interface Doubt {
  readonly assumed: Encoding;
  readonly others: readonly { readonly name: string; readonly encoding: Encoding }[];
  /** null if the assumed one plays. */
  readonly chosen: string | null;
  /** Whether how it sees the board is assumed. */
  readonly board: boolean;
  /** Whether only its shape says which output is its value or its policy. */
  readonly outputs: boolean;
}

export function isAssumed(data: unknown): data is Assumed {
  const { others } = membersOf(data);
  return Array.isArray(others) && others.length <= MOST && others.every(isOther);
}

function isOther(data: unknown): data is Other {
  const { name, encoding, actions } = membersOf(data);
  const isNumbering = typeof actions === "string" || (Array.isArray(actions) && actions.every(isCount));
  return typeof name === "string" && NAME.test(name) && isData(encoding) && isNumbering;
}

/** The other readings that this app can draw, on the same board and as many numbers as the network reads. */
export function readOthers(
  { others }: Assumed,
  game: ManifestGame,
  width: number | null,
  assumed: Reading,
): ReadonlyMap<string, Reading> {
  const read = others.flatMap(({ name, encoding, actions }): readonly (readonly [string, Reading])[] => {
    try {
      const reading = fromManifest({ ...game, encoding, actions }, width);
      return isAlike(reading.encoding, assumed.encoding) ? [[name, reading]] : [];
    } catch (error) {
      // A later azx may know planes that this app does not.
      if (error instanceof GameError) return [];
      throw error;
    }
  });
  return new Map(read);
}

function isAlike(one: Encoding, other: Encoding): boolean {
  return one.board.join() === other.board.join() && sizeOf(shapeOf(one)) === sizeOf(shapeOf(other));
}

/** What the page shows of these readings; `others` is null if the reading is known. null if nothing is in doubt. */
export function doubtOf(
  assumed: Reading,
  others: ReadonlyMap<string, Reading> | null,
  chosen: string | null,
  outputs: boolean,
): Doubt | null {
  if (!others) return outputs ? { assumed: assumed.encoding, others: [], chosen: null, board: false, outputs } : null;
  const listed = [...others].map(([name, { encoding }]) => ({ name, encoding }));
  const known = chosen !== null && others.has(chosen) ? chosen : null;
  return { assumed: assumed.encoding, others: listed, chosen: known, board: true, outputs };
}
