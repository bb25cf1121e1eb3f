/** The page's rooms are the folders of src/. None of them imports, over whichever way, what imports it: types included. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../src");

/** What each file or room imports, by its path below src/. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

/** What a text imports of src/, at once, later or as a type. */
function importsIn(path: string, text: string): readonly string[] {
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const own = names.filter((name) => name.startsWith("."));
  return own.map((name) => normalize(join(dirname(path), `${name}.ts`))).filter((file) => files.includes(file));
}

/** The imports of all files; `planted` are lines that are added to some. */
function importsOfFiles(planted: Readonly<Record<string, string>> = {}): Imports {
  const textOf = (path: string): string => readFileSync(join(SOURCES, path), "utf8") + (planted[path] ?? "");
  return new Map(files.map((path) => [path, new Set(importsIn(path, textOf(path)))]));
}

/** The imports of rooms: a folder is one, and a folder in it is another. */
function importsOfRooms(imported: Imports): Imports {
  const rooms = new Map<string, Set<string>>();
  for (const [path, others] of imported) {
    const room = dirname(path);
    const found = rooms.get(room) ?? new Set<string>();
    for (const other of others) if (dirname(other) !== room) found.add(dirname(other));
    rooms.set(room, found);
  }
  return rooms;
}

/** Those that reach themselves, in order. */
function inCircles(imported: Imports): readonly string[] {
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const waiting = [...(imported.get(from) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(...(imported.get(next) ?? []));
    }
    return found;
  };
  return [...imported.keys()].filter((each) => reached(each).has(each)).sort();
}

/** The folders that import, and are imported by, the folder that they lie in. */
const bothWays = (rooms: Imports): readonly string[] =>
  [...rooms.keys()].filter((room) => {
    const parents = [...rooms.keys()].filter((each) => !relative(each, room).startsWith("..") && each !== room);
    return parents.some((parent) => rooms.get(room)?.has(parent) && rooms.get(parent)?.has(room));
  });

describe("the rooms of the page", () => {
  const imported = importsOfFiles();

  test("are read with their imports", () => {
    expect(files.length).toBeGreaterThan(150);
    expect(imported.get("page/places/Places.ts")?.has("page/library/list/LibraryView.ts")).toBe(true);
    expect(imported.get("page/room/Room.ts")?.has("page/sitting/Sitting.ts")).toBe(true);
  });

  test("no files import each other in a circle", () => expect(inCircles(imported)).toEqual([]));

  test("no rooms import each other in a circle", () => expect(inCircles(importsOfRooms(imported))).toEqual([]));

  test("no folder and its parent import each other", () => expect(bothWays(importsOfRooms(imported))).toEqual([]));

  test("a room that imports what imports it is found, by a type or by what comes later", () => {
    for (const line of ['import type { Room } from "../room/Room";', 'void import("../room/Room");']) {
      const found = importsOfFiles({ "page/table/Table.ts": `\n${line}\n` });
      expect(inCircles(importsOfRooms(found))).toContain("page/table");
      expect(inCircles(found)).toContain("page/table/Table.ts");
    }
  });

  test("a parent that imports its folder is found, where no two files do", () => {
    const found = importsOfFiles({ "engine/GameError.ts": '\nimport type { Line } from "./games/Lines";\n' });
    expect(bothWays(importsOfRooms(found))).toEqual(["engine/games"]);
  });
});
