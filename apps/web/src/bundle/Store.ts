/**
 * Files of bundles, checked by their hashes and kept for offline use.
 *
 * A file is kept under its address with its hash behind it, so that a bundle that was exported anew is another file.
 */

import { BundleError, type Sentence, sentence } from "../texts/Sentence";
import { type Entry, type FileEntry, FOLDER, noIndex, SCHEMA_VERSION } from "./Index";
import { isNeeded } from "./Needed";

const CACHE = "azx-bundles";

/** Reads a file of a bundle as bytes that are what the manifest says. */
export type Read = (path: string, file: FileEntry) => Promise<ArrayBuffer>;

export interface How {
  /** Ends the fetching, once the files are not wanted any more. */
  readonly signal?: AbortSignal;
  /** Whether all else that the browser fetches goes first. */
  readonly isLast?: boolean;
  /** Hears the number of bytes of every part that arrives. */
  readonly tell?: (bytes: number) => void;
}

/** SHA-256 in hexadecimal digits. */
export async function sha256(bytes: ArrayBuffer): Promise<string> {
  const hash = globalThis.crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
    : await sha256InScript(bytes);
  return inHex(hash);
}

/** SHA-256 of what a stream brings, of which no more than a piece is held. Browsers have none of their own for that. */
export async function sha256OfStream(stream: ReadableStream<Uint8Array>): Promise<string> {
  const hash = (await hashLibrary()).sha256.create();
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) hash.update(piece.value);
  return inHex(hash.digest());
}

/** Over plain http from another machine, browsers have no cryptography of their own. */
async function sha256InScript(bytes: ArrayBuffer): Promise<Uint8Array> {
  return (await hashLibrary()).sha256(new Uint8Array(bytes));
}

/** A file that is smaller than its entry says may be packed. */
async function unpack(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const { unpacked } = await import("./Packed");
  return unpacked(bytes).catch(() => bytes);
}

function hashLibrary(): Promise<typeof import("@noble/hashes/sha2.js")> {
  return import("@noble/hashes/sha2.js").catch((error: unknown) => {
    throw new BundleError(sentence("error_cannot_check"), { cause: error });
  });
}

