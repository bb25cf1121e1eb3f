import { describe, expect, it } from "vitest";

import { begin, type Settings } from "../../src/engine/Game";
import { GameError } from "../../src/engine/GameError";
import * as connect4 from "../../src/engine/games/Connect4";
import * as dotsAndBoxes from "../../src/engine/games/DotsAndBoxes";
import * as go from "../../src/engine/games/Go";
import * as gomoku from "../../src/engine/games/Gomoku";
import * as hex from "../../src/engine/games/Hex";
import * as reversi from "../../src/engine/games/Reversi";
import * as ticTacToe from "../../src/engine/games/TicTacToe";
import { byName } from "../../src/engine/known/Recognition";
import { refusal, type State } from "../../src/engine/State";
import { narrowMoves } from "../../src/engine/Tactics";
import { legalAt, NAMES } from "./fixtures";

function play<Position extends State>(state: Position, ...actions: number[]): Position {
  return actions.reduce((position, action) => position.apply(action) as Position, state);
}

describe.each(NAMES)("%s", (name) => {
  const state = begin(byName(name));

  it.each([-1, state.actions, 1.5, NaN])("refuses action %s and says which are legal", (action) => {
    const legal = state.legalActions().join(", ");
    expect(() => state.apply(action)).toThrow(`${name}: action ${action} is illegal here, choose action ${legal}.`);
    expect(() => state.apply(action)).toThrow(GameError);
    expect(state.whyIllegal(action)).toEqual(refusal("no_such_action"));
  });

  it("does not change when an action makes the next state, or none", () => {
    const before = [state.legalActions(), Array.from(state.encode()), state.toMove, state.lastAction];
    const action = legalAt(state, 0);
    state.apply(action).apply(legalAt(state.apply(action), 0));
    expect(() => state.apply(-1)).toThrow();
    expect([state.legalActions(), Array.from(state.encode()), state.toMove, state.lastAction]).toEqual(before);
  });

  it("has a plane for no name but its own", () => {
    expect(() => state.plane("knights")).toThrow(`${name}: there is no plane 'knights', use `);
  });

  it("refuses every action once it is over", () => {
    let end = state;
    while (!end.isTerminal) end = end.apply(legalAt(end, -1));
    expect(end.legalActions()).toEqual([]);
    expect(end.whyIllegal(0)).toEqual(refusal("over"));
    expect(() => end.apply(0)).toThrow(`${name}: action 0 is illegal here, the game is over.`);
  });
});

describe("Connect4", () => {
  it("lets a disc fall, and shows the four that win", () => {
    const won = play(connect4.start(), 35, 36, 28, 29, 21, 22, 14);
    expect([won.winner, won.returns(), won.winningLine()]).toEqual([0, 1, [14, 21, 28, 35]]);
    expect(connect4.start().whyIllegal(3)).toEqual(refusal("not_lowest"));
    expect(play(connect4.start(), 38).whyIllegal(38)).toEqual(refusal("occupied"));
    expect([play(connect4.start(), 38).winningLine(), connect4.start().label(38)]).toEqual([[], "3"]);
  });

  it("says that a column is full", () => {
    const full = play(connect4.start(), 35, 28, 21, 14, 7, 0);
    expect(full.whyIllegal(0)).toEqual(refusal("full"));
  });
});

describe("Tic-tac-toe", () => {
  it("shows both lines that one mark completes", () => {
    const won = play(ticTacToe.start(), 0, 1, 8, 3, 2, 5, 6, 7, 4);
    expect([won.winner, won.winningLine(), won.returns()]).toEqual([0, [0, 2, 4, 6, 8], 1]);
    expect(play(ticTacToe.start(), 4).whyIllegal(4)).toEqual(refusal("occupied"));
  });
});

describe("Connect4 on other boards", () => {
  it("is won by four in a row on each", () => {
    const won = play(connect4.start(8, 4), 28, 29, 24, 25, 20, 21, 16);
    expect([won.winner, won.returns(), won.winningLine()]).toEqual([0, 1, [16, 20, 24, 28]]);
    const full = play(connect4.start(4, 10), 30, 20, 10, 0);
    expect([full.whyIllegal(30), full.whyIllegal(1)]).toEqual([refusal("full"), refusal("not_lowest")]);
    expect([full.label(39), full.board]).toEqual(["9", [4, 10]]);
  });

  it("is not played on smaller or larger ones", () => {
    expect(() => connect4.start(3, 7)).toThrow("connect4: 3 rows of 7 are not played, choose numbers from 4 to 10.");
  });
});

