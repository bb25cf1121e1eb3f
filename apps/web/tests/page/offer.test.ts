/** What a page makes of an index that has changed since it was read. */

import { describe, expect, it } from "vitest";

import { bundlesOf, type Entry, isWatched } from "../../src/bundle/Index";
import { newsOf } from "../../src/page/bundles/Offer";

/** An index of these networks, each a name and a hash. */
const index = (...networks: readonly (readonly [string, string])[]): readonly Entry[] =>
  bundlesOf({
    schema_version: 2,
    watched: true,
    bundles: networks.map(([name, sha256]) => ({
      name,
      title: name,
      game: "tictactoe",
      settings: {},
      artifact: "net_tfjs",
      format: "tfjs",
      files: [{ path: "manifest.json", sha256, size: 10 }],
      problems: [],
    })),
  });

const first = (entries: readonly Entry[]): Entry => {
  const [entry] = entries;
  if (!entry) throw new Error("no entry");
  return entry;
};

describe("the news of an index", () => {
  it("are none where every file is the same: the entries stay the very ones that are listed", () => {
    const listed = index(["tictactoe", "a"], ["go", "b"]);
    const { entries, offer } = newsOf(listed, first(listed), index(["tictactoe", "a"], ["go", "b"]));
    expect(entries.every((entry, at) => entry === listed[at])).toBe(true);
    expect(offer).toBeNull();
  });

  it("offer another network for the board that is there, and leave the old one listed until it is taken", () => {
    const listed = index(["tictactoe", "a"]);
    const { entries, offer } = newsOf(listed, first(listed), index(["tictactoe", "c"]));
    expect(entries).toEqual(listed);
    expect(offer?.files[0]?.sha256).toBe("c");
  });

  it("list other networks for what is not open at once, and games that have come", () => {
    const listed = index(["tictactoe", "a"], ["go", "b"]);
    const { entries, offer } = newsOf(listed, first(listed), index(["connect4", "x"], ["go", "c"], ["tictactoe", "a"]));
    expect(entries.map(({ name, files }) => [name, files[0]?.sha256])).toEqual([
      ["connect4", "x"],
      ["go", "c"],
      ["tictactoe", "a"],
    ]);
    expect(offer).toBeNull();
  });

  it("take nothing away that is open or was given to the page", () => {
    const [open] = index(["tictactoe", "a"]);
    const given: Entry = { ...first(index(["own", "z"])), isGiven: true };
    const listed = open ? [open, given] : [];
    const { entries, offer } = newsOf(listed, open ?? null, index(["go", "b"]));
    expect(entries.map(({ name }) => name)).toEqual(["go", "tictactoe", "own"]);
    expect(offer).toBeNull();
  });
});

describe("an index", () => {
  it("says whether it may change", () => {
    expect(isWatched({ schema_version: 2, watched: true, bundles: [] })).toBe(true);
    for (const data of [{ schema_version: 2, bundles: [] }, { watched: "yes" }, null, 3])
      expect(isWatched(data)).toBe(false);
  });
});
