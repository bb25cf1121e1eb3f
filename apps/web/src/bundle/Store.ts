/**
 * Files of bundles, checked by their hashes and kept for offline use.
 *
 * A file is kept under its address with its hash behind it, so that a bundle that was exported anew is another file.
 */

import { english } from "../texts/Fill";
import { type Entry, type FileEntry, FOLDER, noIndex } from "./Index";

const CACHE = "azx-bundles";

/** Reads a file of a bundle as bytes that are what the manifest says. */
export type Read = (path: string, file: FileEntry) => Promise<ArrayBuffer>;

/** SHA-256 in hexadecimal digits. */
export async function sha256(bytes: BufferSource): Promise<string> {
  if (!globalThis.crypto?.subtle) throw new Error(english("error_cannot_check"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is said of a file that is not that of the entry: what to do depends on where it comes from. */
export interface Faults {
  readonly size: "error_size" | "given_size";
  readonly hash: "error_hash" | "given_hash";
}

const INSTALLED: Faults = { size: "error_size", hash: "error_hash" };

/** Error with a sentence where bytes are not those of the entry of the bundle `name`. */
export async function check(bytes: ArrayBuffer, file: FileEntry, name: string, faults = INSTALLED): Promise<void> {
  checkSize(bytes.byteLength, file, name, faults);
  if ((await sha256(bytes)) !== file.sha256) throw new Error(english(faults.hash, name, file.path));
}

/** Error with a sentence where a file of so many bytes is not that of the entry. */
export function checkSize(size: number, file: FileEntry, name: string, faults: Faults): void {
  if (size !== file.size) throw new Error(english(faults.size, name, file.path, size, file.size));
}

/** How the files of the bundle `entry` are read, below the page's address `base`. */
export function reader(entry: Entry, base: string): Read {
  const { name } = entry;
  return async (path, file) => {
    const address = addressOf(base, name, { ...file, path });
    const cache = await kept();
    const known = await cache?.match(address).catch(() => undefined);
    const bytes = await (known ?? (await fetched(address, name, path))).arrayBuffer();
    await check(bytes, file, name);
    if (cache && !known) await cache.put(address, new Response(bytes)).catch(() => undefined);
    return bytes;
  };
}

/** The index as the server has it now, or as it was when there is no network. */
export async function readIndex(base: string): Promise<unknown> {
  const address = new URL(`${FOLDER}/index.json`, base).href;
  const cache = await kept();
  try {
    const answer = await fetch(address).catch(() => null);
    // What `azx install --remove` leaves of the last bundle: no index at all.
    if (answer?.status === 404) return { schema_version: 1, bundles: [] };
    const index = sound(answer, [
      english("error_index_unreachable"),
      (status) => english("error_index_unanswered", status),
    ]);
    const data = await parsed(index.clone());
    await cache?.put(address, index).catch(() => undefined);
    return data;
  } catch (error) {
    const known = await cache?.match(address).catch(() => undefined);
    if (known) return known.json();
    throw error;
  }
}

/** Forget the files that no installed bundle has any more. */
export async function forgetOthers(entries: readonly Entry[], base: string): Promise<void> {
  const cache = await kept();
  if (!cache) return;
  const wanted = new Set(entries.flatMap((entry) => entry.files.map((file) => addressOf(base, entry.name, file))));
  wanted.add(new URL(`${FOLDER}/index.json`, base).href);
  // What cannot be forgotten now is the next visit's.
  const keys = await cache.keys().catch(() => []);
  for (const { url } of keys) if (!wanted.has(url)) await cache.delete(url).catch(() => false);
}

function addressOf(base: string, name: string, file: FileEntry): string {
  const path = [FOLDER, name, ...file.path.split("/")].map(encodeURIComponent).join("/");
  return new URL(`${path}?sha256=${file.sha256}`, base).href;
}

async function fetched(address: string, name: string, path: string): Promise<Response> {
  const answer = await fetch(address).catch(() => null);
  if (answer?.status === 404) throw new Error(english("error_missing", name, path));
  const unanswered = (status: number): string => english("error_unanswered", name, path, status);
  return sound(answer, [english("error_unreachable", name, path), unanswered]);
}

function parsed(answer: Response): Promise<unknown> {
  return answer.json().catch(() => {
    throw noIndex();
  });
}

/** An answer that is one; Error with the first sentence where there is none, with the other where it has no file. */
function sound(answer: Response | null, [silent, refused]: readonly [string, (status: number) => string]): Response {
  if (!answer) throw new Error(silent);
  if (!answer.ok) throw new Error(refused(answer.status));
  return answer;
}

/** Where files are kept; null where a browser has no such place, or forbids it, as some do in a private window. */
async function kept(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}
