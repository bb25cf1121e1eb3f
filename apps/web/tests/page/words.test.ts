/** What the page says of moves, bundles and scores, in both languages. */

import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { type Refusal, refusal, type State } from "../../src/engine/State";
import { beginSession, latest, passNotice, playMove } from "../../src/page/game/Session";
import { sayEqual } from "../../src/page/words/Equal";
import { notPossible, sayUnplayable, summary, titleOf } from "../../src/page/words/Words";
import { learn, speak } from "../../src/texts/Speech";
import { stateAfter } from "../engine/fixtures";

beforeAll(() => learn("zh-CN"));
afterEach(() => speak("en"));

/** A move of a game, after others, that is not possible. */
const REFUSED: readonly (readonly [string, Record<string, string>, readonly number[], number, string, string])[] = [
  ["connect4", {}, [38, 31, 24, 17, 10, 3], 3, "the column is full", "这一列已满"],
  ["connect4", {}, [], 3, "a disc falls to the lowest empty cell of its column", "棋子会落到该列最低的空格"],
  ["tictactoe", {}, [4], 4, "that place is occupied", "那里已经有子"],
  ["tictactoe", {}, [0, 3, 1, 4, 2], 8, "the game is over", "对局已经结束"],
  ["tictactoe", {}, [], 9, "that is not on the board", "那里不在棋盘上"],
  ["reversi", {}, [19], 0, "a disc there turns none over", "在那里落子翻不了任何棋子"],
  ["dots_and_boxes", {}, [0], 0, "that edge is drawn already", "这条边已经画过"],
  ["dots_and_boxes", {}, [0], 24, "you may not pass", "现在不能停一手"],
  ["dots_and_boxes", {}, [0, 3, 12, 13], 1, "you must pass", "你必须停一手"],
  ["go", {}, [40, 1, 41, 9], 0, "suicide: the stone would have no liberty", "自杀，落子后没有气"],
];

function refusalOf(state: State, action: number): Refusal {
  const found = state.whyIllegal(action);
  if (found === null) throw new Error(`${action} is possible`);
  return found;
}

describe("a move that is not possible", () => {
  it.each(REFUSED)("in %s %o after %o: %i", (game, settings, moves, action, english, chinese) => {
    const state = stateAfter(game, settings, [...moves]);
    expect(notPossible(refusalOf(state, action))).toBe(`Not possible: ${english}.`);
    speak("zh-CN");
    expect(notPossible(refusalOf(state, action))).toBe(`不能这样走：${chinese}。`);
  });

  it("is told of a ko with the move that it would repeat", () => {
    const superko = refusal("superko", 12);
    expect(notPossible(superko)).toBe("Not possible: superko, the stone would repeat the board after move 12.");
    speak("zh-CN");
    expect(notPossible(superko)).toBe("不能这样走：全局同形，会重现第 12 手之后的局面。");
  });
});

it("calls a bundle by its game in the language of the page", () => {
  const [own, unknown] = [
    { title: "Go (go9)", game: "go" },
    { title: "Chess", game: "chess" },
  ];
  expect([own, unknown].map(titleOf)).toEqual(["Go (go9)", "Chess"]);
  speak("zh-CN");
  expect([own, unknown].map(titleOf)).toEqual(["围棋 (go9)", "Chess"]);
});

it("says why a bundle cannot be played, and whether its self-test runs", () => {
  const problems = [
    { code: "no_game", places: [] },
    { code: "inputs", places: ["2"] },
  ];
  const clauses = ["it has no known game", "its network has 2 inputs, and nothing says what each of them reads"];
  expect(sayUnplayable(problems, true)).toBe(`Cannot be played: ${clauses.join(" and ")}. Its self-test runs.`);
  speak("zh-CN");
  expect(sayUnplayable(problems, false)).toBe(
    "无法对局：不知道它下的是哪种棋；它的网络有 2 个输入，而没有说明每个输入读取什么。",
  );
});

it("says of a reason that it does not know that it does not, and what it is called", () => {
  const problems = [{ code: "moon_phase", places: ["3"] }];
  expect(sayUnplayable(problems)).toBe("Cannot be played: it gives a reason that this app does not know (moon_phase).");
  speak("zh-CN");
  expect(sayUnplayable(problems)).toBe("无法对局：它给出的原因本应用不认识（moon_phase）。");
});

it("tells passes and scores in Chinese", () => {
  speak("zh-CN");
  const go = [40, 81, 81].reduce(playMove, beginSession(stateAfter("go", {}, []), 0));
  expect(summary(go, latest(go))).toBe("结果：黑 81，白 0，贴目 7.5；黑胜 73.5");
  const dots = [0, 3, 12, 13].reduce(playMove, beginSession(stateAfter("dots_and_boxes", {}, []), 0));
  expect(passNotice(dots)).toBe("你停一手：AI 围成一格，继续走。");
});

it("names few moves that are equally good, and says if they are all or if it is proven", () => {
  const cells = [1, 2, 3, 4, 5].map((column) => `row 1, column ${column}`);
  const how = { isAll: false, isProven: false, rate: null };
  expect(sayEqual(["D4", "E5"], how)).toBe("Hint: D4, E5 are equally good, as far as the search sees.");
  expect(sayEqual(cells, { ...how, isAll: true, isProven: true })).toBe(
    "Hint: all moves are equally good if both play perfectly.",
  );
  expect(sayEqual(cells, { ...how, rate: 0.5 })).toMatch(
    /^Hint: row 1, column 1; .* column 4; … are equally good .* 50\s%\.$/,
  );
  speak("zh-CN");
  expect(sayEqual(cells, { ...how, isAll: true, isProven: true })).toBe("提示：双方都下得完美时，每一手都一样好。");
});
