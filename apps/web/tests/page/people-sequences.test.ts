/** Two people and positions that they set up, in 60 orders that seeds draw: what a page that is loaded again has of them. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAMES } from "../../src/engine/known/Catalogue";
import { byName } from "../../src/engine/known/Recognition";
import { type GameRecord, newIdentity } from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { Library } from "../../src/page/library/Library";
import { shelve, unshelve } from "../../src/page/library/Shelving";
import { newRecord, rematch } from "../../src/page/people/People";
import * as sketches from "../../src/page/setup/Sketch";
import type { Sitting } from "../../src/page/sitting/Sitting";
import * as sittings from "../../src/page/sitting/Sitting";
import { drawing } from "../engine/drawing";

/** What a browser keeps of a page, without a database: the journal alone. */
class Kept {
  private readonly all = new Map<string, string>();
  getItem = (name: string): string | null => this.all.get(name) ?? null;
  setItem = (name: string, value: string): void => {
    this.all.set(name, value);
    Object.assign(this, { [name]: value });
  };
  removeItem = (name: string): void => {
    this.all.delete(name);
    delete (this as Record<string, unknown>)[name];
  };
}

const EAR = { changed: () => undefined, branched: () => undefined, refused: () => undefined };
const channel = globalThis.BroadcastChannel;

beforeAll(() => {
  const localStorage = new Kept();
  Object.assign(globalThis, { window: { localStorage }, localStorage });
  Reflect.deleteProperty(globalThis, "BroadcastChannel");
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, "window");
  Reflect.deleteProperty(globalThis, "localStorage");
  Object.assign(globalThis, { BroadcastChannel: channel });
});

/** A page as it is loaded: its library has what the journal has. */
async function load(): Promise<Library> {
  const library = new Library(EAR);
  await library.open();
  return library;
}

function sit(record: GameRecord): Sitting {
  const kept = unshelve(record);
  if (!kept) throw new Error("the rules forbid what a record says");
  const before = { game: record.game, isAlone: true, network: null, turn: 0 };
  return sittings.begin(before, kept, {}, true);
}

/** What is seen of a sitting, and must not differ after a reload. */
const seenOf = ({ session, identity }: Sitting): unknown => ({
  actions: sessions.actions(session),
  human: session.human,
  end: session.end,
  names: session.names,
  setUp: session.setUp,
  isUndoAsked: session.isUndoAsked,
  clock: session.clock && [...session.clock.left].map(([at, left]) => [at, left.map(Math.round)]),
  id: identity.id,
  solved: identity.solved,
});

/** The record of a game that two people begin, from the first position or from one that they set up. */
function beginning(game: string, draw: (limit: number) => number): GameRecord {
  const time = draw(2) ? ([60 + draw(600), draw(11)] as const) : null;
  const names = draw(2) ? (["Ann", "Ben"] as const) : (["", ""] as const);
  const record = newRecord(game, { settings: {}, names, time, isUndoAsked: draw(2) === 1 });
  if (!draw(2)) return record;
  let sketch = sketches.sketch(game);
  for (let press = 0; press < 6; press++) {
    sketch = sketches.press(sketches.pick(sketch, (press % 2) as 0 | 1), draw(sketch.pieces.length));
    // A reload in the middle: the address has it.
    const again = sketches.readSketch(sketches.textOf(sketch));
    expect({ ...again, tool: sketch.tool }).toEqual(sketch);
  }
  const { identity } = sit(record);
  const settings = sketches.settingsOf(sketch);
  const { states, setUp } = sketches.beginFrom(sketch, sessions.BOTH);
  const session = { ...sit(record).session, states, ...(setUp && { setUp }) };
  return shelve({ session, settings, identity }, game, record.settings, null);
}

describe("two people, in orders that are drawn", () => {
  const seeds = Array.from({ length: 60 }, (_, at) => at + 1);
  it.each(seeds)("have all that they did after each reload (seed %i)", async (seed) => {
    const draw = drawing(seed);
    const game = [...GAMES.keys()][seed % GAMES.size] as string;
    const record = beginning(game, draw);
    const board = record.settings;
    let library = await load();
    let now = sit(record);
    const keep = (): void => library.keep(shelve(now, game, board, null));
    keep();
    let reloads = 0;
    for (let deed = 0; deed < 40; deed++) {
      const { session } = now;
      const legal = sessions.phase(session) === "yours" ? sessions.latest(session).legalActions() : [];
      const deeds: readonly (() => Sitting)[] = [
        () => (legal.length ? sittings.play(now, legal[draw(legal.length)] as number) : now),
        () => (legal.length ? sittings.play(now, legal[draw(legal.length)] as number) : now),
        () => sittings.undo(now),
        () => sittings.passTime(now, draw(20_000)),
        () => (legal.length && draw(6) === 0 ? sittings.resign(now, () => "") : now),
        () => (sessions.phase(session) === "scoring" ? sittings.agree(now) : now),
        () => sittings.solve(now, draw(session.states.length)),
        () => (session.end ? { ...now, session: rematch(session), identity: newIdentity("played") } : now),
      ];
      now = (deeds[draw(deeds.length)] as () => Sitting)();
      keep();
      if (draw(4)) continue;
      library = await load();
      reloads++;
      const kept = library.get(now.identity.id);
      if (!kept) throw new Error(`seed ${seed}: the game is lost after deed ${deed}`);
      const again = sit(kept);
      expect(seenOf(again), `seed ${seed}, deed ${deed}`).toEqual(seenOf(now));
      now = again;
    }
    expect(reloads).toBeGreaterThan(0);
    expect(byName(game).name).toBe(game);
  });
});

describe("two tabs with the same game", () => {
  it("lose no move of each other's, where the journal alone has it", async () => {
    const record = newRecord("hex", { settings: { size: 3 }, names: ["", ""], time: [60, 0], isUndoAsked: false });
    const shelved = (sitting: Sitting): GameRecord => shelve(sitting, "hex", record.settings, null);
    const [one, two] = [await load(), await load()];
    const first = sittings.play(sit(record), 1);
    one.keep(shelved(first));
    two.keep(shelved(sittings.play(first, 6)));
    // In the other tab nothing but time goes by.
    one.keep(shelved(sittings.passTime(first, 5000)));
    const kept = (await load()).get(record.id);
    expect(kept?.actions).toEqual([1, 6]);
  });

  it("show what was done last, where a move was taken back after a reload", async () => {
    const record = newRecord("hex", { settings: { size: 3 }, names: ["", ""], time: null, isUndoAsked: false });
    const shelved = (sitting: Sitting): GameRecord => shelve(sitting, "hex", record.settings, null);
    const before = await load();
    const played = sittings.play(sittings.play(sit(record), 1), 6);
    before.keep(shelved(played));
    const after = await load();
    expect(after.get(record.id)?.actions).toEqual([1, 6]);
    after.keep(shelved(sittings.undo(played)));
    expect((await load()).get(record.id)?.actions).toEqual([1]);
  });
});
