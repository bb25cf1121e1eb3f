/** Positions that are set up: moves by the rules that lead there, or the reason why there are none. */

import { describe, expect, it } from "vitest";
import { begin, type Settings } from "../../src/engine/Game";
import { GAMES } from "../../src/engine/known/Catalogue";
import { byName } from "../../src/engine/known/Recognition";
import { type Placement, type Position, place, positionOf, sketched } from "../../src/engine/records/Placing";
import { readRecord } from "../../src/engine/records/Reading";
import { statesOf } from "../../src/engine/records/Record";
import { linkOf, sgfOf } from "../../src/engine/records/Writing";
import type { State } from "../../src/engine/State";
import { drawing } from "./drawing";

const games = [...GAMES.keys()];

/** A position of a game that was played by chance, somebody's to move in. */
function positionIn(game: string, seed: number, settings: Settings = {}): State {
  const draw = drawing(seed);
  let state = begin(byName(game), settings);
  const found = [state];
  while (!state.isTerminal && found.length < 60) {
    const legal = state.legalActions();
    state = state.apply(legal[draw(legal.length)] as number);
    if (!state.isTerminal && !("mustPass" in state && state.mustPass)) found.push(state);
  }
  // Late positions of Dots and Boxes have too many ways back: they may be given up, and are tested below.
  return found[draw(game === "dots_and_boxes" ? Math.min(found.length, 14) : found.length)] as State;
}

function statesAfter(start: State, actions: readonly number[]): [State, ...State[]] {
  const states: [State, ...State[]] = [start];
  for (const action of actions) states.push((states.at(-1) as State).apply(action));
  return states;
}

const settingsOf = (placed: Placement): Settings =>
  "position" in placed && placed.position ? { position: placed.position } : {};

/** The first position of a game that begins as it was set up. */
const firstOf = (game: string, placed: Placement): State => begin(byName(game), settingsOf(placed));

const cells = (text: string): number[] => [...text.replaceAll(/\s/g, "")].map((sign) => ".XO".indexOf(sign));

