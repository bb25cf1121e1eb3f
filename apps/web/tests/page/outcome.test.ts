/** What is said of how a game stands and how it has ended: who has won, the row, what each player has. */

import { describe, expect, it } from "vitest";
import type { Side } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { countOf, describeEnd, result, row, status, statusShown, why } from "../../src/page/words/Outcome";
import { sideNames } from "../../src/page/words/Words";
import { stateAfter } from "../engine/fixtures";

const TWO = { pieces: ["black", "white"] } as const;

const game = (name: string, human: sessions.Human, moves: readonly number[]): sessions.Session =>
  moves.reduce(sessions.playMove, sessions.beginSession(stateAfter(name, {}, []), human));

const CROSS = { prompt: "tap_cell", pieces: ["cross", "nought"] } as const;
const RED = { prompt: "tap_column", pieces: ["red", "yellow"] } as const;
const WON = [0, 3, 1, 4, 2];
const DRAWN = [0, 1, 2, 4, 3, 5, 7, 6, 8];

describe("the row that has won", () => {
  it("is told from where to where", () => {
    expect(row(stateAfter("tictactoe", {}, WON))).toBe("3 in a row from row 1, column 1 to row 1, column 3");
    expect(row(stateAfter("connect4", {}, [35, 28, 36, 29, 37, 30, 38]))).toBe("4 in a row from column 1 to column 4");
    expect(row(stateAfter("connect4", {}, [38, 41, 31, 34, 24, 27, 17]))).toBe("4 in a row in column 4");
    const five = [112, 0, 113, 1, 114, 2, 115, 3, 116];
    expect(row(stateAfter("gomoku", {}, five))).toBe("5 in a row from H8 to L8");
    const chain = [3, 0, 10, 1, 17, 2, 24, 4, 31, 5, 38, 6, 45];
    expect(row(stateAfter("hex", {}, chain))).toBe("A chain of 7 stones from d1 to d7");
  });

  it("runs from its left end to its right one, whichever was played last, also where it rises", () => {
    const rising = [38, 31, 37, 30, 36, 24, 41, 23, 16, 29, 17, 22];
    const state = stateAfter("connect4", {}, rising.slice(0, 0));
    expect(row(state)).toBeNull();
    // Four that rise to the right: columns 1 to 4, from the lowest row on.
    const moves = [35, 36, 29, 37, 30, 38, 23, 31, 24, 41, 17];
    const won = moves.reduce((before, action) => before.apply(action), state);
    expect(won.isTerminal).toBe(true);
    expect(row(won)).toBe("4 in a row from column 1 to column 4");
  });

  it("is none where nobody has one", () => {
    expect(row(stateAfter("tictactoe", {}, DRAWN))).toBeNull();
    expect(row(stateAfter("go", {}, [81, 81]))).toBeNull();
  });
});

describe("a result", () => {
  it("has a reason", () => {
    expect(why(game("tictactoe", 0, DRAWN), TWO)).toBe("The board is full, and nobody has a row.");
    expect(why(sessions.resign(game("go", 0, [40])), TWO)).toBe("You resigned.");
    expect(why(sessions.agreeOn(game("go", 0, [40, 81, 81]), []), TWO)).toMatch(
      /^Score: black 81, white 0 and 7\.5 komi; /,
    );
  });

  it("is that of a colour where the network plays both sides", () => {
    expect(result(game("tictactoe", sessions.NOBODY, WON), CROSS)).toBe("The winner is X");
    // Where networks are known they are named; of one and the same its pieces tell which it is.
    const side = (name: string, level: string): Side => ({ kind: "network", name, level });
    const named = (one: Side, two: Side): string =>
      result(game("tictactoe", sessions.NOBODY, WON), {
        ...CROSS,
        called: sideNames([one, two], "tictactoe", CROSS.pieces),
      });
    expect(named(side("run-7", "level 3"), side("run-8", "level 3"))).toBe("The winner is run-7, Level 3: casual");
    expect(named(side("run-7", "level 3"), side("run-7", "level 5"))).toBe("The winner is run-7, Level 3: casual");
    expect(named(side("run-7", "level 3"), side("run-7", "level 3"))).toBe("The winner is run-7, Level 3: casual, X");
    expect(result(game("tictactoe", sessions.NOBODY, DRAWN), CROSS)).toBe("Draw");
    expect(result(game("tictactoe", 1, WON), CROSS)).toBe("AI won!");
  });

  it("is told in the list of games", () => {
    const tell = (human: sessions.Human, moves: readonly number[]): string =>
      describeEnd({ human, winner: sessions.winner(game("tictactoe", human, moves)) }, CROSS);
    expect([tell(0, WON), tell(1, WON), tell(0, DRAWN), tell(sessions.NOBODY, WON)]).toEqual([
      "Finished: you won",
      "Finished: AI won",
      "Finished: a draw",
      "Finished: X won",
    ]);
  });
});

describe("a game that is watched", () => {
  it("says whose turn it is, and that it stands still", () => {
    const session = game("connect4", sessions.NOBODY, [38]);
    expect(status(session, RED)).toBe("AI against AI: yellow to move");
    expect(status(session, RED, true)).toBe("Paused: yellow to move");
    expect(statusShown(sessions.showMove(session, 0), RED)).toBe("AI against AI: red to move");
  });

  it("is the network's on both sides, and ends without anybody's agreement", () => {
    const session = game("go", sessions.NOBODY, [40, 81, 81]);
    expect(sessions.phase(game("go", sessions.NOBODY, [40]))).toBe("theirs");
    expect(sessions.phase(session)).toBe("over");
    expect(sessions.undoMoves(session)).toBe(session);
    expect(sessions.passNotice(game("dots_and_boxes", sessions.NOBODY, [0, 3, 12, 13]))).toBeNull();
  });

  it("has the chances of the one who began", () => {
    const first = sessions.rateMove(game("tictactoe", sessions.NOBODY, []), 0.6);
    const second = sessions.rateMove(sessions.playMove(first, 4), 0.25);
    expect(sessions.curve(second)).toEqual([
      [0, 0.6],
      [1, 0.75],
    ]);
  });

  it("is there to come back to once it has begun", () => {
    expect(sessions.isGoingOn(game("tictactoe", sessions.NOBODY, []))).toBe(false);
    expect(sessions.isGoingOn(game("tictactoe", sessions.NOBODY, [4]))).toBe(true);
    expect(sessions.isGoingOn(game("tictactoe", sessions.NOBODY, WON))).toBe(false);
    expect(sessions.isGoingOn(game("tictactoe", 1, [4]))).toBe(false);
  });
});

describe("what a player has", () => {
  it("is boxes, discs, captures, or at the end points with the komi", () => {
    // The second player closes the box that the first one has left.
    const boxes = game("dots_and_boxes", 0, [0, 3, 12, 13]);
    expect([countOf(boxes, 0), countOf(boxes, 1)]).toEqual(["0 boxes", "1 box"]);
    const discs = game("reversi", 0, [19]);
    expect([countOf(discs, 0), countOf(discs, 1)]).toEqual(["4 discs", "1 disc"]);
    // White's stone in the corner has both its liberties taken.
    const taken = game("go", 0, [1, 0, 9]);
    expect([countOf(taken, 0), countOf(taken, 1)]).toEqual(["1 captured", "0 captured"]);
    const over = sessions.agreeOn(game("go", 0, [40, 81, 81]), []);
    expect([countOf(over, 0), countOf(over, 1)]).toEqual(["81 points", "7.5 points"]);
    expect(countOf(game("gomoku", 0, [112]), 0)).toBeNull();
  });
});
