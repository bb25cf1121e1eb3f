/** SGF with comments and variations: records in the ways in which people's programs write them, read, written, read again. */

import { describe, expect, it } from "vitest";

import { begin, type Settings } from "../../src/engine/Game";
import { Reversi } from "../../src/engine/games/Reversi";
import { byName } from "../../src/engine/known/Recognition";
import { readRecord } from "../../src/engine/records/Reading";
import { SGF_GAMES, statesOf } from "../../src/engine/records/Record";
import { besideOf, type Line } from "../../src/engine/records/Variations";
import { sgfOf, type WrittenGame } from "../../src/engine/records/Writing";
import type { State } from "../../src/engine/State";

/** Numbers below `end` in a sequence that a seed fixes (mulberry32). */
function chance(seed: number): (end: number) => number {
  let at = seed;
  return (end) => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

const point = (action: number, size: number): string =>
  action === size * size ? "" : String.fromCharCode(97 + (action % size), 97 + Math.floor(action / size));

/** A way of writing: what stands between nodes, at the root, in nodes beside the move, and what a comment is called. */
interface Dialect {
  readonly root: string;
  readonly between: string;
  readonly beside: (draw: (end: number) => number) => string;
  readonly comment: string;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  plain: { root: "FF[4]CA[UTF-8]", between: "", beside: () => "", comment: "C" },
  // KaTrain writes its figures and marks beside every move.
  katrain: {
    root: "FF[4]CA[UTF-8]AP[KaTrain:https://example.org]KTV[1.0]",
    between: "\n",
    beside: (draw) => ["", "KT[eJwz]SQ[aa]MA[bb]", "TR[ab][ac]"][draw(3)] ?? "",
    comment: "C",
  },
  sabaki: {
    root: "FF[4]AP[Sabaki:0.52.2]CA[UTF-8]DT[2026-11-26]",
    between: "\r\n",
    beside: (draw) => ["", "LB[aa:A][bb:1]", "BM[1]", "DO[]"][draw(4)] ?? "",
    comment: "C",
  },
  old: {
    root: "FFormat[3]",
    between: "  \n ",
    beside: (draw) => ["", "BLeft[120.5]"][draw(2)] ?? "",
    comment: "Comment",
  },
};

const WORDS = ["good", "too slow [a]", "why\\not", "a: b", "two\nlines", "白の手", "I'd play (x)"];

const escapeText = (text: string): string => text.replace(/[\\\]]/g, "\\$&");

/**
 * Stones that stand before the first move: SGF's text of them, and the position that they make. A handicap, or stones of
 * both sides; in games without a pass as many as moves in turn place. None of Reversi, and of half of the others.
 */
function place(start: State, size: number, next: (end: number) => number): readonly [string, State] {
  const hasPass = start.actions > size * size;
  if (start instanceof Reversi || next(2) === 0) return ["", start];
  const free = Array.from({ length: size * size }, (_, at) => at);
  const draw = (count: number): number[] =>
    Array.from({ length: count }, () => free.splice(next(free.length), 1)[0] ?? 0);
  const black = draw(1 + next(4));
  const white = draw(hasPass ? next(2) * next(4) : black.length - next(2));
  const left = [[...black], [...white]];
  let state = start;
  while (left.some((side) => side.length > 0)) state = state.apply(left[state.toMove]?.shift() ?? size * size);
  if (hasPass && next(3) === 0) state = state.apply(size * size);
  const list = (key: string, side: readonly number[]): string =>
    side.length ? `${key}${side.map((at) => `[${point(at, size)}]`).join("")}` : "";
  const handicap = white.length ? "" : `HA[${black.length}]`;
  return [`${handicap}${list("AB", black)}${list("AW", white)}PL[${state.toMove === 0 ? "B" : "W"}]`, state];
}

