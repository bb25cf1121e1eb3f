/**
 * A .zip as its members, read by its central directory, which alone says what is in it.
 *
 * Nothing is unpacked before it is asked for, and then into as many bytes as the directory has said at most, piece by
 * piece. What few packers write and this app has no need of is refused in a sentence: several disks, Zip64, encryption.
 * So are members that share bytes, or have far more of them than what they pack: small files could take hours.
 */

import { BundleError, sentence } from "../../texts/Sentence";

/** A file as a person has given it: its path below what was given, its bytes when they are asked for. */
export interface Member {
  readonly path: string;
  readonly size: number;
  /** Piece by piece, so that the reader holds one piece at most. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

export const MOST_MEMBERS = 2000;
// The directory's end stands behind it, before a comment of 64 KiB at most.
const END = { signature: 0x06054b50, size: 22, comment: 0xffff };
const ZIP64_LOCATOR = { signature: 0x07064b50, size: 20 };
const ENTRY = { signature: 0x02014b50, size: 46 };
const LOCAL = { signature: 0x04034b50, size: 30 };
const MOST_DIRECTORY_BYTES = 4e6;
const PIECE_BYTES = 2 ** 16;
const ENCRYPTED = 0x2041;
const STORED = 0;
const DEFLATED = 8;
// In place of a number that stands in a Zip64 record.
const [FULL_16, FULL_32] = [0xffff, 0xffffffff];
// No packer makes a file longer than by this share and these bytes.
const [MOST_LONGER, MOST_MORE] = [1.25, 1024];

export async function isZip(blob: Blob): Promise<boolean> {
  const view = await viewOf(blob, 0, 4);
  return view.byteLength === 4 && [LOCAL.signature, END.signature].includes(view.getUint32(0, true));
}

/**
 * The files in the .zip called `where`, `most` at most; Error with a sentence if it is none, or one of a kind that is
 * not read.
 */
export async function membersOf(zip: Blob, where: string, most = MOST_MEMBERS): Promise<readonly Member[]> {
  const { count, size, offset } = await directoryOf(zip, where, most);
  const view = await viewOf(zip, offset, offset + size);
  const members: Member[] = [];
  let packed = 0;
  for (let at = 0, number = 0; number < count; number++) {
    if (at + ENTRY.size > view.byteLength || view.getUint32(at, true) !== ENTRY.signature) throw damage(where);
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const next = at + ENTRY.size + name + extra + comment;
    if (next > view.byteLength) throw damage(where);
    packed += view.getUint32(at + 20, true);
    // More than there is: members share their bytes.
    if (packed > zip.size) throw damage(where);
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + ENTRY.size, name));
    // A folder's own entry says nothing that its files' do not.
    if (!path.endsWith("/")) members.push(memberOf(zip, path, view, at, where));
    at = next;
  }
  return members;
}

/** Where the central directory lies, and how many entries it has. */
async function directoryOf(
  zip: Blob,
  where: string,
  most: number,
): Promise<{ count: number; size: number; offset: number }> {
  const from = Math.max(0, zip.size - END.size - END.comment - ZIP64_LOCATOR.size);
  const view = await viewOf(zip, from, zip.size);
  let at = view.byteLength - END.size;
  while (at >= 0 && !(view.getUint32(at, true) === END.signature && endsAt(view, at))) at--;
  if (at < 0) throw new BundleError(sentence("zip_none", where));
  const locator = at - ZIP64_LOCATOR.size;
  const [disk, first, here, count = 0] = [4, 6, 8, 10].map((place) => view.getUint16(at + place, true));
  const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
  const isZip64 = locator >= 0 && view.getUint32(locator, true) === ZIP64_LOCATOR.signature;
  if (isZip64 || count === FULL_16 || size === FULL_32 || offset === FULL_32) throw zip64(where);
  if (disk !== 0 || first !== 0 || here !== count) throw new BundleError(sentence("zip_parts", where));
  if (count > most) throw new BundleError(sentence("zip_entries", where, count, most));
  if (size > MOST_DIRECTORY_BYTES || offset + size > from + at) throw damage(where);
  return { count, size, offset };
}

/** Whether an end of the directory at `at` has a comment that fills the rest. */
function endsAt(view: DataView, at: number): boolean {
  return at + END.size + view.getUint16(at + 20, true) === view.byteLength;
}

/** The member whose entry stands at `at` of the directory. */
function memberOf(zip: Blob, path: string, view: DataView, at: number, where: string): Member {
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  const offset = view.getUint32(at + 42, true);
  if (flags & ENCRYPTED) throw new BundleError(sentence("zip_encrypted", where, path));
  if ([packed, size, offset].includes(FULL_32)) throw zip64(where);
  if (method !== STORED && method !== DEFLATED) throw new BundleError(sentence("zip_packing", where, path, method));
  const isLonger = packed > size * MOST_LONGER + MOST_MORE;
  if ((method === STORED && packed !== size) || isLonger) throw damage(where);
  return {
    path,
    size,
    stream: async () => {
      const bytes = await packedBytes(zip, offset, packed, where);
      return method === STORED ? bytes.stream() : unpack(bytes, size, where);
    },
  };
}

/** What lies behind a member's own header. */
async function packedBytes(zip: Blob, offset: number, packed: number, where: string): Promise<Blob> {
  const header = await viewOf(zip, offset, offset + LOCAL.size);
  if (header.byteLength < LOCAL.size || header.getUint32(0, true) !== LOCAL.signature) throw damage(where);
  const begin = offset + LOCAL.size + header.getUint16(26, true) + header.getUint16(28, true);
  if (begin + packed > zip.size) throw damage(where);
  return zip.slice(begin, begin + packed);
}

/** Exactly `size` bytes; its reader gets an Error with a sentence as soon as there are more, or where there are fewer. */
function unpack(packed: Blob, size: number, where: string): ReadableStream<Uint8Array> {
  const { readable, writable } = inflater();
  const reader = readable.getReader();
  let left = size;
  return new ReadableStream({
    start(controller) {
      // If that fails, some engines let the reader wait for ever.
      feed(packed, writable.getWriter()).catch(() => controller.error(damage(where)));
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => {
        throw damage(where);
      });
      left -= value?.length ?? 0;
      if (left < 0) {
        controller.error(new BundleError(sentence("zip_more", where)));
        return reader.cancel().catch(() => undefined);
      }
      if (done && left) throw damage(where);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Write all of a blob, a piece whenever there is room for it: a blob's own stream runs ahead of its reader in some engines. */
async function feed(blob: Blob, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    await writer.write(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
  }
  await writer.close();
}

function inflater(): DecompressionStream {
  try {
    return new DecompressionStream("deflate-raw");
  } catch {
    throw new BundleError(sentence("zip_no_inflater"));
  }
}

async function viewOf(blob: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await blob.slice(from, to).arrayBuffer());
}

function damage(where: string): Error {
  return new BundleError(sentence("zip_damaged", where));
}

function zip64(where: string): Error {
  return new BundleError(sentence("zip_64", where));
}
