import { afterEach, expect, it, vi } from "vitest";

import type { Entry } from "../../src/bundle/Index";
import { forgetOthers, reader, readIndex, sha256 } from "../../src/bundle/Store";
import { inWords } from "../texts/words";
import { hash } from "./tiny";

const BASE = "http://localhost/";
const BYTES = Buffer.from("some weights");
const FILE = { path: "a.bin", sha256: hash(BYTES), size: BYTES.length };
const INDEX = { schema_version: 2, bundles: [] };
const ENTRY = { name: "tiny", files: [FILE] } as unknown as Entry;

const refuse = (): Promise<never> => Promise.reject(new DOMException("not here", "SecurityError"));
const thrown = (): never => {
  throw new DOMException("not here", "SecurityError");
};
const FORBIDDEN: readonly (readonly [string, PropertyDescriptor])[] = [
  ["throws where it is asked for", { get: thrown }],
  ["throws", { value: { open: thrown } }],
  ["refuses", { value: { open: refuse } }],
  ["opens and then refuses", { value: { open: async () => ({ match: refuse, put: refuse, keys: refuse }) } }],
  ["is not there", { value: undefined }],
];

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, "caches");
});

it.each(FORBIDDEN)("reads an index and files where the browser's cache %s", async (_, caches) => {
  Object.defineProperty(globalThis, "caches", { ...caches, configurable: true });
  vi.stubGlobal("fetch", async (address: string) =>
    address.endsWith("index.json") ? Response.json(INDEX) : new Response(BYTES),
  );
  expect(await readIndex(BASE)).toEqual(INDEX);
  expect(Buffer.from(await reader(ENTRY, BASE)("a.bin", FILE))).toEqual(BYTES);
  await forgetOthers([ENTRY], BASE);
});

// On plain http from another machine `crypto` has no `subtle`, and some browsers have no `crypto` there.
it.each([{}, undefined])("checks files by the same SHA-256 where the browser has none: %s", async (crypto) => {
  const all = Uint8Array.from({ length: 1_000_003 }, (_, at) => (at * 131 + (at >> 8)) % 256);
  const parts = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000_003].map((length) => all.slice(0, length).buffer);
  const wanted = await Promise.all(parts.map(sha256));
  expect(wanted).toEqual(parts.map((part) => hash(new Uint8Array(part))));
  vi.stubGlobal("crypto", crypto);
  expect(await Promise.all(parts.map(sha256))).toEqual(wanted);
  vi.stubGlobal("fetch", async () => new Response(BYTES));
  expect(Buffer.from(await reader(ENTRY, BASE)("a.bin", FILE))).toEqual(BYTES);
  vi.stubGlobal("fetch", async () => new Response(Buffer.from("Some weights")));
  await expect(inWords(reader(ENTRY, BASE)("a.bin", FILE))).rejects.toThrow("SHA-256 differs");
});