/** A seeded record with variations within variations. */
function draw(seed: number): string {
  const next = chance(seed);
  const game = [...SGF_GAMES.keys()][seed % SGF_GAMES.size] ?? "go";
  const dialect = Object.values(DIALECTS)[Math.floor(seed / SGF_GAMES.size) % 4] as Dialect;
  const size = { go: 9, gomoku: 15, reversi: 8, hex: 7 }[game] ?? 9;
  const told = ["GN[The game]", "EV[A cup, round 2\\]]", "PB[First]PW[Second]BR[2d]", "GC[About\nit]"];
  // Where the rule is a setting, SGF has it as the setting says.
  if (game === "go") told.push("RU[Japanese]");
  const root = `;GM[${SGF_GAMES.get(game)}]SZ[${size}]${dialect.root}${told.slice(0, next(told.length + 1)).join("")}RE[B+R]`;
  const node = (state: State, action: number): string => {
    const said = next(4) === 0 ? `${dialect.comment}[${escapeText(WORDS[next(WORDS.length)] ?? "")}]` : "";
    return `;${state.toMove === 0 ? "B" : "W"}[${point(action, size)}]${dialect.beside(next)}${said}${dialect.between}`;
  };
  const line = (from: State, moves: number, depth: number): string => {
    let [text, state]: [string, State] = ["", from];
    for (let move = 0; move < moves && !state.isTerminal; move++) {
      const legal = [...state.legalActions()];
      const chosen = legal.splice(next(legal.length), 1)[0] ?? 0;
      const others =
        depth < 3 && next(4) === 0
          ? Array.from({ length: 1 + next(2) }, () => legal.splice(next(legal.length), 1)[0])
          : [];
      const played = others.filter((each) => each !== undefined);
      const rest = (action: number, left: number): string =>
        node(state, action) + line(state.apply(action), left, depth + 1);
      if (played.length) {
        const branches = played.map((action) => `(${rest(action, 1 + next(5))})`).join(dialect.between);
        return `${text}(${node(state, chosen)}${line(state.apply(chosen), moves - move - 1, depth)})${branches}`;
      }
      text += node(state, chosen);
      state = state.apply(chosen);
    }
    return text;
  };
  const [placed, start] = place(begin(byName(game), { size }), size, next);
  return `(${root}${placed}${dialect.between}${line(start, 12 + next(20), 0)})`;
}

/** A record as the page reads it, and as it would be saved. */
function read(text: string): WrittenGame & { readonly beside: ReturnType<typeof besideOf>; readonly setUp: number } {
  const { game: name, settings, names, setUp, ...record } = readRecord(text);
  const game = byName(name ?? "");
  const states = statesOf({ game: name, settings, names, setUp, ...record }, begin(game, settings));
  return { game, settings, states, names, setUp, beside: besideOf(text, states, setUp) };
}

const moves = ({ states }: WrittenGame): unknown[] => states.slice(1).map(({ lastAction }) => lastAction);

