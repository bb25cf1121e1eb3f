/**
 * Bundles that a person has given to the page, in the browser from visit to visit: a record each, with all its files.
 *
 * They are in IndexedDB, which is there on plain http too, and which takes all files of a bundle or none.
 */

import { BundleError, reasonOf, type Sentence, sentence } from "../../texts/Sentence";
import { inTime, isFull, openDatabase, within } from "../Database";
import { bundlesOf, type Entry, SCHEMA_VERSION } from "../Index";
import { check, GIVEN, type Read } from "../Store";
import type { Member } from "./Zip";

interface StoredBundle {
  readonly name: string;
  readonly entry: Entry;
  /** By path; a browser reads them when they are asked for. */
  readonly files: ReadonlyMap<string, Blob>;
}

/** Keep a bundle, in place of one of its name. Why it cannot be kept; null if it is. */
export async function keepGiven(entry: Entry, files: ReadonlyMap<string, Member>): Promise<Sentence | null> {
  const { name } = entry;
  const blobs = new Map<string, Blob>();
  try {
    // One after the other; a browser puts large ones on the disk.
    for (const [path, member] of files) blobs.set(path, await new Response(await member.stream()).blob());
    await ask("readwrite", (bundles) => bundles.put({ name, entry, files: blobs } satisfies StoredBundle));
    return null;
  } catch (error) {
    const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    if (isFull(error)) return sentence("given_no_room", name, megabytes(bytes));
    return sentence("given_not_kept", name, reasonOf(error));
  }
}

/** The bundles that are kept, by names that none of `names` is; none where a browser keeps nothing, or does not say. */
export async function keptBundles(names: readonly string[]): Promise<readonly Entry[]> {
  const records = await inTime(ask<StoredBundle[]>("readonly", (bundles) => bundles.getAll())).catch(() => []);
  const entries = records.flatMap(entryIn);
  const own = new Set(entries.map(({ name }) => name));
  return Promise.all(
    entries.map(async (entry) => {
      if (!names.includes(entry.name)) return entry;
      // One of its name was installed since.
      const name = freeName(entry.name, [...names, ...own]);
      own.add(name);
      return (await renameKept(entry.name, name).catch(() => false)) ? { ...entry, name } : entry;
    }),
  );
}

/** How the files of a bundle that is kept are read, each checked again. */
export function keptReader({ name }: Entry): Read {
  return async (path, file) => {
    const bytes = await ask<StoredBundle | undefined>("readonly", (bundles) => bundles.get(name))
      .then((kept) => kept?.files.get(path)?.arrayBuffer())
      .catch((error: unknown) => {
        throw new BundleError(sentence("given_unreadable", name, path, reasonOf(error)), { cause: error });
      });
    if (!bytes) throw new BundleError(sentence("given_missing", name, path));
    await check(bytes, file, name, GIVEN);
    return bytes;
  };
}

/** Remove a bundle that is kept; Error with a sentence if the browser does not. */
export async function forgetGiven(name: string): Promise<void> {
  try {
    await ask("readwrite", (bundles) => bundles.delete(name));
  } catch (error) {
    throw new BundleError(sentence("given_not_removed", name, reasonOf(error)), { cause: error });
  }
}

/** `own`, numbered if it is one of `names`. */
export function freeName(own: string, names: readonly string[]): string {
  let name = own;
  for (let number = 2; names.includes(name); number++) name = `${own}-${number}`;
  return name;
}

/** In tenths, and one of them at least. */
export const megabytes = (bytes: number): number => Math.max(1, Math.round(bytes / 1e5)) / 10;

/** The entry of a record, by the rules of the index; nothing if it is no entry. Its problems are looked for again. */
function entryIn({ entry, files }: StoredBundle): readonly Entry[] {
  try {
    const [found] = bundlesOf({ schema_version: SCHEMA_VERSION, bundles: [{ ...entry, problems: [] }] });
    return found && files instanceof Map ? [{ ...found, isGiven: true }] : [];
  } catch {
    return [];
  }
}

async function renameKept(old: string, name: string): Promise<boolean> {
  const stored = await ask<StoredBundle | undefined>("readonly", (bundles) => bundles.get(old));
  if (!stored) return false;
  await ask("readwrite", (bundles) => {
    bundles.delete(old);
    return bundles.put({ ...stored, name, entry: { ...stored.entry, name } } satisfies StoredBundle);
  });
  return true;
}

/** What a request answers; the database is open for no longer than that. */
async function ask<Answer>(
  mode: IDBTransactionMode,
  act: (bundles: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const database = await openDatabase("azx-given", "bundles", "name");
  try {
    return await within(database, mode, act);
  } finally {
    database.close();
  }
}
