/** Readings in plain words, in both languages. */

import { afterEach, beforeAll, expect, it } from "vitest";

import type { Encoding } from "../../src/engine/Encoding";
import { sayDoubt, sayReading } from "../../src/page/bundles/Readings";
import { learn, speak } from "../../src/texts/Speech";

beforeAll(() => learn("zh-CN"));
afterEach(() => speak("en"));

const encoding = (planes: readonly string[], more: Partial<Encoding> = {}): Encoding => ({
  layout: "channels_first",
  board: [6, 7],
  planes,
  ...more,
});

it("says whose pieces are what, and how the board lies", () => {
  const said = (planes: readonly string[], more: Partial<Encoding> = {}, saysRows = false): string =>
    sayReading(encoding(planes, more), saysRows);
  expect(said(["signed"])).toBe("+1 the player to move, −1 the opponent");
  expect(said(["codes_player1"])).toBe("1 the player who came second, 2 the player who began");
  expect(said(["marks_player0"])).toBe("−1 empty, 0 the player who began, 1 the player who came second");
  expect(said(["mover", "opponent"], {}, true)).toBe("planes of the player to move, the opponent; top row first");
  expect(said(["opponent", "mover"], { flip: true })).toBe(
    "planes of the opponent, the player to move; bottom row first",
  );
  expect(said(["signed_player0", "turn_player1"], { transpose: true })).toBe(
    "planes of +1 the player who began, −1 the player who came second, " +
      "−1 if the player who began is to move, otherwise +1; columns as rows",
  );
  expect(said(["mover", "empty", "opponent@2"], { layout: "cells" })).toBe(
    "planes of the player to move, the empty cells, the opponent 2 moves ago; the numbers of each cell together",
  );
  expect(said(["signed"], { beside: { planes: ["turn_player0"], cells: 1, first: false } })).toBe(
    "+1 the player to move, −1 the opponent; beside the board: +1 if the player who began is to move, otherwise −1",
  );
  // What there are no words for is called as it is.
  expect(said(["weather"])).toBe("weather");
});

it("says what is in doubt: the board, the outputs, or both", () => {
  const others = [{ name: "it", encoding: encoding(["signed"]) }];
  const doubt = { assumed: encoding(["mover", "opponent"]), others, chosen: null, board: true, outputs: false };
  expect(sayDoubt(doubt)).toBe("How this network sees the board is not known; the usual way is assumed.");
  expect(sayDoubt({ ...doubt, outputs: true })).toBe(
    "How this network sees the board, and which output is its value and which its policy, is not known; " +
      "the usual way is assumed.",
  );
  expect(sayDoubt({ ...doubt, others: [], board: false, outputs: true })).toBe(
    "Which output is its value and which its policy is not known; the usual way is assumed.",
  );
  const chosen = "How this network sees the board is not known; you chose: +1 the player to move, −1 the opponent.";
  expect(sayDoubt({ ...doubt, chosen: "it" })).toBe(chosen);
  expect(sayDoubt({ ...doubt, chosen: "it", outputs: true })).toBe(
    `${chosen} Nor is it known which output is its value and which its policy.`,
  );
});

it("says so in Chinese", () => {
  speak("zh-CN");
  expect(sayReading(encoding(["codes_mover"], { flip: true }), true)).toBe("轮到的一方为 1，对方为 2；底行在前");
});
