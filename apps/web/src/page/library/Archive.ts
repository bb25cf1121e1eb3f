/** A library as a .zip: a JSON file each game, written and read again. */

import { membersOf } from "../../bundle/given/Zip";
import { BundleError } from "../../texts/Sentence";
import { count, type Said, saidOf, say } from "../../texts/Speech";
import { freshId, type GameRecord, goesOn, readGameRecord } from "../game/GameRecord";
import { EXPORT_FOLDER } from "./Export";
import { lawful } from "./Lawful";
import type { Library } from "./Library";
import "texts:given";
import "texts:library";

/** All records as a .zip, its members as they are: JSON this small is not worth packing. */
export function exportGames(records: readonly GameRecord[]): Blob {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const record of records) {
    const name = new TextEncoder().encode(
      `${EXPORT_FOLDER}${record.begun.slice(0, 10)}-${record.game}-${record.id}.json`,
    );
    const bytes = new TextEncoder().encode(`${JSON.stringify(record, null, 1)}\n`);
    const about = [0x0800_0014, 0, dateOf(record), crc32(bytes), bytes.length, bytes.length];
    const local = header([0x04034b50, ...about], name.length, 0);
    parts.push(local, name, bytes);
    directory.push(centralOf(about, name, offset));
    offset += local.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  for (const at of [8, 10]) end.setUint16(at, records.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** A local header: signature, version and flags, method, date, CRC, sizes; then the lengths of name and extra. */
function header(words: readonly number[], name: number, extra: number): Uint8Array<ArrayBuffer> {
  const [signature = 0, versionAndFlags = 0, method = 0, date = 0, crc = 0, packed = 0, plain = 0] = words;
  const view = new DataView(new ArrayBuffer(30));
  view.setUint32(0, signature, true);
  view.setUint16(4, versionAndFlags & 0xffff, true);
  view.setUint16(6, versionAndFlags >>> 16, true);
  view.setUint16(8, method, true);
  view.setUint32(10, date, true);
  view.setUint32(14, crc, true);
  view.setUint32(18, packed, true);
  view.setUint32(22, plain, true);
  view.setUint16(26, name, true);
  view.setUint16(28, extra, true);
  return new Uint8Array(view.buffer);
}

/** A member's entry of the directory at the end. */
function centralOf(about: readonly number[], name: Uint8Array, offset: number): Uint8Array<ArrayBuffer> {
  const local = header([0, ...about], name.length, 0);
  const entry = new Uint8Array(46 + name.length);
  const view = new DataView(entry.buffer);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, 20, true);
  entry.set(local.subarray(4), 6);
  view.setUint32(42, offset, true);
  entry.set(name, 46);
  return entry;
}

/** When a record was changed, in MS-DOS's halves: two seconds, minutes, hours; day, month, years since 1980. */
function dateOf({ changed }: GameRecord): number {
  const date = new Date(changed);
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  const day = (Math.max(0, date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  return ((day << 16) | time) >>> 0;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A record's own file is not larger, and a library has no more of them. */
const LARGEST = 2_000_000;
const MOST_GAMES = 20_000;

/** Put the games of a .zip into the library; returns a report. A game that differs from its entry becomes another entry. */
export async function importGames(library: Library, blob: Blob): Promise<Said> {
  let [taken, known, refused] = [0, 0, 0];
  try {
    for (const member of await membersOf(blob, say("library"), MOST_GAMES)) {
      const read = member.size > LARGEST ? null : readGameRecord(await jsonOf(await member.stream()));
      const record = read && lawful(read);
      const there = record && library.list().find(({ id }) => id === record.id);
      if (!record) refused++;
      else if (there && goesOn(record, there)) known++;
      else {
        library.keep(there ? { ...record, id: freshId() } : record);
        taken++;
      }
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return saidOf(error);
  }
  return () =>
    [
      count("library_imported", taken),
      ...(known ? [count("library_known", known)] : []),
      ...(refused ? [count("library_unread", refused)] : []),
    ].join(" ");
}

async function jsonOf(stream: ReadableStream<Uint8Array>): Promise<unknown> {
  try {
    return JSON.parse(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text());
  } catch {
    return null;
  }
}
