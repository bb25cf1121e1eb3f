import { describe, expect, it } from "vitest";

import { encode, encodingFrom, shapeOf } from "../../src/engine/Encoding";
import { Connect4 } from "../../src/engine/games/Connect4";
import { byName } from "../../src/engine/Recognition";
import { fixture, NAMES, stateAfter } from "./fixtures";

describe.each(NAMES)("%s", (name) => {
  const { encoding: data, states } = fixture(name, "encoding");
  const encoding = encodingFrom(data);

  it("reads the reference network's encoding", () => {
    expect(byName(name).encoding).toEqual(encoding);
    expect(states.length).toBeGreaterThan(0);
  });

  it.each(states.map((state, at) => ({ ...state, at })))("draws the tensor of state $at", (expected) => {
    const state = stateAfter(name, expected.settings, expected.actions);
    expect(shapeOf(encoding)).toEqual(expected.shape);
    expect(Array.from(encode(state, encoding))).toEqual(expected.tensor);
    expect(Array.from(state.encode())).toEqual(expected.tensor);
  });
});

describe("an encoding", () => {
  const state = new Connect4().apply(38).apply(31);
  const tensor = (layout: string, planes: string[], board = [6, 7]): number[] =>
    Array.from(encode(state, encodingFrom({ layout, board, planes })));

  it("puts channels last, in a vector, or adds them up", () => {
    const first = tensor("channels_first", ["mover", "opponent"]);
    expect(tensor("flat", ["mover", "opponent"])).toEqual(first);
    expect(tensor("channels_last", ["mover", "opponent"])).toEqual(
      first.slice(0, 42).flatMap((own, at) => [own, first[42 + at]]),
    );
    expect(tensor("sum", ["mover", "opponent"])).toEqual(
      first.slice(0, 42).map((own, at) => own + (first[42 + at] ?? NaN)),
    );
  });

  it("has planes that every game knows", () => {
    const signed = tensor("sum", ["signed"]);
    expect([signed[38], signed[31], signed[0]]).toEqual([1, -1, 0]);
    expect(tensor("sum", ["ones", "zeros", "player0_to_move", "player1_to_move"])).toEqual(Array(42).fill(2));
  });

  it("is refused with a reason where it is none, or none of this game", () => {
    expect(() => encodingFrom({ layout: "flat", board: [3, 3] })).toThrow("'planes' is missing");
    expect(() => encodingFrom(null)).toThrow("'layout' is missing");
    expect(() => tensor("spiral", ["mover"])).toThrow("layout 'spiral' is unknown, use one of channels_first");
    expect(() => tensor("sum", [])).toThrow("'planes' names no plane");
    expect(() => encodingFrom({ layout: "sum", board: "6x7", planes: ["mover"] })).toThrow("is no list of sizes");
    expect(() => tensor("sum", ["edges"])).toThrow("connect4: there is no plane 'edges', use mover, opponent.");
    expect(() => tensor("sum", ["mover"], [7, 6])).toThrow("plane 'mover' is 6 by 7, the encoding's board is 7 by 6.");
  });
});
