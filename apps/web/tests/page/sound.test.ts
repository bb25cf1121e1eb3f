/** What the moves between two moments of a game sound like. */

import { describe, expect, it } from "vitest";
import { toneBetween } from "../../src/page/display/Sound";
import * as sessions from "../../src/page/game/Session";
import { stateAfter } from "../engine/fixtures";

const begin = (name: string): sessions.Session => sessions.beginSession(stateAfter(name, {}, []), 0);
const then = (session: sessions.Session, ...moves: readonly number[]): sessions.Session =>
  moves.reduce(sessions.playMove, session);

describe("the tone of a move", () => {
  it("is one of a stone, of a capture, or of the end", () => {
    const go = then(begin("go"), 1, 0);
    expect(toneBetween(go, then(go, 40))).toBe("place");
    expect(toneBetween(go, then(go, 9))).toBe("capture");
    const dots = then(begin("dots_and_boxes"), 0, 3, 12);
    expect(toneBetween(dots, then(dots, 13))).toBe("capture");
    const cross = then(begin("tictactoe"), 0, 3, 1, 4);
    expect(toneBetween(cross, then(cross, 2))).toBe("end");
  });

  it("is none where nothing was played: a replay, a move taken back, another game", () => {
    const session = then(begin("tictactoe"), 0, 3);
    expect(toneBetween(session, session)).toBeNull();
    expect(toneBetween(session, sessions.showMove(session, 0))).toBeNull();
    expect(toneBetween(session, sessions.undoMoves(session))).toBeNull();
    expect(toneBetween(session, then(begin("tictactoe"), 0, 3, 1))).toBeNull();
  });
});
