import { describe, expect, it } from "vitest";
import { type Evaluation, type Evaluator, Uniform } from "../../src/engine/Evaluator";
import { begin, Reading, type Settings } from "../../src/engine/Game";
import { byName } from "../../src/engine/known/Recognition";
import { MOST } from "../../src/engine/review/Candidates";
import { knownOf } from "../../src/engine/review/Known";
import { MOST_IDLE, Search } from "../../src/engine/Search";
import { USUAL } from "../../src/engine/SearchSettings";
import type { State } from "../../src/engine/State";
import type { Limit, Progress, Thought } from "../../src/worker/Messages";
import { Queue } from "../../src/worker/Queue";
import { MOST_SIMULATIONS, Thinker, turn } from "../../src/worker/Thinker";
import { HashEvaluator } from "../engine/HashEvaluator";
import { scoredPositions } from "../engine/scored";

class Network extends HashEvaluator {
  constructor(readonly hasValue = true) {
    super();
  }
}

/** Takes its time as a real network does, so that a search is not as large as it may be before it has told anything. */
class Slow extends Network {
  override evaluate(states: readonly State[]): ReturnType<HashEvaluator["evaluate"]> {
    const end = performance.now() + 0.2;
    while (performance.now() < end);
    return super.evaluate(states);
  }
}

class Ignorant extends Uniform {
  readonly hasValue = false;
}

const GAME = byName("connect4");
const START = { settings: {}, actions: [] };
const never = (): boolean => false;
const nobody = (): void => undefined;
const LONG = { kind: "seconds", count: 60 } as const;

const thinker = (network = new Network()): Thinker => new Thinker(new Reading(GAME, GAME.encoding, null, {}), network);

describe("a bundle's search", () => {
  const settings = { ...USUAL, root: { considered: 4, visit: 50, scale: 0.1 } };
  const set = (): Thinker => new Thinker(new Reading(GAME, GAME.encoding, null, {}), new Network(), settings);
  const visits = async (by: Thinker, limit: Limit): Promise<number> =>
    (await by.think(START, limit, never, nobody)).shares.filter(([, share]) => share > 0).length;

  it("is played where the best move is, and not where moves are drawn", async () => {
    expect(await visits(set(), { kind: "simulations", count: 60 })).toBe(4);
    expect(await visits(thinker(), { kind: "simulations", count: 60 })).toBeGreaterThan(4);
    // Without a policy the seventh level draws nothing, the sixth one does.
    expect(await visits(set(), { kind: "level", number: 7, seed: 1 })).toBe(4);
    expect(await visits(set(), { kind: "level", number: 6, seed: 1 })).toBeGreaterThan(4);
  });

  it("is one plan, in however many slices it is made", async () => {
    const thought = await set().think(START, { kind: "simulations", count: 60 }, never, nobody);
    const whole = new Search(begin(GAME), new HashEvaluator(), { proves: true, settings });
    await whole.run(60);
    const shares = [...whole.visits()].map(([action, count]) => [action, count / 59]);
    expect([thought.action, thought.shares]).toEqual([whole.bestAction(), shares]);
  });

  it("ends a thought once the move is decided, and no review's", async () => {
    const early = new Thinker(new Reading(GAME, GAME.encoding, null, {}), new Network(), { ...USUAL, earlyStop: true });
    const position = { settings: {}, actions: [38, 31] };
    const limit = { kind: "simulations", count: 2000 } as const;
    const whole = await thinker().think(position, limit, never, nobody);
    const ended = await early.think(position, limit, never, nobody);
    expect(ended.action).toBe(whole.action);
    expect(ended.simulations).toBeLessThan(whole.simulations);
    expect((await early.analyse({ position, simulations: 2000 }, never)).visits).toBe(1999);
  });
});

/** Put a long thought into the queue. */
function ask(queue: Queue, by: Thinker, tell: (progress: Progress) => void = nobody): Promise<Thought> {
  return new Promise((resolve) =>
    queue.add(async (isStopped) => resolve(await by.think(START, LONG, isStopped, tell))),
  );
}

/** Likes the last action by far, which in Go is the pass, and thinks the mover loses. */
class Passing implements Evaluator {
  readonly hasValue = true;

  async evaluate(states: readonly State[]): Promise<readonly Evaluation[]> {
    return states.map(({ actions }) => ({
      value: -1,
      policy: Float32Array.from({ length: actions }, (_, at) => (at === actions - 1 ? 30 : 0)),
      logits: true,
    }));
  }
}

const FOUR = [112, 0, 113, 1, 114, 2, 115];

