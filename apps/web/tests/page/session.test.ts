import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/engine/Game";
import type { Player } from "../../src/engine/State";
import { fallback, hasVectors, isForOthers } from "../../src/offline/Shell";
import { limitFrom } from "../../src/page/choices/Controls";
import { textOf } from "../../src/page/dom/Notices";
import * as sessions from "../../src/page/game/Session";
import { status, statusShown } from "../../src/page/words/Outcome";
import { summary } from "../../src/page/words/Words";
import { stateAfter } from "../engine/fixtures";

const game = (name: string, human: Player, moves: readonly number[], settings: Settings = {}): sessions.Session =>
  moves.reduce(sessions.playMove, sessions.beginSession(stateAfter(name, settings, []), human));

const NAMED = { prompt: "tap_cell", pieces: ["cross", "nought"] } as const;

// Draws all edges of the upper left box of 3 x 3 but one; the moves alternate between the players.
const THREE_SIDES = [0, 3, 12];

describe("a session", () => {
  it("says whose turn it is and who has won", () => {
    expect(status(game("tictactoe", 0, []), NAMED)).toBe("Tap the cell for your move");
    expect(status(game("tictactoe", 1, []), NAMED)).toBe("Waiting for AI’s move");
    expect(status(game("tictactoe", 0, [0, 3, 1, 4, 2]), NAMED)).toBe("You won!");
    expect(status(game("tictactoe", 1, [0, 3, 1, 4, 2]), NAMED)).toBe("AI won!");
    expect(status(game("tictactoe", 0, [0, 1, 2, 4, 3, 5, 7, 6, 8]), NAMED)).toBe("Draw");
  });

  it("takes back the person's last move and what followed it", () => {
    expect(sessions.actions(sessions.undoMoves(game("tictactoe", 0, [0, 3, 1, 4])))).toEqual([0, 3]);
    expect(sessions.actions(sessions.undoMoves(game("tictactoe", 0, [0, 3, 1])))).toEqual([0, 3]);
    const first = game("tictactoe", 1, [0]);
    expect(sessions.undoMoves(first)).toBe(first);
  });

  it("forgets the chances of moves that are taken back", () => {
    const rated = sessions.rateMove(game("tictactoe", 0, [0]), 0.25);
    expect(sessions.curve(rated)).toEqual([[1, 0.75]]);
    expect(sessions.curve(sessions.undoMoves(rated))).toEqual([]);
  });

  it("ends the curve of chances with the result", () => {
    expect(sessions.curve(game("tictactoe", 1, [0, 3, 1, 4, 2]))).toEqual([[5, 0]]);
  });

  it("makes forced passes by itself and says so", () => {
    const session = game("dots_and_boxes", 0, [...THREE_SIDES, 13]);
    expect(sessions.actions(session)).toEqual([...THREE_SIDES, 13, 24]);
    expect(sessions.phase(session)).toBe("theirs");
    expect(sessions.passNotice(session)).toContain("You pass:");
    expect(sessions.lastMove(session)).toBe(13);
    expect(summary(session, sessions.latest(session))).toBe("Boxes: you 0, AI 1");
  });

  it("still says so after the network has moved again, until the person moves", () => {
    const session = [...THREE_SIDES, 13].reduce(sessions.playMove, game("dots_and_boxes", 0, []));
    const again = sessions.playMove(session, 20);
    expect(sessions.phase(again)).toBe("yours");
    expect(sessions.passNotice(again)).toContain("You pass:");
    expect(sessions.passNotice(sessions.playMove(again, 21))).toBe(null);
  });

  it("says of Reversi who can turn nothing", () => {
    const moves = [11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14];
    const mine = game("reversi", 1, moves, { size: 4 });
    expect([sessions.passNotice(mine), sessions.actions(mine).at(-1)]).toEqual([
      "You pass: you can turn no disc over, and AI moves again.",
      16,
    ]);
    const theirs = game("reversi", 0, moves, { size: 4 });
    expect(sessions.passNotice(theirs)).toBe("AI passes: it can turn no disc over, move again.");
    expect(summary(theirs, sessions.latest(theirs))).toBe("Discs: you 11, AI 4");
  });

  it("counts the passes where the network completes one box after the other", () => {
    const session = game("dots_and_boxes", 0, [0, 3, 12, 1, 14, 4, 8, 13]);
    expect(sessions.passNotice(session)).toContain("You pass:");
    expect(sessions.passNotice(sessions.playMove(session, 2))).toContain("You pass:");
    expect(sessions.passNotice(game("dots_and_boxes", 0, [0, 3, 12, 1, 8, 4, 23, 13, 14]))).toContain(
      "You pass 2 times",
    );
  });

  it("takes a forced pass back with the move before it", () => {
    const session = game("dots_and_boxes", 1, [...THREE_SIDES, 13]);
    expect(sessions.passNotice(session)).toContain("AI passes");
    expect(sessions.actions(sessions.undoMoves(session))).toEqual(THREE_SIDES);
  });

  it("shows any earlier position, and the last one as it changes", () => {
    const session = game("tictactoe", 0, [0, 3, 1]);
    expect(sessions.ply(sessions.showMove(session, 1))).toBe(1);
    expect(sessions.visible(sessions.showMove(session, -5)).lastAction).toBeNull();
    expect(sessions.showMove(session, 99).shown).toBeNull();
  });

  it("leaves an earlier position shown while a chance comes for the last one", () => {
    const session = sessions.rateMove(sessions.showMove(game("tictactoe", 0, [4, 0]), 1), 0.3);
    expect([sessions.ply(session), [...session.rates.keys()]]).toEqual([1, [2]]);
  });
});

