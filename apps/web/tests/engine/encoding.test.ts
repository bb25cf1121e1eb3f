import { describe, expect, it } from "vitest";

import { encode, encodingFrom, inputSizes, shapeOf, splitInputs } from "../../src/engine/Encoding";
import * as connect4 from "../../src/engine/games/Connect4";
import { byName } from "../../src/engine/known/Recognition";
import { fixture, NAMES, readings, stateAfter } from "./fixtures";

describe.each(NAMES)("%s", (name) => {
  const { encoding: data, states } = fixture(name, "encoding");
  const encoding = encodingFrom(data);

  it("reads the reference network's encoding", () => {
    expect(byName(name).encoding).toEqual(encoding);
    expect(states.length).toBeGreaterThan(0);
  });

  it.each(states.map((state, at) => ({ ...state, at })))("draws the tensor of state $at", (expected) => {
    const state = stateAfter(name, expected.settings, expected.actions);
    const ofBoard = { ...encoding, board: state.board };
    expect(shapeOf(ofBoard)).toEqual(expected.shape);
    expect(Array.from(encode(state, ofBoard))).toEqual(expected.tensor);
    expect(Array.from(state.encode())).toEqual(expected.tensor);
  });
});

describe.each(NAMES)("other readings of %s", (name) => {
  const written = readings(name);

  // They come with the Python engine's own files.
  it.skipIf(!written)(written ? "are drawn" : "(readings.json is not there)", () => {
    for (const { settings, actions, encoding: data, shape, tensor, inputs = [tensor] } of written?.states ?? []) {
      const encoding = encodingFrom(data);
      expect(shapeOf(encoding)).toEqual(shape);
      const drawn = encode(stateAfter(name, settings, actions), encoding);
      expect(Array.from(drawn), JSON.stringify(data)).toEqual(tensor);
      expect(splitInputs(drawn, inputSizes(encoding)).map((part) => Array.from(part))).toEqual(inputs);
    }
    expect(written?.states.length).toBeGreaterThan(0);
  });
});

describe("an encoding", () => {
  const state = connect4.start().apply(38).apply(31);
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

  it("draws the pieces of one player whoever is to move, and where the last one fell", () => {
    const ofOne = state.apply(24);
    const draw = (name: string, after = ofOne): number[] =>
      Array.from(encode(after, encodingFrom({ layout: "flat", board: [6, 7], planes: [name] })).entries())
        .filter(([, number]) => number === 1)
        .map(([cell]) => cell);
    expect([draw("player0"), draw("player1"), draw("last")]).toEqual([[24, 38], [31], [24]]);
    expect([draw("player0", state), draw("player1", state)]).toEqual([[38], [31]]);
    expect(draw("last", connect4.start())).toEqual([]);
  });

  it("draws pieces of plies ago, and nothing last after a pass", () => {
    const go = stateAfter("go", {}, [3, 4, 81]);
    const sum = (name: string): number =>
      encode(go, encodingFrom({ layout: "flat", board: [9, 9], planes: [name], history: "repeated" })).reduce(
        (total, number) => total + number,
      );
    expect(["player0@2", "player1@2", "player1@1", "player0@3", "last"].map(sum)).toEqual([1, 0, 1, 0, 0]);
    const dots = stateAfter("dots_and_boxes", { size: 2 }, [11]);
    expect(dots.plane("last")).toEqual(dots.plane("edges"));
  });

  it("flips rows, then exchanges rows and columns", () => {
    const given = { layout: "channels_first", board: [6, 7], planes: ["last", "ones"] };
    const turn = (options: object): [number[], number] => {
      const encoding = encodingFrom({ ...given, ...options });
      // Cell 31 is row 4, column 3.
      return [shapeOf(encoding), encode(state, encoding).indexOf(1)];
    };
    expect(turn({})).toEqual([[2, 6, 7], 31]);
    expect(turn({ flip: true })).toEqual([[2, 6, 7], 1 * 7 + 3]);
    expect(turn({ transpose: true })).toEqual([[2, 7, 6], 3 * 6 + 4]);
    expect(turn({ flip: true, transpose: true })).toEqual([[2, 7, 6], 3 * 6 + 1]);
    expect(turn({ flip: true, layout: "channels_last" })).toEqual([[6, 7, 2], 1]);
  });

  it("gives a second input all its planes, before the board's and behind them", () => {
    const given = { layout: "flat", board: [6, 7], planes: ["mover"] };
    const [ones, zeros] = [new Array<number>(42).fill(1), new Array<number>(42).fill(0)];
    for (const first of [true, false]) {
      const beside = { planes: ["player0_to_move", "player1_to_move"], cells: 42, first };
      const encoding = encodingFrom({ ...given, beside });
      const inputs = splitInputs(encode(state, encoding), inputSizes(encoding)).map((part) => Array.from(part));
      const [other, board] = first ? inputs : [...inputs].reverse();
      expect(other).toEqual([...ones, ...zeros]);
      expect(board).toEqual(tensor("flat", ["mover"]));
    }
  });

  it("is refused where it asks for what there is not", () => {
    const given = { layout: "sum", board: [6, 7], planes: ["mover"] };
    expect(encodingFrom({ ...given, flip: null })).toEqual(given);
    expect(() => encodingFrom({ ...given, history: "y" })).toThrow(
      "history 'y' is unknown, use one of empty, repeated.",
    );
    expect(() => encodingFrom({ ...given, value: "black" })).toThrow("value 'black' is unknown, use one of mover,");
    expect(() => encodingFrom({ ...given, flip: "yes" })).toThrow("flip 'yes' is unknown, use one of false, true.");
    expect(encodingFrom({ ...given, beside: null })).toEqual(given);
    expect(() => encodingFrom({ ...given, beside: 5 })).toThrow("'beside' is 5, give its planes as a list, and");
    expect(() => encodingFrom({ ...given, beside: { planes: [] } })).toThrow("beside: 'planes' is empty, use one of");
  });

  it("is refused with a reason where it is none, or none of this game", () => {
    expect(() => encodingFrom({ layout: "flat", board: [3, 3] })).toThrow("'planes' is missing");
    expect(() => encodingFrom(null)).toThrow("'layout' is missing");
    expect(() => tensor("spiral", ["mover"])).toThrow("layout 'spiral' is unknown, use one of channels_first");
    expect(() => tensor("sum", [])).toThrow("'planes' names no plane");
    expect(() => encodingFrom({ layout: "sum", board: "6x7", planes: ["mover"] })).toThrow("is no list of sizes");
    expect(() => tensor("sum", ["edges"])).toThrow(
      "connect4: there is no plane 'edges', use mover, opponent, player0, player1, last, signed.",
    );
    expect(() => tensor("sum", ["mover"], [7, 6])).toThrow("plane 'mover' is 6 by 7, the encoding's board is 7 by 6.");
  });
});