describe("a thought about Go", () => {
  const go = byName("go");
  const one = new Thinker(new Reading(go, go.encoding, null, {}), new Passing());
  const [policy, level] = [{ kind: "policy" }, { kind: "level", number: 8, seed: 1 }] as const;

  it.each([policy, { kind: "simulations", count: 8 }, level] as const)(
    "answers a pass on the empty board, where white has the komi, by a move: $kind",
    async (limit) => {
      const position = { settings: {}, actions: [81] };
      expect((await one.think(position, limit, never, nobody, true)).action).not.toBe(81);
      // Where a person plays on after two passes it may.
      expect((await one.think(position, policy, never, nobody)).action).toBe(81);
    },
  );

  it("passes where all is settled, without a thought", async () => {
    const { settings, actions } = scoredPositions().find(({ about }) => about === "a pass where all is settled") ?? {};
    const position = { settings: settings ?? {}, actions: actions ?? [] };
    const thought = await one.think(position, { kind: "simulations", count: 8 }, never, nobody, true);
    expect([thought.action, thought.simulations]).toEqual([81, 0]);
  });
});

describe("a thought", () => {
  it.each([{ kind: "policy" }, { kind: "simulations", count: 50 }, LONG] as const)(
    "plays a win at once and blocks one, whatever the network says: $kind",
    async (limit) => {
      const gomoku = byName("gomoku");
      const one = new Thinker(new Reading(gomoku, gomoku.encoding, null, {}), new Network(false));
      const won = await one.think({ settings: {}, actions: [...FOUR, 3] }, limit, never, nobody);
      expect(won).toMatchObject({ action: 111, winRate: 1, proven: true, simulations: 0, shares: [[111, 1]] });
      const lost = await one.think({ settings: {}, actions: FOUR }, limit, never, nobody);
      expect(lost).toMatchObject({ action: 111, winRate: 0, proven: true, simulations: 0 });
    },
  );

  it.each([{ kind: "policy" }, { kind: "simulations", count: 50 }] as const)(
    "plays the only move after which the opponent has no win at once: $kind",
    async (limit) => {
      const gomoku = byName("gomoku");
      const one = new Thinker(new Reading(gomoku, gomoku.encoding, null, {}), new Network());
      const position = { settings: {}, actions: [112, 111, 113, 0, 114, 1, 115] };
      expect(await one.think(position, limit, never, nobody)).toMatchObject({ action: 116, proven: false });
    },
  );

  it("makes as many simulations as it may, and tells of them", async () => {
    const told: Progress[] = [];
    const thought = await thinker().think(START, { kind: "simulations", count: 50 }, never, (progress) =>
      told.push(progress),
    );
    expect(thought.simulations).toBe(50);
    expect(told.at(-1)?.simulations).toBe(50);
    expect(thought.shares.find(([action]) => action === thought.action)?.[1]).toBe(
      Math.max(...thought.shares.map(([, share]) => share)),
    );
  });

  it("says no chances where the network has no value", async () => {
    const limit = { kind: "simulations", count: 10 } as const;
    expect((await thinker(new Network(false)).think(START, limit, never, nobody)).winRate).toBe(null);
    expect((await thinker().think(START, limit, never, nobody)).winRate).not.toBe(null);
  });

  it("ends when it learns no more, and goes on in the next position", async () => {
    const known = byName("tictactoe");
    // A network that knows nothing has every line of the game looked at.
    const one = new Thinker(new Reading(known, known.encoding, null, {}), new Ignorant());
    const first = await one.think(START, LONG, never, nobody);
    expect(first.simulations).toBeGreaterThan(MOST_IDLE);
    expect(first.simulations).toBeLessThan(MOST_SIMULATIONS);
    expect(first.seconds).toBeLessThan(LONG.count);
    const position = { settings: {}, actions: [first.action] };
    expect((await one.think(position, { kind: "simulations", count: 50 }, never, nobody)).simulations).toBe(50);
  }, 90_000);

  it("is a glance where one simulation has to do", async () => {
    const glance = await thinker().think(START, { kind: "policy" }, never, nobody);
    const thought = await thinker().think(START, { kind: "simulations", count: 1 }, never, nobody);
    expect(thought.action).toBe(glance.action);
  });
});