describe("a replay", () => {
  const won = game("tictactoe", 0, [0, 3, 1, 4, 2]);

  it("says whose turn it was, and the result at the end alone", () => {
    const statusAt = (moves: number): string => statusShown(sessions.showMove(won, moves), NAMED);
    expect([0, 1, 4, 5].map(statusAt)).toEqual(["Your turn", "AI’s turn", "Your turn", "You won!"]);
  });

  it("says so of a game that was given up, too", () => {
    const given = sessions.resign(game("tictactoe", 0, [0, 3]));
    const statusAt = (moves: number): string => statusShown(sessions.showMove(given, moves), NAMED);
    expect([0, 1, 2].map(statusAt)).toEqual(["Your turn", "AI’s turn", "AI won!"]);
  });

  it("tells the chances that were known then", () => {
    const early = sessions.rateMove(game("tictactoe", 0, [0]), 0.25);
    const rated = [3, 1, 4, 2].reduce(sessions.playMove, early);
    const chanceAt = (moves: number): number | null => sessions.chanceShown(sessions.showMove(rated, moves));
    expect([0, 1, 3, 5].map(chanceAt)).toEqual([null, 0.75, 0.75, 1]);
  });
});

it("tells the score of a finished game of Go", () => {
  const session = game("go", 0, [40, 81, 81]);
  expect(summary(session, sessions.latest(session))).toBe("Score: black 81, white 0 and 7.5 komi; black wins by 73.5");
});

it("says what is new after what it has said before", () => {
  expect(textOf({ hint: () => "Hint: D4.", passes: () => "You pass." })).toBe("You pass. Hint: D4.");
  expect(textOf({})).toBe("");
});

it("reads the strength that was chosen", () => {
  expect(limitFrom("simulations 200")).toEqual({ kind: "simulations", count: 200 });
  expect(limitFrom("policy")).toEqual({ kind: "policy" });
  expect(limitFrom("level 3", 7)).toEqual({ kind: "level", number: 3, seed: 7 });
  expect(limitFrom("level 3")).not.toEqual(limitFrom("level 3"));
});

describe("the service worker", () => {
  const [scope, files] = ["http://localhost/app/", ["index.html", "assets/a.js"]] as const;
  const path = (url: string, method = "GET"): string | null => fallback({ url, method }, scope, files);

  it("answers for the app's own files alone", () => {
    expect([path(scope), path(`${scope}assets/a.js?x`)]).toEqual(["index.html", "assets/a.js"]);
    expect([path(`${scope}azx/index.json`), path("http://elsewhere/app/"), path(scope, "POST")]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("keeps of TF.js's two files the one that this browser runs", () => {
    const [plain, simd] = ["assets/tfjs-backend-wasm-BIA8cDLW.wasm", "assets/tfjs-backend-wasm-simd-BrM3BlWr.wasm"];
    const kept = (isWithVectors: boolean): readonly string[] =>
      [plain, simd, ...files].filter((path) => !isForOthers(path, isWithVectors));
    expect([kept(true), kept(false)]).toEqual([
      [simd, ...files],
      [plain, ...files],
    ]);
    // Node has vectors, as all browsers have had since 2023.
    expect(hasVectors()).toBe(true);
  });
});