describe("Dots and Boxes", () => {
  const boxed = play(dotsAndBoxes.start(3), 0, 3, 12, 13);

  it("gives the box to who completes it and makes the other one pass", () => {
    expect([boxed.completed, boxed.owners[0], boxed.scores, boxed.mustPass]).toEqual([[0], 2, [0, 1], true]);
    expect([boxed.legalActions(), boxed.label(24)]).toEqual([[24], "pass"]);
    expect(boxed.whyIllegal(1)).toEqual(refusal("must_pass"));
    const again = boxed.apply(24);
    expect([again.toMove, again.mustPass, again.completed]).toEqual([1, false, []]);
    expect([again.whyIllegal(24), again.whyIllegal(0)]).toEqual([refusal("no_pass"), refusal("drawn")]);
  });

  it("is not played on other sizes", () => {
    expect(() => dotsAndBoxes.start(7)).toThrow("dots_and_boxes: size 7 is not played, choose one from 2 to 6.");
  });
});

describe("Gomoku", () => {
  function at(label: string): number {
    const empty = gomoku.start(15, "renju");
    return Array.from({ length: 225 }, (_, k) => k).find((k) => empty.label(k) === label) ?? -1;
  }

  /** Black's stones, white's on points that change nothing. */
  function stones(black: readonly string[], rule = "renju"): gomoku.Gomoku {
    const empty = gomoku.start(15, rule);
    const white = [0, 2, 4, 6, 8, 10, 12, 14];
    return black.reduce((state, label, ply) => play(state, at(label), white[ply] ?? -1), empty);
  }
  const H8 = at("H8");

  it("is a draw on a board that white fills, though no point is left to black", () => {
    // Pairs, so that no row of three is made on the way.
    const rows = "XXOOXX OOXXOO XXOOXX OOXXOO XXOOXX OOXXOO".replaceAll(" ", "");
    const [black, white] = ["X", "O"].map((mark) =>
      [...rows.matchAll(new RegExp(mark, "g"))].map(({ index }) => index),
    );
    const full = play(gomoku.start(6, "renju"), ...(black ?? []).flatMap((at, ply) => [at, white?.[ply] ?? -1]));
    expect([full.isTerminal, full.winner, full.returns()]).toEqual([true, null, 0]);
  });

  it.each([
    ["double_three", ["G8", "I8", "H7", "H9"]],
    ["double_four", ["E8", "F8", "G8", "H7", "H6", "H5"]],
    ["overline", ["E8", "F8", "G8", "I8", "J8"]],
  ] as const)("forbids black the %s under renju alone", (reason, black) => {
    const state = stones(black);
    expect(state.whyIllegal(H8)).toEqual(refusal(reason));
    expect(state.forbiddenPoints()?.get(H8)).toBe(reason);
    expect(state.legalActions()).not.toContain(H8);
    expect(() => state.apply(H8)).toThrow("gomoku: action 112 is illegal here, choose action 1, 3, 5");
    expect(stones(black, "freestyle").whyIllegal(H8)).toBeNull();
    expect(stones(black, "freestyle").forbiddenPoints()).toBeNull();
  });

  it("lets white win at once where a row of six is forbidden to black", () => {
    const rowOfFive = ["E8", "F8", "G8", "J8", "I8"].map(at);
    const columnOfFour = ["H9", "H10", "H11", "H12"].map(at);
    const moves = rowOfFive.flatMap((black, ply) => [black, columnOfFour[ply] ?? -1]).slice(0, -1);
    const state = play(gomoku.start(15, "renju"), ...moves);
    expect(state.sudden()?.wins).toEqual([at("H13"), H8]);
  });

  it("shows the row that wins, also one of six", () => {
    const won = stones(["E8", "F8", "G8", "I8", "J8"], "freestyle").apply(H8);
    expect([won.winner, won.winningLine()]).toEqual([0, [109, 110, 111, 112, 113, 114]]);
  });

  it("is not played on other sizes or by other rules", () => {
    expect(() => gomoku.start(4, "freestyle")).toThrow("gomoku: size 4 is not possible, choose a number from 5 to 19.");
    expect(() => gomoku.start(15, "swap2")).toThrow("gomoku: rule 'swap2' is unknown, use freestyle or renju.");
  });
});

