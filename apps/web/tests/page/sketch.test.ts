/** A position that a person sets up, as a value: what a press does, and the text that stands in the address. */

import { describe, expect, it } from "vitest";
import { GAMES } from "../../src/engine/known/Catalogue";
import * as sketches from "../../src/page/setup/Sketch";
import { drawing } from "../engine/drawing";

const games = [...GAMES.keys()];

describe("a sketch", () => {
  it.each(games)("of %s is the same by its text, whatever was pressed", (game) => {
    for (let seed = 1; seed <= 20; seed++) {
      const draw = drawing(seed);
      let now = sketches.sketch(game);
      for (let press = 0; press < 25; press++) {
        const before = JSON.stringify(now);
        const next = sketches.press(
          sketches.pick(now, ([0, 1, null] as const)[draw(3)] ?? null),
          draw(now.pieces.length),
        );
        expect(JSON.stringify(now)).toBe(before);
        now = draw(9) ? next : sketches.turn(next, draw(2) as 0 | 1);
        const again = sketches.readSketch(sketches.textOf(now));
        expect({ ...again, tool: now.tool }).toEqual(now);
      }
    }
  });

  it("puts a piece, takes it by the same press or with nothing in hand, and follows whose turn it is", () => {
    const one = sketches.press(sketches.sketch("tictactoe"), 4);
    expect([one.pieces[4], one.toMove]).toEqual([1, 1]);
    expect(sketches.press(one, 4).pieces[4]).toBe(0);
    expect(sketches.press(sketches.pick(one, null), 4).toMove).toBe(0);
    expect(sketches.press(sketches.pick(one, 1), 4).pieces[4]).toBe(2);
    expect(sketches.clear(one).pieces).toEqual(Array(9).fill(0));
  });

  it("lets discs fall, and takes the topmost one", () => {
    const first = sketches.press(sketches.sketch("connect4"), 3);
    const two = sketches.press(sketches.pick(first, 1), 3);
    expect([two.pieces[38], two.pieces[31]]).toEqual([1, 2]);
    const less = sketches.press(sketches.pick(two, null), 3);
    expect([less.pieces[38], less.pieces[31]]).toEqual([1, 0]);
  });

  it("gives a box to the side whose line closes it, and opens it again", () => {
    let now = sketches.sketch("dots_and_boxes", { size: 2 });
    for (const edge of [0, 2, 6]) now = sketches.press(now, edge);
    expect(now.toMove).toBe(1);
    const closed = sketches.press(sketches.pick(now, 1), 7);
    expect(closed.pieces.slice(12)).toEqual([2, 0, 0, 0]);
    expect(sketches.press(closed, 0).pieces.slice(12)).toEqual([0, 0, 0, 0]);
  });

  it("is not read from a text that is none", () => {
    for (const text of [
      "",
      "chess",
      "reversi/size=8/012/0",
      "go/size=99",
      "tictactoe//01",
      "tictactoe//000000003/0",
      "go/size=9/1/0",
    ])
      expect(sketches.readSketch(text), text).toBe(null);
    expect(sketches.readSketch("hex")?.pieces.length).toBe(49);
  });
});