describe("a position that is set up", () => {
  it.each(games)("of %s comes about by moves that the rules allow", (game) => {
    const start = begin(byName(game), {});
    for (let seed = 1; seed <= 60; seed++) {
      const wanted = positionOf(positionIn(game, seed));
      const placed = place(start, wanted);
      if (!("actions" in placed)) throw new Error(`seed ${seed}: ${JSON.stringify(placed.why)}`);
      const last = statesAfter(firstOf(game, placed), placed.actions).at(-1) as State;
      expect([positionOf(last), last.isTerminal], `seed ${seed}`).toEqual([wanted, false]);
    }
  });

  it.each(games)("of %s is the same by its link, and by its SGF where there is one", (game) => {
    const [known, usual] = [byName(game), begin(byName(game), {})];
    for (let seed = 1; seed <= 20; seed++) {
      const wanted = positionOf(positionIn(game, seed));
      const placed = place(usual, wanted);
      const actions = "actions" in placed ? placed.actions : [];
      const start = firstOf(game, placed);
      const states = statesAfter(start, actions);
      // One move more, which is none of those that place pieces.
      const [next = 0] = (states.at(-1) as State).legalActions();
      states.push((states.at(-1) as State).apply(next));
      const settings = settingsOf(placed);
      const written = { game: known, settings, states, setUp: actions.length, tellsSetUp: true };
      for (const text of [linkOf(game, written), sgfOf(written)]) {
        if (text === null) continue;
        const record = readRecord(text);
        expect(record.setUp, text).toBe(actions.length);
        expect(record.settings.position, text).toBe(settings.position);
        expect(positionOf(statesOf(record, start)[actions.length] as State), text).toEqual(wanted);
      }
    }
  });

  const why = (game: string, settings: Settings, position: Position): unknown => {
    const placed = place(begin(byName(game), settings), position);
    return "why" in placed ? placed.why : null;
  };

  it("is refused where it is the other side's turn", () => {
    const pieces = cells("X.. ... ...");
    expect(why("tictactoe", {}, { pieces, toMove: 0 })).toEqual({ kind: "turn", counts: [1, 0] });
    expect(why("tictactoe", {}, { pieces, toMove: 1 })).toBe(null);
    // Go has a pass.
    const stone = [1, ...Array(24).fill(0)];
    for (const toMove of [0, 1] as const) expect(why("go", { size: 5 }, { pieces: stone, toMove })).toBe(null);
  });

  it("of Reversi is refused if a disc lies alone, the middle is open, or nobody can move", () => {
    const [unreached, over] = [{ kind: "unreached" }, { kind: "rule", refusal: { code: "over", move: null } }];
    const at = (text: string, toMove: 0 | 1 = 0): unknown =>
      why("reversi", { size: 4 }, { pieces: cells(text), toMove });
    expect(at(".... .OX. .XO. ....")).toBe(null);
    expect(at(".... .OX. .XO. ....", 1)).toBe(null);
    expect(at("X... .OX. .XO. ....")).toBe(null);
    expect(at("X... .OX. .X.. ....")).toEqual(unreached);
    expect(at(".... .XX. .XX. ....")).toEqual(over);
    const board = Array<number>(64).fill(0);
    for (const [cell, piece] of [
      [27, 2],
      [28, 1],
      [35, 1],
      [36, 2],
    ] as const)
      board[cell] = piece;
    expect(why("reversi", {}, { pieces: [1, ...board.slice(1)], toMove: 0 })).toEqual(unreached);
    expect(why("reversi", {}, { pieces: board.map((disc, at) => (at === 18 ? 1 : disc)), toMove: 0 })).toBe(null);
  });

  it("of Reversi is not read from a link or an SGF that sets up none", () => {
    const read = (text: string): string => {
      try {
        return String(readRecord(text).settings.position ?? "");
      } catch (error) {
        return (error as { key: string }).key;
      }
    };
    expect(read("reversi/moves=&size=4&position=00000210012000001")).toBe("00000210012000001");
    for (const position of ["0", "00000210012000002", "10000210010000000", "0000021001200000x"])
      expect(read(`reversi/moves=&size=4&position=${position}`)).toBe("record_settings");
    expect(read("(;GM[2]SZ[4]AB[bb][bc][cb]AW[cc]PL[W])")).toBe("00000110012000001");
    expect(read("(;GM[2]SZ[4]AB[bb][bc][cb]AW[cc][dd];AE[dd][bb];AW[bb])")).toBe("");
    expect(read("(;GM[2]SZ[4]AB[bb][bc]AW[cc])")).toBe("record_setup");
  });

  it("of Go has no stones on the points that AE clears", () => {
    const record = readRecord("(;GM[1]SZ[5]AB[aa][bb][cc]AW[dd][ee];AE[bb][ee]AB[ab];B[ba])");
    const last = statesOf(record, begin(byName("go"), { size: 5 }))[record.setUp] as State;
    expect(positionOf(last).pieces.flatMap((piece, at) => (piece ? [[at, piece]] : []))).toEqual([
      [0, 1],
      [5, 1],
      [12, 1],
      [18, 2],
    ]);
    expect(() => readRecord("(;GM[1]SZ[5]AB[aa];B[bb];AE[aa])")).toThrow("record_setup");
  });

  it("is refused where the game is over, or was before", () => {
    const over = { kind: "rule", refusal: { code: "over", move: null } };
    expect(why("tictactoe", {}, { pieces: cells("XXX OO. ..."), toMove: 1 })).toEqual(over);
    expect(why("tictactoe", {}, { pieces: cells("XXX OOO ..."), toMove: 0 })).toEqual(over);
    const five = cells("XXXXX OOOO. ..... ..... .....");
    expect(why("gomoku", { size: 5 }, { pieces: five, toMove: 1 })).toEqual(over);
  });

  it("is refused where a disc hangs in the air, or where none could be dropped in turn", () => {
    const at = (...discs: readonly (readonly [number, number])[]): number[] => {
      const pieces = Array<number>(42).fill(0);
      for (const [cell, piece] of discs) pieces[cell] = piece;
      return pieces;
    };
    const floating = { kind: "rule", refusal: { code: "not_lowest", move: null } };
    expect(why("connect4", {}, { pieces: at([0, 1]), toMove: 1 })).toEqual(floating);
    // Yellow's disc lies below red's only one.
    expect(why("connect4", {}, { pieces: at([38, 2], [31, 1]), toMove: 0 })).toEqual({ kind: "unreached" });
  });

  it("is refused where a chain has no liberty", () => {
    const pieces = cells("OX... X.... ..... ..... .....");
    expect(why("go", { size: 5 }, { pieces, toMove: 0 })).toEqual({ kind: "liberty", at: 0 });
    const alive = cells("OO... X.... ..... ..... .....");
    expect(why("go", { size: 5 }, { pieces: alive, toMove: 0 })).toBe(null);
  });

  it("is refused by the Renju rule's own word where no order of black's stones avoids it", () => {
    const pieces = Array<number>(225).fill(0);
    for (const at of [0, 1, 2, 3, 4, 5]) pieces[at] = 1;
    for (const at of [100, 102, 104, 106, 120]) pieces[at] = 2;
    const found = why("gomoku", { size: 15, rule: "renju" }, { pieces, toMove: 1 }) as { kind: string };
    expect(found.kind).toBe("rule");
    expect(why("gomoku", { size: 15 }, { pieces, toMove: 1 })).toMatchObject({ refusal: { code: "over" } });
  });

  it("of Dots and Boxes has a box of the side that can have closed it", () => {
    const start = begin(byName("dots_and_boxes"), { size: 2 });
    const edges = Array<number>(12).fill(0);
    for (const edge of [0, 2, 6, 7]) edges[edge] = 1;
    // Three edges in turn, then the second player closes the box and moves again.
    expect(why("dots_and_boxes", { size: 2 }, { pieces: [...edges, 2, 0, 0, 0], toMove: 1 })).toBe(null);
    expect(why("dots_and_boxes", { size: 2 }, { pieces: [...edges, 1, 0, 0, 0], toMove: 0 })).toEqual({
      kind: "unreached",
    });
    expect(start.board).toEqual([5, 3]);
  });

  it("is drawn as it is, whether or not it can stand", () => {
    for (const game of games) {
      const start = begin(byName(game), {});
      const wanted = positionOf(positionIn(game, 7));
      expect(positionOf(sketched(start, wanted)), game).toEqual(wanted);
      // The state that it was made of is as it was.
      expect(positionOf(start), game).toEqual(positionOf(begin(byName(game), {})));
    }
  });
});