describe("Go", () => {
  // A stone is captured in the corner; then a ko is taken at 57.
  const ko = play(go.start(9, 7.5), 0, 1, 40, 9, 47, 48, 55, 58, 65, 66, 3, 56, 57);

  it("says why a ko may not be taken back", () => {
    expect(ko.whyIllegal(56)).toEqual(refusal("superko", 12));
    expect(ko.legalActions()).not.toContain(56);
    expect(() => ko.apply(56)).toThrow("go: action 56 is illegal here, choose action ");
    expect(play(ko, 80, 79).whyIllegal(56)).toBeNull();
  });

  it("says what was captured, and by whom", () => {
    expect([ko.lastCaptured, ko.prisoners, ko.lastAction]).toEqual([[56], [1, 1], 57]);
    expect([ko.whyIllegal(0), ko.apply(80).whyIllegal(0), ko.whyIllegal(57)]).toEqual([
      null,
      refusal("suicide"),
      refusal("occupied"),
    ]);
  });

  it("counts areas and the komi after two passes", () => {
    // Black walls the left column off, white the right one.
    const walls = Array.from({ length: 9 }, (_, row) => [row * 9 + 1, row * 9 + 7]).flat();
    const end = play(go.start(9, 6.5), ...walls, 81, 81);
    const [black, white] = end.areas();
    expect([black.length, white.length, end.score(), end.returns()]).toEqual([18, 18, -6.5, -1]);
    expect([end.isTerminal, end.label(81), end.label(0), end.label(8)]).toEqual([true, "pass", "A9", "J9"]);
    expect(play(go.start(9, 0), ...walls, 81, 81).returns()).toBe(0);
  });

  it("does not take a pass that draws for one that loses", () => {
    for (const state of [go.start(9, 0), go.start(9, 0).apply(81)]) {
      expect(narrowMoves(state)).toEqual({ moves: state.legalActions(), result: null });
    }
  });

  it("is stopped and scored after three plies for each point", () => {
    let state = go.start(9, 7.5);
    for (let drawn = 1; !state.isTerminal; drawn = (drawn * 48271) % 2147483647) {
      const points = state.legalActions().slice(0, -1);
      state = state.apply(points[drawn % points.length] ?? state.pass);
    }
    expect([state.played, state.lastAction === state.pass]).toEqual([243, false]);
    expect(state.returns()).toBe(Math.sign(state.score()));
  });

  it("is not played on other sizes or with no komi", () => {
    expect(() => go.start(20, 7.5)).toThrow("go: size 20 is not played, choose one from 5 to 19.");
    expect(() => go.start(9, NaN)).toThrow("go: komi NaN is no number of points, choose one such as 7.5.");
  });
});

describe("Reversi", () => {
  // D3 D4 B1 A3 A4 C1 A2 D2 D1 B4 C4 on 4 x 4: white can turn nothing.
  const stuck = play(reversi.start(4), 11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14);

  it("turns over what lies between two discs", () => {
    const state = play(reversi.start(8), 19);
    expect([state.label(19), state.turned, state.scores]).toEqual(["D3", [27], [4, 1]]);
    expect(state.legalActions().map((at) => state.label(at))).toEqual(["C3", "E3", "C5"]);
    expect([state.whyIllegal(19), state.whyIllegal(0), state.whyIllegal(64)]).toEqual([
      refusal("occupied"),
      refusal("turns_nothing"),
      refusal("no_pass"),
    ]);
  });

  it("makes who can turn nothing pass, and counts discs at the end", () => {
    expect([stuck.toMove, stuck.mustPass, stuck.legalActions(), stuck.label(16)]).toEqual([1, true, [16], "pass"]);
    expect(stuck.whyIllegal(0)).toEqual(refusal("must_pass"));
    const over = stuck.apply(16).apply(0);
    expect([over.isTerminal, over.scores, over.score(), over.returns()]).toEqual([true, [13, 3], 10, 1]);
  });

  it("counts as many positions as others do", () => {
    const count = (state: State, plies: number): number =>
      plies === 0 ? 1 : state.legalActions().reduce((sum, action) => sum + count(state.apply(action), plies - 1), 0);
    expect([1, 2, 3, 4, 5].map((plies) => count(reversi.start(8), plies))).toEqual([4, 12, 56, 244, 1396]);
  });

  it("is not played on other sizes", () => {
    expect(() => reversi.start(7)).toThrow("reversi: size 7 is not played, choose one of 4, 6, 8, 10.");
  });
});

describe("Hex", () => {
  it("says where the stone that was taken over stands", () => {
    const first = hex.start(5, "swap").apply(1);
    expect([hex.start(5, "swap").lastStone, first.lastStone]).toEqual([null, 1]);
    // The cell mirrored in the diagonal from a1.
    expect(first.apply(1).lastStone).toBe(5);
    expect(first.apply(1).apply(1).lastStone).toBe(1);
  });
});

describe("settings", () => {
  const start = (name: string, settings: Settings): State => begin(byName(name), settings);

  it("may be given as text", () => {
    expect([start("go", { size: "13", komi: "5.5" }).actions, start("gomoku", {}).actions]).toEqual([170, 225]);
  });

  it("are refused with a reason where there is no such one", () => {
    expect(() => start("go", { size: 4 })).toThrow("setting size: '4' is not possible, use 5, 6, 7, 8, 9, 10,");
    expect(() => start("go", { komi: "many" })).toThrow("setting komi: 'many' is not possible, use a number.");
    expect(() => start("connect4", { size: 8 })).toThrow("Connect4 has no setting 'size': it has rows, columns.");
    expect(() => byName("chess")).toThrow("game 'chess' is unknown: this app plays connect4, tictactoe");
  });
});