function inHex(hash: Uint8Array): string {
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The sentences about a file that is not that of its entry: what to do depends on where the file comes from. */
export interface Faults {
  readonly size: "error_size" | "given_size";
  readonly hash: "error_hash" | "given_hash";
}

const INSTALLED: Faults = { size: "error_size", hash: "error_hash" };
/** What a person has given. */
export const GIVEN: Faults = { size: "given_size", hash: "given_hash" };

/** Error with a sentence if bytes are not those of the entry of the bundle `name`. */
export async function check(bytes: ArrayBuffer, file: FileEntry, name: string, faults = INSTALLED): Promise<void> {
  checkSize(bytes.byteLength, file, name, faults);
  if ((await sha256(bytes)) !== file.sha256) throw new BundleError(sentence(faults.hash, name, file.path));
}

/** Error with a sentence if a file of `size` bytes is not that of the entry. */
export function checkSize(size: number, file: FileEntry, name: string, faults: Faults): void {
  if (size !== file.size) throw new BundleError(sentence(faults.size, name, file.path, size, file.size));
}

/** How the files of the bundle `entry` are read, below the page's address `base`. */
export function reader(entry: Entry, base: string, how: How = {}): Read {
  const { name } = entry;
  return async (path, file) => {
    const address = addressOf(base, name, { ...file, path });
    const cache = await openCache();
    const known = await cache?.match(address).catch(() => undefined);
    const sent = known ? await known.arrayBuffer() : await fetchFile(address, name, path, how);
    const bytes = sent.byteLength < file.size ? await unpack(sent) : sent;
    if (known) how.tell?.(bytes.byteLength);
    await check(bytes, file, name);
    if (cache && !known) await cache.put(address, new Response(bytes)).catch(() => undefined);
    return bytes;
  };
}

/** Fetch what a bundle is played with and is not kept yet, one file after the other; nothing where a browser keeps none. */
export async function keep(entry: Entry, base: string, how: How): Promise<void> {
  const cache = await openCache();
  if (!cache) return;
  const read = reader(entry, base, how);
  for (const file of entry.files.filter((each) => isNeeded(entry, each))) {
    const known = await cache.match(addressOf(base, entry.name, file)).catch(() => undefined);
    if (!known) await read(file.path, file);
  }
}

/** The index as the server has it now, or as it was when there is no network. */
export async function readIndex(base: string): Promise<unknown> {
  const address = new URL(`${FOLDER}/index.json`, base).href;
  const cache = await openCache();
  try {
    const answer = await fetch(address).catch(() => null);
    // What `azx install --remove` leaves of the last bundle: no index at all.
    if (answer?.status === 404) return { schema_version: SCHEMA_VERSION, bundles: [] };
    const index = requireFile(answer, sentence("error_index_unreachable"), (status) =>
      sentence("error_index_unanswered", status),
    );
    const data: unknown = await index
      .clone()
      .json()
      .catch(() => {
        throw noIndex();
      });
    await cache?.put(address, index).catch(() => undefined);
    return data;
  } catch (error) {
    const known = await cache?.match(address).catch(() => undefined);
    if (known) return known.json();
    throw error;
  }
}

/** A file beside the bundles as the server has it now; null if it does not answer. What has not changed is not sent again. */
export async function textOf(base: string, file: string): Promise<string | null> {
  const answer = await fetch(new URL(`${FOLDER}/${file}`, base).href).catch(() => null);
  return answer?.ok ? answer.text().catch(() => null) : null;
}

/** Forget the files that no installed bundle has any more; those of another page on the same host stay. */
export async function forgetOthers(entries: readonly Entry[], base: string): Promise<void> {
  const cache = await openCache();
  if (!cache) return;
  const wanted = new Set(entries.flatMap((entry) => entry.files.map((file) => addressOf(base, entry.name, file))));
  wanted.add(new URL(`${FOLDER}/index.json`, base).href);
  // What cannot be forgotten now is the next visit's.
  const keys = await cache.keys().catch(() => []);
  const own = new URL(`${FOLDER}/`, base).href;
  for (const { url } of keys) if (url.startsWith(own) && !wanted.has(url)) await cache.delete(url).catch(() => false);
}

function addressOf(base: string, name: string, file: FileEntry): string {
  const path = [FOLDER, name, ...file.path.split("/")].map(encodeURIComponent).join("/");
  return new URL(`${path}?sha256=${file.sha256}`, base).href;
}

/** The bytes at an address; Error with a sentence if they do not come, an AbortError after `signal`. */
async function fetchFile(address: string, name: string, path: string, how: How): Promise<ArrayBuffer> {
  const { signal, isLast, tell } = how;
  const given: RequestInit = { signal: signal ?? null, priority: isLast ? "low" : "auto" };
  const answer = await fetch(address, given).catch(() => null);
  signal?.throwIfAborted();
  if (answer?.status === 404) throw new BundleError(sentence("error_missing", name, path));
  const unreachable = sentence("error_unreachable", name, path);
  const file = requireFile(answer, unreachable, (status) => sentence("error_unanswered", name, path, status));
  const bytes = await readBody(file, tell).catch(() => null);
  signal?.throwIfAborted();
  // A connection may break in the middle.
  if (!bytes) throw new BundleError(unreachable);
  return bytes;
}

async function readBody(answer: Response, tell: How["tell"]): Promise<ArrayBuffer> {
  if (!answer.body || !tell) return answer.arrayBuffer();
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      tell(part.byteLength);
      controller.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(heard)).arrayBuffer();
}

/** An answer with a file. BundleError with `silent` if there is no answer, with `refused` if it has no file. */
function requireFile(answer: Response | null, silent: Sentence, refused: (status: number) => Sentence): Response {
  if (!answer) throw new BundleError(silent);
  if (!answer.ok) throw new BundleError(refused(answer.status));
  return answer;
}

/** Where files are kept; null if a browser has no such place, or forbids it, as some do in a private window. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}
