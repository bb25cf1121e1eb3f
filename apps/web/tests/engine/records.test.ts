/** Records against records.json: what is read, what is refused with its sentence and its move, what is written. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { begin, type Settings } from "../../src/engine/Game";
import { byName } from "../../src/engine/known/Recognition";
import { nameOf } from "../../src/engine/records/Points";
import { readRecord } from "../../src/engine/records/Reading";
import { LARGEST, MOST_MOVES, RecordError, statesOf } from "../../src/engine/records/Record";
import { LONGEST_LINK, lineOf, linkOf, sgfOf, type WrittenGame } from "../../src/engine/records/Writing";
import type { Player, State } from "../../src/engine/State";

interface Good {
  readonly about: string;
  readonly text: string;
  readonly open: string | null;
  readonly game: string | null;
  readonly settings: Settings;
  readonly actions: readonly number[];
  readonly names: readonly [string, string];
  readonly result: string;
  readonly ignored: number;
  readonly set_up: number;
}

interface Bad {
  readonly about: string;
  readonly text: string;
  readonly times: number;
  readonly open: string | null;
  readonly key: string;
  readonly move: number | null;
}

interface WrittenCase {
  readonly game: string;
  readonly settings: Settings;
  readonly actions: readonly number[];
  readonly resigned: Player | null;
  readonly dead: readonly number[];
  readonly names: readonly [string, string];
  readonly bundle: string;
  readonly line: string;
  readonly sgf: string | null;
  readonly link: string | null;
  /** Absent where no stones stand before the first move. */
  readonly set_up?: number;
}

const FILE = fileURLToPath(new URL("../../../../mobile_assets/fixtures/records.json", import.meta.url));
const RECORDS = JSON.parse(readFileSync(FILE, "utf8")) as {
  readonly limits: unknown;
  readonly good: readonly Good[];
  readonly bad: readonly Bad[];
  readonly written: readonly WrittenCase[];
};

/** The positions of a text, which is of the game `open` where it does not say. */
function statesIn(text: string, open: string | null): [State, ...State[]] {
  const record = readRecord(text);
  return statesOf(record, begin(byName(record.game ?? open ?? ""), record.settings));
}

const actionsOf = (states: readonly State[]): unknown[] => states.slice(1).map(({ lastAction }) => lastAction);

function playGame({
  game: name,
  settings,
  actions,
  resigned,
  dead,
  names,
  set_up: setUp = 0,
}: WrittenCase): WrittenGame {
  const game = byName(name);
  const states: [State, ...State[]] = [begin(game, settings)];
  for (const action of actions) states.push((states.at(-1) ?? states[0]).apply(action));
  return { game, settings, states, resigned, dead, names, setUp };
}

describe("a record", () => {
  it("has the limits of the list", () => {
    expect(RECORDS.limits).toEqual({ bytes: LARGEST, moves: MOST_MOVES, link: LONGEST_LINK });
  });

  it.each(RECORDS.good)("is read: $about", ({ text, open, game, actions, set_up: setUp, ...told }) => {
    const record = readRecord(text);
    const { settings, names, result, ignored } = told;
    expect(record).toMatchObject({ game, settings, names, result, ignored, setUp });
    expect(actionsOf(statesIn(text, open))).toEqual(actions);
  });

  it.each(RECORDS.bad)("is refused: $about", ({ text, times, open, key, move }) => {
    const refused = ((): unknown => {
      try {
        return statesIn(text.repeat(times), open);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(RecordError);
    expect(refused).toMatchObject({ key, move });
  });

  it("has a pass that is owed made once, however it is written or left out", () => {
    const start = begin(byName("reversi"), { size: 4 });
    // Black moves, and white has to pass.
    const played = [11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14];
    const names = played.map((action) => start.label(action));
    const last = start.label(0);
    for (const pass of [["pass"], ["PASS"], ["Pass"], []]) {
      const moves = [...names, ...pass, last].map((name) => ({ name, player: null }));
      const record = {
        game: "reversi",
        settings: { size: 4 },
        moves,
        names: ["", ""],
        result: "",
        ignored: 0,
        setUp: 0,
      } as const;
      expect(actionsOf(statesOf(record, start)), String(pass)).toEqual([...played, 16, 0]);
    }
  });

  it("has points of two letters alone", () => {
    const start = begin(byName("go"), { size: 9 });
    expect(["aa", "ba", "aaa", "aab", "a"].map((point) => nameOf(start, point))).toEqual([
      start.label(0),
      start.label(1),
      "aaa",
      "aab",
      "a",
    ]);
  });

  it("is read in a time that grows with its length, whatever stands in it", () => {
    expect(actionsOf(statesIn(`3${" ".repeat(LARGEST - 2)}3`, "connect4"))).toEqual([38, 31]);
    expect(readRecord(`(;GM[1]SZ[9]PB[a${" ".repeat(LARGEST - 50)}b])`).names[0]).toBe("a b");
    expect(() => readRecord("#".repeat(LARGEST))).not.toThrow();
  });

  it.each(RECORDS.written)("is written of $game, $bundle", (given) => {
    const { actions, bundle, line, sgf, link } = given;
    const game = playGame(given);
    expect([lineOf(game), sgfOf(game), linkOf(bundle, game)]).toEqual([line, sgf, link]);
    for (const text of [line, sgf, link]) if (text) expect(actionsOf(statesIn(text, null))).toEqual(actions);
    if (sgf) expect(readRecord(sgf).setUp).toBe(given.set_up ?? 0);
  });

  it("takes no longer over a short text that places a board's stones many a time", () => {
    const text = `(;GM[1]SZ[19]AB${"[aa:ss]".repeat(100_000)})`;
    expect(() => statesIn(text, null)).toThrow(RecordError);
  });
});
