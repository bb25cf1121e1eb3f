import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { Reading } from "../../src/engine/Game";
import { byName } from "../../src/engine/known/Recognition";
import {
  chance,
  chooseAction,
  LEVELS,
  type Level,
  levelsOf,
  passing,
  splitmix64,
  UNMEASURED,
} from "../../src/engine/Levels";
import { Thinker } from "../../src/worker/Thinker";
import { HashEvaluator } from "./HashEvaluator";

interface Written {
  readonly table: readonly { readonly game: string | null; readonly levels: readonly Level[] }[];
  readonly numbers: readonly { readonly seed: number; readonly ply: number; readonly number: string }[];
  readonly choices: readonly {
    readonly weights: readonly (readonly [number, number])[];
    readonly level: Level;
    readonly seed: number;
    readonly ply: number;
    readonly passing: number | null;
    readonly action: number;
  }[];
  readonly games: readonly { readonly game: string; readonly seed: number; readonly actions: readonly number[] }[];
}

const FILE = fileURLToPath(new URL("../../../../mobile_assets/fixtures/levels.json", import.meta.url));
const WRITTEN = JSON.parse(readFileSync(FILE, "utf8")) as Written;

class Network extends HashEvaluator {
  readonly hasValue = true;
}

describe("the levels", () => {
  it("are those of every language", () => {
    const table = WRITTEN.table.map(({ game, levels }) => [game, levels]);
    expect([...Object.entries(LEVELS), [null, UNMEASURED]]).toEqual(table);
  });

  it("are others without a policy, and of a game that was not measured", () => {
    expect(levelsOf("connect4", true)).toBe(LEVELS.connect4);
    expect(levelsOf("connect4", false)).toBe(UNMEASURED);
    expect(levelsOf("chess", true)).toBe(UNMEASURED);
  });

  it("draw the numbers of every language", () => {
    expect(WRITTEN.numbers.length).toBeGreaterThan(10);
    for (const { seed, ply, number } of WRITTEN.numbers) {
      expect(splitmix64(seed, ply).toString(16).padStart(16, "0")).toBe(number);
      expect(chance(seed, ply)).toBe(Number(BigInt(`0x${number}`) >> 11n) / 2 ** 53);
    }
  });

  it("choose as every language does", () => {
    expect(WRITTEN.choices.length).toBeGreaterThan(100);
    for (const written of WRITTEN.choices) {
      const { weights, level, seed, ply, passing: pass, action } = written;
      expect(chooseAction(weights, level, seed, ply, pass), JSON.stringify(written)).toBe(action);
    }
    expect(() => chooseAction([], UNMEASURED[7] as Level, 0, 0)).toThrow("the game is over");
  });

  it.each(WRITTEN.games)("play $game as every language does", async ({ game, seed, actions }) => {
    const known = byName(game);
    const [numbering] = known.numberings(new Reading(known, known.encoding, null, {}).start());
    const thinker = new Thinker(new Reading(known, known.encoding, numbering ?? null, {}), new Network());
    expect(actions.length).toBeGreaterThan(4);
    for (const [ply, action] of actions.entries()) {
      const position = { settings: {}, actions: actions.slice(0, ply) };
      const limit = { kind: "level", number: 1 + (ply % 8), seed } as const;
      const thought = await thinker.think(
        position,
        limit,
        () => false,
        () => undefined,
      );
      expect(thought.action, `ply ${ply}`).toBe(action);
    }
  });
});

it("only Go passes among other moves", () => {
  const first = (game: string): number | null =>
    passing(new Reading(byName(game), byName(game).encoding, null, {}).start());
  expect(Object.keys(LEVELS).filter((game) => first(game) !== null)).toEqual(["go"]);
  expect(first("go")).toBe(81);
});
