/**
 * Files of bundles, checked by their hashes and kept for offline use.
 *
 * A file is kept under its address with its hash behind it, so that a bundle that was exported anew is another file.
 */

import { type Entry, type FileEntry, FOLDER, noIndex } from "./Index";

const CACHE = "azx-bundles";

/** Reads a file of a bundle as bytes that are what the manifest says. */
export type Read = (path: string, file: FileEntry) => Promise<ArrayBuffer>;

/** SHA-256 in hexadecimal digits. */
export async function sha256(bytes: BufferSource): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Error("Files cannot be checked here: open this page by https or on localhost.");
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Error with a sentence, which ends with what to do, where bytes are not those of the entry. */
export async function check(
  bytes: ArrayBuffer,
  file: FileEntry,
  where: string,
  remedy = "install the bundle again",
): Promise<void> {
  checkSize(bytes.byteLength, file, where, remedy);
  if ((await sha256(bytes)) !== file.sha256)
    throw new Error(`${where}: '${file.path}' is not the file of its manifest (SHA-256 differs): ${remedy}.`);
}

/** Error with a sentence where a file of so many bytes is not that of the entry. */
export function checkSize(size: number, file: FileEntry, where: string, remedy: string): void {
  if (size === file.size) return;
  throw new Error(`${where}: '${file.path}' has ${size} bytes, its manifest says ${file.size}: ${remedy}.`);
}

/** How the files of the bundle `entry` are read, below the page's address `base`. */
export function reader(entry: Entry, base: string): Read {
  const where = `Bundle '${entry.name}'`;
  return async (path, file) => {
    const address = addressOf(base, entry.name, { ...file, path });
    const cache = await kept();
    const known = await cache?.match(address).catch(() => undefined);
    const bytes = await (known ?? (await fetched(address, `${where}: '${path}'`))).arrayBuffer();
    await check(bytes, file, where);
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
    const index = sound(answer, `${FOLDER}/index.json`);
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

async function fetched(address: string, what: string): Promise<Response> {
  const answer = await fetch(address).catch(() => null);
  if (answer?.status === 404) throw new Error(`${what} is missing: install the bundle again.`);
  return sound(answer, what);
}

function parsed(answer: Response): Promise<unknown> {
  return answer.json().catch(() => {
    throw noIndex();
  });
}

function sound(answer: Response | null, what: string): Response {
  if (!answer) throw new Error(`${what} cannot be reached: look whether the server runs and try again.`);
  if (!answer.ok) throw new Error(`${what} cannot be read (${answer.status}): install the bundle again.`);
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
