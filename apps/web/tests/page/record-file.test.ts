/** The text of a record's file: in the character set that its SGF names. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { readRecord } from "../../src/engine/records/Reading";
import { textOf } from "../../src/page/records/RecordFile";

const fixture = new URL("../../../../mobile_assets/fixtures/records.json", import.meta.url);
const { encoded } = JSON.parse(readFileSync(fixture, "utf8")) as { encoded: { bytes: string; name: string }[] };

it.each(encoded)("is read in the character set that it names: $name", async ({ bytes, name }) => {
  const text = await textOf(new Blob([Uint8Array.from(Buffer.from(bytes, "hex"))]));
  expect(readRecord(text).names[0]).toBe(name);
});

it("is UTF-8 where it is no SGF, with a mark for what is none", async () => {
  expect(await textOf(new Blob(["connect4: 3", Uint8Array.of(0xfc)]))).toBe("connect4: 3\ufffd");
});