describe("what is told of a position whose end is known", () => {
  const BOXES = byName("dots_and_boxes");
  const settings = { size: 2 };
  const line = (count: number): number[] => {
    const actions: number[] = [];
    for (let state = begin(BOXES, settings); actions.length < count && !state.isTerminal; ) {
      const [first = 0] = state.legalActions();
      actions.push(first);
      state = state.apply(first);
    }
    return actions;
  };
  const own = (): Thinker => new Thinker(new Reading(BOXES, BOXES.encoding, null, settings), new Network());
  const positions = [4, 6, 8, 9].map((count) => ({ settings, actions: line(count) }));

  it.each<Limit>([{ kind: "policy" }, { kind: "level", number: 1, seed: 1 }, { kind: "level", number: 4, seed: 1 }])(
    "is its result, and no guess of the network's ($kind)",
    async (limit) => {
      for (const position of positions) {
        const state = position.actions.reduce((before, action) => before.apply(action), begin(BOXES, settings));
        const known = knownOf(state);
        const chance = (1 + Math.sign(known.margin ?? NaN)) / 2;
        const told: Progress[] = [];
        const thought = await own().think(position, limit, never, (progress) => told.push(progress));
        for (const each of [thought, ...told]) expect(each.winRate).toBe(chance);
        const advice = await own().advise(position);
        expect(advice.winRate).toBe(chance);
        expect(advice.best ?? state.legalActions()).toEqual(known.left);
      }
    },
  );
});

describe("an analysis", () => {
  const request = (actions: readonly number[], simulations = 50) => ({
    position: { settings: {}, actions },
    simulations,
  });

  it("says what a search of its own finds, whatever was asked before", async () => {
    const one = thinker();
    const first = await one.analyse(request([38]), never);
    await one.analyse(request([38, 31]), never);
    expect(await one.analyse(request([38]), never)).toEqual(first);
    expect(first).toMatchObject({ isWhole: true, visits: 49 });
    expect(first.seen).toMatchObject({ mover: 1, best: first.candidates[0]?.action });
  });

  it("gives the result where the game is over, and no chance where the network has no value", async () => {
    const over = [35, 36, 28, 29, 21, 22, 14];
    expect(await thinker().analyse(request(over), never)).toMatchObject({
      seen: { mover: 1, chance: 0, best: null },
      candidates: [],
      isWhole: true,
    });
    expect((await thinker(new Network(false)).analyse(request([]), never)).seen).toBe(null);
  });

  it("is not whole where it is stopped", async () => {
    let asked = 0;
    const found = await thinker().analyse(request([], 1_000_000), () => asked++ > 0);
    expect([found.isWhole, found.visits > 0]).toEqual([false, true]);
    expect(await thinker().analyse(request([]), () => true)).toMatchObject({ seen: null, isWhole: false });
  });

  it("without a number goes on until it is stopped, and tells meanwhile what it has found", async () => {
    const told: number[] = [];
    const live = { position: START, simulations: null };
    const found = await thinker(new Slow()).analyse(
      live,
      () => told.length === 2,
      ({ visits, isWhole }) => void told.push(isWhole ? NaN : visits),
    );
    expect(found.isWhole).toBe(false);
    expect([0, ...told]).toEqual([0, ...told].sort((one, two) => one - two));
    // One with a number tells nothing: it is waited for.
    await thinker().analyse(request([]), never, () => told.push(NaN));
    expect(told).toHaveLength(2);
    expect(told[1]).toBeGreaterThan(told[0] as number);
  });

  it("says how each candidate goes on: the moves that were visited most", async () => {
    const { candidates, lines } = await thinker().analyse(request([35], 400), never);
    expect(candidates).toHaveLength(MOST);
    // No more is told than is shown.
    expect(lines).toHaveLength(MOST);
    const [best] = candidates;
    const [line = []] = lines;
    expect(line.length).toBeGreaterThan(1);
    const search = new Search(begin(GAME).apply(35), new HashEvaluator());
    await search.run(400);
    search.play(best?.action as number);
    const [next] = [...search.visits()].sort(([, one], [, two]) => two - one);
    expect(line[0]).toBe(next?.[0]);
    const played = [35, best?.action as number, ...line].reduce((state, action) => state.apply(action), begin(GAME));
    expect(played.lastAction).toBe(line.at(-1));
  });
});

/** Likes one action by far, so that a short search looks at no other. */
class Liking implements Evaluator {
  readonly hasValue = true;

  constructor(private readonly action: number) {}

  async evaluate(states: readonly State[]): Promise<readonly Evaluation[]> {
    return states.map(({ actions }) => ({
      value: 0,
      policy: Float32Array.from({ length: actions }, (_, at) => (at === this.action ? 30 : 0)),
      logits: true,
    }));
  }
}

