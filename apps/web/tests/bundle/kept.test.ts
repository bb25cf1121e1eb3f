/** Why a browser does not keep a bundle: what it says has all that would be kept. */

import { afterEach, expect, it, vi } from "vitest";
import { keepGiven } from "../../src/bundle/given/StoredBundles";
import type { Member } from "../../src/bundle/given/Zip";
import type { Entry } from "../../src/bundle/Index";

afterEach(() => vi.unstubAllGlobals());

const member = (path: string, size: number): [string, Member] => [
  path,
  { path, size, stream: async () => new Blob([new Uint8Array(size)]).stream() },
];

it("says how much room all files of a bundle need, where there is none", async () => {
  const full = (): never => {
    throw new DOMException("no room", "QuotaExceededError");
  };
  vi.stubGlobal("indexedDB", { open: full });
  const files = new Map([member("manifest.json", 120_000), member("model.json", 90_000), member("weights", 290_000)]);
  const why = await keepGiven({ name: "mine" } as Entry, files);
  expect(why).toEqual({ key: "given_no_room", places: ["mine", 0.5] });
});

it("says why where it is another reason", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new Error("forbidden here");
    },
  });
  expect(await keepGiven({ name: "mine" } as Entry, new Map())).toEqual({
    key: "given_not_kept",
    places: ["mine", "forbidden here"],
  });
});
