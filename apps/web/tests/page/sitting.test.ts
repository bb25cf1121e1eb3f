/** A sitting as a value: what happens makes the next one, and no figure stands beside a board of another moment. */

import { describe, expect, it } from "vitest";

import { chance } from "../../src/engine/Levels";
import type { State } from "../../src/engine/State";
import { newIdentity } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { takeBack, tryMove } from "../../src/page/review/Line";
import * as sittings from "../../src/page/sitting/Sitting";
import { type Sitting, viewOf } from "../../src/page/sitting/Sitting";
import type { Analysis, Playing, Progress } from "../../src/worker/Messages";
import { stateAfter } from "../engine/fixtures";

/** A sitting that nothing can change: an assignment to it, or into it, throws. */
function frozen<Value>(value: Value): Value {
  // A position is the engine's, whose tables are no objects that can be frozen.
  const isOurs =
    typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !("legalActions" in value);
  if (!isOurs || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}

function begin(game: string, human: sessions.Human, moves: readonly number[] = [], isAlone = false): Sitting {
  const session = moves.reduce(sessions.playMove, sessions.beginSession(stateAfter(game, {}, []), human));
  const before = { game, isAlone, network: null, turn: 0 };
  return frozen(
    sittings.begin(before, { session, settings: {}, identity: newIdentity("played") }, {}, moves.length > 0),
  );
}

const progress = (winRate: number): Progress => ({
  simulations: 9,
  depth: 2,
  winRate,
  proven: false,
  seconds: 1,
  shares: [],
});

function analysis(state: State, of = 0.5): Analysis {
  const [action = 0] = state.legalActions();
  const candidate = { action, visits: 8, winRate: of } as Analysis["candidates"][number];
  const seen = { mover: state.toMove, chance: of, best: action };
  return { seen, candidates: [candidate], proven: null, lines: [[]], visits: 8, isWhole: true };
}

const shownState = (now: Sitting): State => sessions.visible(sittings.shown(now));

/** Add what a hint finds of the position that is shown. */
const hint = (now: Sitting): Sitting =>
  sittings.figure(now, shownState(now), { found: analysis(shownState(now)), heat: new Map([[0, 1]]), hint: () => "!" });

describe("a figure", () => {
  const asked = hint(begin("tictactoe", 0, [4, 0]));

  it("stands beside the position that it is of", () => {
    const { found, heat, notices, best } = viewOf(asked);
    expect([found?.visits, heat?.get(0), notices.hint?.(), best?.size]).toEqual([8, 1, "!", 1]);
  });

  it.each([
    ["a move", (now: Sitting) => sittings.play(now, 8)],
    ["a move that is taken back", (now: Sitting) => sittings.undo(now)],
    ["another position of the game", (now: Sitting) => sittings.showAt(sittings.replay(now, true), 1)],
    ["a line", (now: Sitting) => sittings.showLine(now, tryMove(now.session, null, 8))],
    ["a game of another's", (now: Sitting) => ({ ...now, session: begin("tictactoe", 0).session })],
  ])("is gone with %s, and nobody has to take it away", (_, change) => {
    const { found, heat, points, rates, best, notices } = viewOf(change(asked));
    expect([found, heat, points, rates, best, notices.hint]).toEqual([null, null, null, null, null, undefined]);
  });

  it("that comes when another position is shown changes nothing", () => {
    const before = shownState(asked);
    const next = frozen(sittings.cool(sittings.play(asked, 8)));
    expect(sittings.figure(next, before, { found: analysis(before) })).toBe(next);
  });

  it("of a replay stays there while the network moves at the end of the game", () => {
    const waiting = hint(sittings.showAt(sittings.replay(begin("tictactoe", 0, [4, 0, 8]), true), 1));
    const next = sittings.take(waiting, { ...progress(0.4), action: 2 });
    expect(viewOf(next).state).toBe(viewOf(waiting).state);
    expect(viewOf(next).heat).toBe(viewOf(waiting).heat);
    expect(viewOf(next).found).not.toBe(null);
  });

  it("is more than one: what a policy says does not end a hint that is on its way", () => {
    const state = shownState(asked);
    const waiting = sittings.figure(sittings.cool(asked), state, { isHinting: true });
    expect(viewOf(sittings.figure(waiting, state, { heat: new Map() })).isHinting).toBe(true);
  });
});

describe("a thought", () => {
  it("tells the chances of the position that it is of, and of none after it", () => {
    const theirs = begin("tictactoe", 0, [4]);
    const thought = sittings.think(theirs, sessions.latest(theirs.session), progress(0.99));
    const chanceIn = (now: Sitting): number | null => viewOf(now).panel.share;
    expect(chanceIn(thought)).toBeCloseTo(0.01);
    // Player 1 was sure to win before the person's move; of the position after it nobody has thought yet.
    const after = sittings.play(sittings.take(thought, { ...progress(0.5), action: 0 }), 8);
    expect(viewOf(after).progress?.winRate).toBe(0.5);
    expect(viewOf(after).thinking).toBe(null);
    expect(chanceIn(sittings.think(after, sessions.latest(after.session), progress(0.2)))).toBeCloseTo(0.8);
    const line = sittings.showLine(thought, tryMove(sessions.showMove(thought.session, 0), null, 2));
    expect(chanceIn(line)).toBe(null);
  });

  it("is not told of a game that is not there any more", () => {
    const theirs = begin("tictactoe", 0, [4]);
    const thought = sittings.think(theirs, sessions.latest(theirs.session), progress(0.99));
    expect(viewOf(sittings.undo(thought)).progress).toBe(null);
    expect(viewOf({ ...thought, session: begin("tictactoe", 0, [4]).session }).progress).toBe(null);
  });
});

/** The next number below `limit`, of a stream that is the same in every run. */
function drawing(seed: number): (limit: number) => number {
  let times = 0;
  return (limit) => Math.min(limit - 1, Math.floor(limit * chance(seed, times++)));
}

describe("whatever happens, in whichever order", () => {
  // Who made a figure knows of which position: what stands on the page is asked for it.
  const madeOf = new WeakMap<object, State>();
  const made = <Figure extends object>(figure: Figure, of: State): Figure => {
    madeOf.set(figure, of);
    return figure;
  };

  function next(now: Sitting, draw: (limit: number) => number): Sitting {
    const { session, line } = now;
    const past = session.states[draw(session.states.length)] ?? session.states[0];
    const of = draw(2) ? past : shownState(now);
    const legal = (state: State): number | undefined => {
      const actions = state.legalActions();
      return actions[draw(Math.max(1, actions.length))];
    };
    const own = legal(sessions.latest(session));
    const tried = legal(shownState(now));
    const changes: readonly (() => Sitting)[] = [
      () => (own === undefined || session.end ? now : sittings.play(now, own)),
      () => (own === undefined || session.end ? now : sittings.take(now, { ...progress(draw(9) / 9), action: own })),
      () => sittings.think(now, past, made(progress(draw(9) / 9), past)),
      () => {
        const found = made(analysis(of), of);
        const [heat, points] = [made(new Map([[0, 1]]), of), made(new Map([[0, 1]]), of)];
        return sittings.figure(now, of, { found, heat, points, hint: made(() => "hint", of) });
      },
      () => sittings.undo(now),
      () => sittings.leave(now),
      () => sittings.cool(now),
      () => sittings.replay(now, draw(2) === 1),
      () => sittings.showAt(now, draw(session.states.length)),
      () => (tried === undefined ? now : sittings.showLine(now, tryMove(session, line, tried))),
      () => sittings.showLine(now, line && takeBack(line)),
      () => sittings.resign(now, () => ""),
      () => sittings.playFromHere(now, now.identity, () => ""),
      () => sittings.see(now, new Map([[draw(session.states.length), { mover: 0, chance: 0.5, best: null }]])),
      () => sittings.begin(now, begin(now.game, 0), {}, false),
    ];
    return (changes[draw(changes.length)] as () => Sitting)();
  }

  it.each([1, 2, 3, 4])("board and figures are of one moment (seed %i)", (seed) => {
    const draw = drawing(seed);
    let now = begin(seed % 2 ? "tictactoe" : "connect4", 0);
    let figures = 0;
    for (let step = 0; step < 1500; step++) {
      now = frozen(next(now, draw));
      const view = viewOf(now);
      expect(view.state).toBe(sessions.visible(view.shown));
      for (const figure of [view.found, view.heat, view.points, view.notices.hint, view.thinking]) {
        // The network's own thought, which `take` has noted, is of no `made` object.
        const of = figure && madeOf.get(figure);
        if (!of) continue;
        figures++;
        expect(of).toBe(view.state);
      }
      const thought = view.progress && madeOf.get(view.progress);
      if (thought) expect(view.session.states).toContain(thought);
    }
    expect(figures).toBeGreaterThan(100);
  });
});

describe("a sitting", () => {
  const NETWORK = { hasPolicy: true, hasValue: true } as Playing;

  it("with another game has nothing of the one before but its network", () => {
    const before = {
      ...hint(sittings.stick(sittings.seat(begin("tictactoe", 0, [4]), NETWORK))),
      wins: [1, 2] as const,
    };
    const { session, settings, identity } = begin("tictactoe", 1);
    const next = sittings.begin(before, { session, settings, identity }, {}, false);
    const { network, figures, isStuck, wins, turn } = next;
    expect([network, figures, isStuck, wins, turn]).toEqual([NETWORK, null, false, null, 0]);
  });

  it("that nobody waits for any more has a turn of its own, and keeps the line that is tried out", () => {
    const line = tryMove(begin("tictactoe", 0, [4]).session, null, 0);
    const left = sittings.leave(sittings.showLine(sittings.analyse(begin("tictactoe", 0, [4]), true), line));
    expect([left.turn, left.isAnalysing, left.line]).toEqual([1, false, line]);
  });

  it("of a game that was watched stands still at first, and one that is only read is a replay", () => {
    expect(begin("tictactoe", sessions.NOBODY, [4]).isPaused).toBe(true);
    expect(begin("tictactoe", sessions.NOBODY).isPaused).toBe(false);
    expect(begin("tictactoe", sessions.READER, [4]).isReplay).toBe(true);
    expect(begin("tictactoe", 0, [4], true).isReplay).toBe(true);
    expect(begin("tictactoe", sessions.BOTH, [4], true).isReplay).toBe(false);
  });

  it("says who had to pass, once the move is made", () => {
    const before = begin("dots_and_boxes", 1, [0, 3, 12]);
    expect(before.notices.passes).toBe(undefined);
    expect(sittings.play(before, 13).notices.passes?.()).toBe(sessions.passNotice(sittings.play(before, 13).session));
  });

  it("marks dead stones, agrees on them, or takes both passes back", () => {
    const passed = begin("go", 0, [0, 81, 81]);
    const marked = sittings.mark(passed, [0]);
    expect(viewOf(marked).counted?.dead).toEqual(new Set([0]));
    expect(sittings.agree(marked).session.end).toEqual({ kind: "agreed", dead: [0] });
    expect(sittings.agree(marked).notices).toEqual({});
    const reopened = sittings.reopen(marked);
    expect([reopened.session.states.length, reopened.isPlayedOn]).toEqual([2, true]);
    // Another two passes later nothing is marked yet.
    expect(viewOf(sittings.play(sittings.play(reopened, 81), 81)).counted?.dead).toEqual(new Set());
  });

  it("goes on from a replay as a game of its own, which others had begun", () => {
    const read = sittings.showAt(begin("tictactoe", sessions.READER, [4, 0, 8]), 1);
    const identity = newIdentity("played");
    const own = sittings.playFromHere(read, identity, () => "two");
    expect([own.session.human, own.isReplay, own.identity, own.notices]).toEqual([1, false, identity, {}]);
    const alone = sittings.playFromHere({ ...read, isAlone: true }, identity, () => "two");
    expect([alone.session.human, alone.notices.begins?.()]).toEqual([sessions.BOTH, "two"]);
  });

  it("keeps a line once", () => {
    const now = begin("tictactoe", 0, [4, 0]);
    const line = tryMove(now.session, null, 8);
    const kept = sittings.keepLine(now, line);
    expect(kept.identity.lines).toHaveLength(1);
    expect(sittings.keepLine(kept, line)).toBe(kept);
  });
});
