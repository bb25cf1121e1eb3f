/** Which files of a bundle its game needs, and what they take to come. */

import type { Entry, FileEntry } from "./Index";
import { isLite } from "./Lite";

export const MANIFEST = "manifest.json";
export const GOLDEN = "golden.json";

type EntryFiles = Pick<Entry, "artifact" | "files">;

/** Whether a network is not played without a file: what the self-test and LiteRT.js read waits until it is asked for. */
export function isNeeded({ artifact }: Pick<Entry, "artifact">, file: FileEntry): boolean {
  if (typeof artifact !== "string") return file.path !== GOLDEN && !isLite(file);
  return file.path === MANIFEST || file.path.startsWith(`${artifact}/`);
}

/** How many bytes a network takes to come. */
export function bytesOf(entry: EntryFiles): number {
  return entry.files.reduce((sum, file) => sum + (isNeeded(entry, file) ? file.size : 0), 0);
}

/** The entry as it is played in full precision: as it is if it has no other. */
export function inFull(entry: Entry): Entry {
  const model = "/model.json";
  const other = entry.files.find(({ path }) => path.endsWith(model) && !path.startsWith(`${entry.artifact}/`));
  return other ? { ...entry, artifact: other.path.slice(0, -model.length) } : entry;
}