describe("a record with variations", () => {
  it("counts the passes that Reversi forces and a record leaves out, in the game and in a variation", () => {
    const text = "(;GM[2]SZ[4];B[cd];W[dd];B[ab];W[bd];B[dc];W[db](;W[ac]C[after a pass];B[ad])(;W[aa]C[another]))";
    const { states, beside } = read(text);
    expect(moves({ states } as WrittenGame)).toEqual([14, 15, 4, 13, 11, 7, 16, 8, 12]);
    expect([...beside.comments]).toEqual([[8, "after a pass"]]);
    expect(beside.lines).toEqual([{ from: 6, actions: [16, 0], comments: [[2, "another"]], own: false }]);
    expect(beside.leftOut).toBe(0);
    const forbidden = read(text.replace("W[aa]", "W[cd]")).beside;
    expect([forbidden.lines, forbidden.leftOut]).toEqual([[], 1]);
  });

  it("says the same once it is saved and opened again, for a hundred of them", () => {
    let [lines, comments, nested, placed] = [0, 0, 0, 0];
    for (let seed = 0; seed < 100; seed++) {
      const text = draw(seed);
      const found = read(text);
      const saved = sgfOf(found) ?? "";
      const again = read(saved);
      expect([again.setUp, moves(again)], text).toEqual([found.setUp, moves(found)]);
      expect(
        found.beside.lines.every(({ from }) => from >= found.setUp),
        text,
      ).toBe(true);
      expect(again.beside.lines, text).toEqual(found.beside.lines);
      expect([...again.beside.comments], text).toEqual([...found.beside.comments]);
      expect(again.beside.leftOut, text).toBe(0);
      // What is written of a game that told nothing of it: the size's own rules.
      expect(again.beside.told, text).toMatchObject(found.beside.told);
      expect(sgfOf(again), text).toBe(saved);
      placed += Number(found.setUp > 0);
      lines += found.beside.lines.length;
      comments += found.beside.comments.size;
      nested += found.beside.lines.filter((one) => found.beside.lines.some((other) => isWithin(one, other))).length;
    }
    expect(lines).toBeGreaterThan(300);
    expect(nested).toBeGreaterThan(50);
    expect(comments).toBeGreaterThan(300);
    expect(placed).toBeGreaterThan(30);
  });

  it("has its stones that stand before the first move at the root, with what is said there", () => {
    const text = "(;GM[1]SZ[9]HA[2]C[a handicap];AB[gc][cg]C[placed](;W[ee];B[dd](;B[aa])(;W[bb]))(;W[ff]C[instead]))";
    const found = read(text);
    expect([found.setUp, moves(found)]).toEqual([3, [24, 81, 56, 40, 30, 81, 0]]);
    expect([...found.beside.comments]).toEqual([[3, "a handicap\nplaced"]]);
    expect(found.beside.lines).toEqual([
      { from: 3, actions: [50], comments: [[1, "instead"]], own: false },
      { from: 5, actions: [10], comments: [], own: false },
    ]);
    const saved = sgfOf(found) ?? "";
    expect(saved).toContain("HA[2]AB[gc][cg]PL[W]C[a handicap\nplaced]");
    const { lines, comments } = read(saved).beside;
    expect([lines, comments]).toEqual([found.beside.lines, found.beside.comments]);
  });

  it("leaves out a variation that begins before all stones stand, and one that places others", () => {
    const early = "(;GM[1]SZ[9](;AB[gc][cg];W[ee])(;B[dd];W[ff]))";
    expect(read(early).beside).toMatchObject({ lines: [], leftOut: 1 });
    const later = "(;GM[1]SZ[9];B[dd](;W[ee])(;W[ff];AB[aa];B[bb]))";
    const { lines, leftOut } = read(later).beside;
    expect([lines.map(({ actions }) => actions), leftOut]).toEqual([[[50]], 1]);
  });

  it("is written as SGF has it, where the game has ended too", () => {
    const game = byName("gomoku");
    const states: [State, ...State[]] = [begin(game, {})];
    for (const action of [112, 113]) states.push((states.at(-1) ?? states[0]).apply(action));
    const lines: Line[] = [
      { from: 1, actions: [98, 99], comments: [[1, "better"]], own: true },
      { from: 2, actions: [0], comments: [], own: true },
    ];
    const beside = { told: { GN: "Mine", RE: "W+R" }, comments: new Map([[0, "the [start]"]]), lines };
    const text = sgfOf({ game, settings: {}, states, beside }) ?? "";
    expect(text).toBe(
      "(;FF[4]CA[UTF-8]AP[azx]GM[4]SZ[15]RU[freestyle]RE[W+R]GN[Mine]C[the [start\\]];B[hh]\n" +
        "(;W[ih]\n(;)\n(;B[aa]))\n(;W[ig]C[better];B[jg]))\n",
    );
    const again = read(text);
    expect(moves(again)).toEqual([112, 113]);
    expect(again.beside.lines.map(({ from, actions }) => [from, actions])).toEqual([
      [1, [98, 99]],
      [2, [0]],
    ]);
  });

  it("has the rule and the komi that were played by, whatever a file told", () => {
    const told = { RU: "told", KM: "3.75" };
    const sgf = (name: string, settings: Settings): string => {
      const game = byName(name);
      const beside = { told, comments: new Map(), lines: [] };
      return sgfOf({ game, settings, states: [begin(game, settings)], beside }) ?? "";
    };
    expect(sgf("gomoku", { size: 15, rule: "renju" })).toMatch(/SZ\[15\]RU\[renju\]KM\[3\.75\]/);
    // Of Go's rules the file's are kept: the app plays by one alone.
    expect(sgf("go", { size: 9, komi: 6.5 })).toMatch(/SZ\[9\]KM\[6\.5\]RU\[told\]/);
  });

  it("tells who has won by what was agreed and who gave it up", () => {
    const game = byName("go");
    const states: [State, ...State[]] = [begin(game, { size: 5, komi: 0.5 })];
    for (const action of [12, 0, 25, 25]) states.push((states.at(-1) ?? states[0]).apply(action));
    const written = { game, settings: { size: 5, komi: 0.5 }, states };
    expect(sgfOf(written)).toContain("RE[W+0.5]");
    expect(sgfOf({ ...written, dead: [0] })).toContain("RE[B+24.5]");
    expect(sgfOf({ ...written, resigned: 0 })).toContain("RE[W+R]");
  });
});

/** Whether a line is a variation within another one: they begin with the same move. */
const isWithin = (one: Line, other: Line): boolean =>
  one !== other && one.from === other.from && one.actions[0] === other.actions[0];
