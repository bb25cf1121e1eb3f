import { describe, expect, it } from "vitest";

import { begin } from "../../src/engine/Game";
import type { Go } from "../../src/engine/games/Go";
import { byName } from "../../src/engine/known/Recognition";
import { countWithout, isUnsettled, scoringText, toggleChain } from "../../src/page/game/Ending";
import { describeEstimate, proposeDead } from "../../src/page/game/Estimate";
import * as sessions from "../../src/page/game/Session";
import { status } from "../../src/page/words/Outcome";
import { scoredPositions } from "../engine/scored";

const NAMED = { prompt: "tap_point_or_pass", pieces: ["black", "white"] } as const;
const both = scoredPositions().find(({ about }) => about.includes("both"));

/** The game of a board with dead stones of both colours, without its last moves. */
function game(without = 0): sessions.Session {
  const actions = both?.actions.slice(0, both.actions.length - without) ?? [];
  return actions.reduce(sessions.playMove, sessions.beginSession(begin(byName("go"), {}), 0));
}

describe("the end of a game", () => {
  it("is not there after two passes in Go, until the dead stones are agreed on", () => {
    const session = game();
    expect(isUnsettled(session.states)).toBe(true);
    expect(sessions.phase(session)).toBe("scoring");
    expect(status(session, NAMED)).toBe("Tap dead stones, then agree");
    const state = sessions.latest(session) as Go;
    const dead = proposeDead(state);
    expect(dead).toEqual(both?.dead);
    expect(scoringText(state, dead)).toBe(
      `Without the dead stones white wins by ${-(both?.score_without ?? 0)}, with all stones alive white wins by ${-(both?.score ?? 0)}.`,
    );
    const agreed = sessions.agreeOn(session, dead);
    expect(sessions.phase(agreed)).toBe("over");
    expect(status(agreed, NAMED)).toContain("AI won");
    expect(sessions.undoMoves(agreed).end).toBe(null);
  });

  it("toggles whole chains", () => {
    const state = sessions.latest(game()) as Go;
    const dead = proposeDead(state);
    const alive = toggleChain(state, dead, 68);
    expect(dead.filter((at) => !alive.includes(at))).toEqual([60, 67, 68, 69]);
    expect(toggleChain(state, alive, 67)).toEqual(dead);
    expect(toggleChain(state, dead, 0)).toEqual(dead);
    expect(countWithout(state, dead, true)?.areas[0]).toContain(55);
  });

  it("takes both passes back where the person plays on", () => {
    const session = game();
    const on = sessions.takePassesBack(session);
    expect(on.states.length).toBe(session.states.length - 2);
    expect(sessions.phase(on)).not.toBe("scoring");
  });

  it("comes when the person resigns, until that is taken back", () => {
    const session = sessions.playMove(sessions.beginSession(begin(byName("connect4"), {}), 1), 38);
    const resigned = sessions.resign(session);
    expect(sessions.phase(resigned)).toBe("over");
    expect(sessions.result(resigned)).toBe(-1);
    expect(status(resigned, NAMED)).toContain("AI won");
    expect(sessions.curve(resigned).at(-1)).toEqual([1, 0]);
    expect(sessions.undoMoves(resigned)).toEqual(session);
  });

  it("is estimated with the side that is ahead, and how sure that is", () => {
    const state = sessions.latest(game(2)) as Go;
    const [sentence, { dead, isOpen }] = describeEstimate(state);
    expect(sentence()).toBe("Estimate: white +14 ± 10, likely.");
    expect(isOpen).toBe(false);
    expect(dead.has(68)).toBe(true);
  });
});
