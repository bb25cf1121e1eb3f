import { describe, expect, it } from "vitest";
import { encode, encodingFrom } from "../../src/engine/Encoding";
import * as ticTacToe from "../../src/engine/games/TicTacToe";
import { fromManifest } from "../../src/engine/known/Recognition";
import { legalAt, stateAfter } from "./fixtures";
import { symmetries, take } from "./Symmetry";

const COLUMNS = {
  game: "connect4",
  settings: {},
  encoding: { layout: "sum", board: [6, 7], planes: ["signed"] },
  actions: "column",
};

describe("a manifest", () => {
  it("says how another author's network is asked and numbers its actions", () => {
    const reading = fromManifest(COLUMNS, 7);
    const state = reading.start().apply(38);
    expect(reading.tensor(state)[38]).toBe(-1);
    const policy = reading.policy([10, 11, 12, 13, 14, 15, 16], state);
    expect([policy?.[31], policy?.[35], policy?.[41]]).toEqual([13, 10, 16]);
  });

  it("says whose value the network gives", () => {
    const absolute = { ...COLUMNS, encoding: { ...COLUMNS.encoding, value: "player0" } };
    const [own, first] = [fromManifest(COLUMNS, 7), fromManifest(absolute, 7)];
    const state = own.start();
    expect([own.value(0.25, state), first.value(0.25, state)]).toEqual([0.25, 0.25]);
    expect([own.value(0.25, state.apply(38)), first.value(0.25, state.apply(38))]).toEqual([0.25, -0.25]);
  });

  it("may list the policy's index of each action, or have no policy", () => {
    const listed = { ...COLUMNS, actions: Array.from({ length: 42 }, (_, action) => 41 - action) };
    const reading = fromManifest(listed, 42);
    const policy = reading.policy(
      Array.from({ length: 42 }, (_, at) => at),
      reading.start(),
    );
    expect(policy?.[0]).toBe(41);
    const silent = fromManifest({ ...COLUMNS, actions: "none" }, null);
    expect(silent.policy([], silent.start())).toBeNull();
  });

  it("may be shown the board turned for the second player, whose moves are then numbered likewise", () => {
    const encoding = { layout: "sum", board: [5, 5], planes: ["signed"], turned: true };
    const reading = fromManifest({ game: "hex", encoding }, 25);
    const numbers = Array.from({ length: 25 }, (_, at) => at);
    const [first, second] = [reading.start(), reading.start().apply(1)];
    expect([reading.policy(numbers, first)?.[1], reading.policy(numbers, second)?.[1]]).toEqual([1, 5]);
    // The first player's stone on b1 lies in the second row then.
    expect([...reading.tensor(second)].indexOf(-1)).toBe(5);
    const uneven = { ...encoding, board: [5, 6] };
    expect(() => fromManifest({ game: "hex", encoding: uneven }, 25)).toThrow("cannot be turned");
  });

  it("keeps the number of a pass on the turned board", () => {
    const encoding = { layout: "sum", board: [8, 8], planes: ["signed"], turned: true };
    const reading = fromManifest({ game: "reversi", encoding }, 65);
    const second = reading.start().apply(reading.start().legalActions()[0] ?? 0);
    const policy = reading.policy(
      Array.from({ length: 65 }, (_, at) => at),
      second,
    );
    expect([64, 63, 1].map((action) => policy?.[action])).toEqual([64, 63, 8]);
  });

  it("tells the size by its board where it has no settings", () => {
    const encoding = { layout: "channels_first", board: [13, 13], planes: ["signed"] };
    const reading = fromManifest({ game: "go", encoding }, 170);
    expect([reading.settings, reading.start({ komi: 6.5 }).actions]).toEqual([{ size: 13 }, 170]);
  });

  it("tells rows and columns by its board where they are settings", () => {
    const encoding = { layout: "sum", board: [8, 9], planes: ["signed"] };
    const reading = fromManifest({ game: "connect4", settings: {}, encoding, actions: "column" }, 9);
    expect([reading.settings, reading.start().board]).toEqual([{ rows: 8, columns: 9 }, [8, 9]]);
    expect(reading.policy([0, 1, 2, 3, 4, 5, 6, 7, 8], reading.start())?.[71]).toBe(8);
  });

  it("is refused with a reason where it is not sound", () => {
    expect(() => fromManifest({ ...COLUMNS, game: "chess" }, 7)).toThrow("game 'chess' is unknown");
    expect(() => fromManifest(COLUMNS, 42)).toThrow(
      "the policy's 42 outputs do not number Connect4's actions by 'column'",
    );
    expect(() => fromManifest({ ...COLUMNS, actions: [0, 7] }, 7)).toThrow(
      "'actions' must list 42 indices from 0 to 6",
    );
    const encoding = { ...COLUMNS.encoding, planes: ["edges"] };
    expect(() => fromManifest({ ...COLUMNS, encoding }, 7)).toThrow("connect4: there is no plane 'edges'");
  });
});

describe.each(["tictactoe", "gomoku", "go", "connect4", "dots_and_boxes", "reversi"])(
  "the symmetries of %s",
  (name) => {
    const start = stateAfter(name, {}, []);
    let state = start;
    const played = [0, 1, -2].map((at) => {
      const action = legalAt(state, at);
      state = state.apply(action);
      return action;
    });
    const found = symmetries(name, start.encoding, start.actions);

    it("draw what the turned moves would have led to", () => {
      for (const { cells, actions } of found) {
        const turned = stateAfter(
          name,
          {},
          played.map((action) => actions[action] ?? -1),
        );
        expect(take(stateAfter(name, {}, played).encode(), cells)).toEqual(turned.encode());
      }
      expect(found.length).toBe({ connect4: 2, dots_and_boxes: 1, reversi: 4 }[name] ?? 8);
    });

    it.each([{ flip: true }, { transpose: true }, { flip: true, transpose: true }])(
      "turn a tensor of %o",
      (options) => {
        const encoding = encodingFrom({ ...start.encoding, ...options });
        const written = encode(stateAfter(name, {}, played), encoding);
        for (const { cells, actions } of symmetries(name, encoding, start.actions)) {
          const moves = played.map((action) => actions[action] ?? -1);
          expect(take(written, cells)).toEqual(encode(stateAfter(name, {}, moves), encoding));
        }
      },
    );

    it("turn a policy back", () => {
      const policy = Float32Array.from({ length: start.actions }, (_, action) => action);
      for (const { actions } of found) {
        const turned = new Float32Array(start.actions);
        for (const [action, called] of actions.entries()) turned[called] = policy[action] ?? NaN;
        expect(take(turned, actions)).toEqual(policy);
      }
    });
  },
);

it("turns boards anticlockwise before it mirrors them, as the Python engine does", () => {
  const state = ticTacToe.start().apply(0).apply(1);
  const turned = symmetries("tictactoe", state.encoding, 9).map(({ cells }) =>
    Array.from(take(encode(state, state.encoding), cells)),
  );
  expect(turned[1]).toEqual([0, 0, 0, -1, 0, 0, 1, 0, 0]);
  expect(turned[5]).toEqual([0, 0, 0, 0, 0, -1, 0, 0, 1]);
});