describe("an analysis of what is proven", () => {
  /** What a search finds that looks at the worst move alone. */
  const mislead = async (name: string, settings: Settings, actions: readonly number[]) => {
    const game = byName(name);
    const state = actions.reduce((before, action) => before.apply(action), begin(game, settings));
    const known = knownOf(state);
    const worse = known.legal.filter((each) => !known.left.includes(each));
    const [bad = -1] = worse;
    const one = new Thinker(new Reading(game, game.encoding, null, settings), new Liking(bad));
    const found = await one.analyse({ position: { settings, actions }, simulations: 20 }, never);
    return { known, worse, bad, found };
  };

  it.each([
    ["dots_and_boxes", { size: 3 }, [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]],
    ["reversi", { size: 6 }, endOfReversi()],
  ] as const)(
    "has the best moves of a solved end in front, unseen, with the chance that is proven: %s",
    async (name, settings, actions) => {
      const { known, worse, bad, found } = await mislead(name, settings, actions);
      expect(worse.length).toBeGreaterThan(0);
      const chance = (1 + Math.sign(known.margin as number)) / 2;
      expect(found.proven).toEqual(known.left);
      const shown = found.candidates.map(({ action }) => action);
      const best = known.left.slice(0, MOST);
      expect(shown).toEqual([...best, bad].slice(0, MOST));
      expect(found.candidates[0]).toMatchObject({ visits: 0, winRate: chance });
      expect(found.lines.slice(0, best.length)).toEqual(best.map(() => []));
    },
  );

  it("has the moves that keep an opening of Connect4 in front, as a review judges it", async () => {
    const { known, bad, found } = await mislead("connect4", {}, []);
    expect([known.outcome, known.margin]).toEqual([1, null]);
    // The first player wins by the middle column alone.
    expect([known.left, found.proven]).toEqual([[38], [38]]);
    const [first, second] = found.candidates;
    expect([first?.action, first?.visits, first?.winRate]).toEqual([known.left[0], 0, 1]);
    // What the search thinks of a move that it has looked at stays as it was.
    expect(second).toMatchObject({ action: bad, visits: 19 });
    expect(found.seen?.best).toBe(known.left[0]);
  });

  it("tells no move to be best that no table and no end proves to be so", async () => {
    for (const [name, actions] of [
      ["dots_and_boxes", [0]],
      ["connect4", [35, 36, 35 - 7, 29, 37, 38, 39]],
      ["go", [40]],
    ] as const) {
      const game = byName(name);
      const one = new Thinker(new Reading(game, game.encoding, null, {}), new Network());
      const found = await one.analyse({ position: { settings: {}, actions }, simulations: 60 }, never);
      const visits = found.candidates.map((each) => each.visits);
      expect([name, found.proven, visits]).toEqual([name, null, [...visits].sort((a, b) => b - a)]);
    }
  });

  it("is nothing before a search has looked at a move", async () => {
    const one = new Thinker(new Reading(GAME, GAME.encoding, null, {}), new Liking(35));
    expect(await one.analyse({ position: START, simulations: 1 }, never)).toMatchObject({ candidates: [], lines: [] });
  });
});

/** The moves to a position of Reversi with so few empty cells that it is solved, in which a move is worse than another. */
function endOfReversi(): readonly number[] {
  const actions: number[] = [];
  for (let state = begin(byName("reversi"), { size: 6 }); !state.isTerminal; ) {
    const { margin, left, legal } = knownOf(state);
    if (margin !== null && left.length < legal.length) return actions;
    actions.push(legal[Math.floor(legal.length / 2)] ?? 0);
    state = state.apply(actions.at(-1) as number);
  }
  throw new Error("no end of Reversi has a choice");
}

describe("a stop", () => {
  it("ends the thought that is under way", async () => {
    const queue = new Queue();
    // On a busy machine the first slice may end with one simulation, which visits no move.
    const thought = await ask(queue, thinker(), ({ simulations }) => {
      if (simulations > 1) queue.stop();
    });
    expect(thought.simulations).toBeGreaterThan(0);
    expect(thought.seconds).toBeLessThan(10);
  });

  it("ends a thought that waits behind another one, before it has begun", async () => {
    const [queue, one] = [new Queue(), thinker()];
    let release = nobody;
    queue.add(() => new Promise((resolve) => (release = resolve)));
    const waiting = ask(queue, one);
    await turn();
    queue.stop();
    release();
    expect(await waiting).toMatchObject({
      simulations: 0,
      action: (await one.think(START, { kind: "policy" }, never, nobody)).action,
    });
  });

  it("leaves what is asked for after it alone", async () => {
    const queue = new Queue();
    queue.stop();
    const heard = new Promise<boolean>((resolve) => queue.add(async (isStopped) => resolve(isStopped())));
    expect(await heard).toBe(false);
  });
});
