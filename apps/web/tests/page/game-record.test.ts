/** A game as a record: kept as JSON, read again, with what other people's files tell; nothing of a file is believed. */

import { describe, expect, it } from "vitest";
import {
  type GameRecord,
  goesOn,
  identityOf,
  newIdentity,
  readGameRecord,
  recordOf,
  type Side,
  sessionOf,
} from "../../src/page/game/GameRecord";
import * as sessions from "../../src/page/game/Session";
import { exportGames, importGames } from "../../src/page/library/Archive";
import { isExport } from "../../src/page/library/Export";
import { lawful } from "../../src/page/library/Lawful";
import type { Library } from "../../src/page/library/Library";
import { playersOf, resultOf, standingOf, wordsOf } from "../../src/page/library/list/Telling";
import { readGame } from "../../src/page/records/RecordGame";
import { branches, withLine } from "../../src/page/review/Line";
import { status, statusShown } from "../../src/page/words/Outcome";
import { stateAfter } from "../engine/fixtures";

const PERSON: Side = { kind: "person", name: "", level: "" };
const NETWORK: Side = { kind: "network", name: "Tic-tac-toe", level: "level 3" };
const WON = [0, 3, 1, 4, 2];

function record(moves: readonly number[] = WON): GameRecord {
  const start = sessions.beginSession(stateAfter("tictactoe", {}, []), 0);
  const session = sessions.rateMove(moves.reduce(sessions.playMove, start), 0.25);
  const around = { game: "tictactoe", settings: {}, bundle: null, players: [PERSON, NETWORK] as const };
  return recordOf(session, newIdentity("played"), around);
}

const again = (data: unknown): GameRecord | null => readGameRecord(JSON.parse(JSON.stringify(data)));

const SGF = `(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]BR[9d]EV[A cup]DT[1846-09-11]RE[B+R]RU[Japanese]C[The game]
  ;B[ee]C[A good point](;W[ec]C[main]
    ;B[cc](;W[ce])(;W[gg];B[gc]C[a joseki]))(;W[gc];B[ec](;W[cg])(;W[gg])))`;

describe("a record", () => {
  it("comes back as it was, by what was played", () => {
    const given = record();
    const back = again(given);
    expect(back).toEqual(given);
    const session = back && sessionOf(back);
    expect(session && sessions.actions(session)).toEqual(WON);
    expect([given.over, given.winner, session?.rates.get(5)]).toEqual([true, 0, 0.75]);
    expect(identityOf(given).id).toBe(given.id);
  });

  it("is none where a member is missing, of another kind or of a later version", () => {
    const sound = record() as unknown as Record<string, unknown>;
    for (const name of Object.keys(sound)) {
      const { [name]: _, ...others } = sound;
      expect(again(others), name).toBeNull();
      // Settings may have any name: the rules refuse those that there are not.
      if (name !== "settings") expect(again({ ...sound, [name]: { strange: 1 } }), name).toBeNull();
    }
    for (const data of [null, 3, "", [], { azx_game: 2 }]) expect(readGameRecord(data)).toBeNull();
    expect(again({ ...sound, id: "../../etc" })).toBeNull();
  });

  it("is no game where the rules forbid what it says", () => {
    expect(sessionOf({ ...record(), actions: [0, 0] })).toBeNull();
    expect(sessionOf({ ...record(), game: "chess" })).toBeNull();
    expect(sessionOf({ ...record(), end: { kind: "resigned" } })).toBeNull();
    expect(sessionOf({ ...record(), settings: { size: 9 } })).toBeNull();
  });

  it("goes on from another one that it begins with", () => {
    expect(goesOn(record([0, 3]), record())).toBe(true);
    expect(goesOn(record([0, 4]), record())).toBe(false);
    expect(goesOn(record(), record([0, 3]))).toBe(false);
  });
});

describe("a record with stones that stand before the first move", () => {
  const { session, identity, settings } = readGame(
    "(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]PB[Ann]PW[Ben]RE[W+2]C[two stones];W[ee];B[dd](;W[gg];B[ff])(;W[aa]))",
    null,
    "opened",
  );
  const side = { kind: "file", name: "", level: "" } as const;
  const around = { game: "go", settings, bundle: null, players: [side, side] as const };
  const kept = recordOf(session, identity, around);

  it("comes back with them, and has none where nothing says so", () => {
    const back = again(kept) as GameRecord;
    expect(back).toEqual(kept);
    expect([back.set_up, sessionOf(back)?.setUp]).toEqual([3, 3]);
    expect("set_up" in record()).toBe(false);
    expect(sessionOf(record())?.setUp).toBeUndefined();
    for (const wrong of [-1, 1.5, "3", null, kept.actions.length + 1]) {
      expect(again({ ...kept, set_up: wrong }), String(wrong)).toBeNull();
    }
    expect(again({ ...kept, set_up: kept.actions.length })).not.toBeNull();
    expect(wordsOf(kept)).toContain("4 moves");
  });

  it("shows no position before them, and no last move at them", () => {
    const at = (moves: number) => sessions.showMove(session, moves);
    expect([0, 2, 3, 4, 9].map((moves) => sessions.ply(at(moves)))).toEqual([3, 3, 3, 4, 7]);
    expect([3, 4].map((moves) => sessions.lastMove(at(moves)))).toEqual([null, 40]);
    expect([sessions.moveShown(at(0)), sessions.countMoves(session)]).toEqual([0, 4]);
    expect(sessions.visible(at(0)).toMove).toBe(1);
  });

  it("is played on from with them, and no move is taken back beyond them", () => {
    const own = sessions.takeOver(sessions.shorten(session, 3));
    expect([own.human, own.setUp]).toEqual([1, 3]);
    const moved = [40, 30].reduce(sessions.playMove, own);
    expect(sessions.actions(sessions.undoMoves(moved))).toEqual([24, 81, 56]);
    expect(sessions.undoMoves(own)).toBe(own);
    expect([sessions.hasMoved(own), sessions.hasMoved(moved)]).toEqual([false, true]);
    // Two passes that follow upon one which was set up.
    const passed = { ...sessions.shorten(session, 2), setUp: 2 };
    const ended = [81].reduce(sessions.playMove, passed);
    expect(sessions.actions(sessions.takePassesBack(ended))).toEqual([24, 81]);
    expect(again(recordOf(moved, newIdentity("played"), around))?.set_up).toBe(3);
  });

  it("has what a file says of its first position there, and nothing before it", () => {
    expect(kept.comments).toEqual([[3, "two stones"]]);
    expect(kept.lines.map(({ from }) => from)).toEqual([5]);
    const before = { from: 2, actions: [0], comments: [], own: true };
    const doubtful = { ...kept, lines: [...kept.lines, before], rates: [[1, 0.5] as const, [4, 0.5] as const] };
    expect(lawful(doubtful)).toMatchObject({ lines: kept.lines, rates: [[4, 0.5]], set_up: 3 });
  });
});

describe("a record of other people", () => {
  const found = readGame(SGF, null, "opened");
  const players = found.session.names?.map((name): Side => ({ kind: "file", name, level: "" }));
  const kept = recordOf(found.session, found.identity, {
    game: "go",
    settings: found.settings,
    bundle: null,
    players: players as unknown as readonly [Side, Side],
  });

  it("keeps names, result, komi, rules, comments and variations", () => {
    const back = again(kept) as GameRecord;
    expect(back).toEqual(kept);
    expect(back.told).toMatchObject({ PB: "Honinbo", PW: "Gennan", RE: "B+R", RU: "Japanese", EV: "A cup", BR: "9d" });
    expect(back.settings).toMatchObject({ komi: 6.5, size: 9 });
    expect(back.comments).toEqual([
      [0, "The game"],
      [1, "A good point"],
      [2, "main"],
    ]);
    const point = (name: string): number =>
      "abcdefghi".indexOf(name.charAt(1)) * 9 + "abcdefghi".indexOf(name.charAt(0));
    const lines = back.lines.map(({ from, actions }) => [from, ...actions]);
    expect(lines).toContainEqual([3, point("gg"), point("gc")]);
    expect(lines).toContainEqual([1, point("gc"), point("ec"), point("cg")]);
    expect(lines).toContainEqual([1, point("gc"), point("ec"), point("gg")]);
    expect(back.lines.find(({ from }) => from === 3)?.comments).toEqual([[2, "a joseki"]]);
    expect(branches(back.lines, 1, [])).toEqual([point("gc")]);
    expect([...branches(back.lines, 1, [point("gc"), point("ec")])].sort()).toEqual([point("cg"), point("gg")].sort());
  });

  it("is spoken of by their names, and its result is the one that it tells", () => {
    expect([playersOf(kept), resultOf(kept), standingOf(kept)]).toEqual(["Honinbo – Gennan", "B+R", "others"]);
    expect([sessions.phase(found.session), sessions.winner(found.session)]).toEqual(["over", 0]);
    expect(wordsOf(kept)).toContain("a good point");
    const open = readGame(SGF.replace("RE[B+R]", ""), null, "opened").session;
    expect(sessions.phase(open)).toBe("read");
    const nextAt = (moves: number): string =>
      statusShown(sessions.showMove(found.session, moves), { prompt: "tap_point", pieces: ["black", "white"] });
    expect([0, 1].map(nextAt)).toEqual(["Honinbo to move", "Gennan to move"]);
  });

  it("counts what the rules forbid in a variation, and leaves it out from there", () => {
    const { identity } = readGame("(;GM[1]SZ[9];B[ee](;W[ec])(;W[ee];B[cc]))", null, "opened");
    expect([identity.lines, identity.leftOut]).toEqual([[], 1]);
  });

  it("becomes a game of its own once someone continues it", () => {
    const taken = sessions.takeOver(sessions.shorten(found.session, 3));
    expect([taken.human, taken.names, taken.end]).toEqual([1, undefined, null]);
  });
});

describe("a game of two people at one device", () => {
  const read = readGame("gomoku size=19: K10 L10 K11", null, "opened");
  const shared = [40, 41].reduce(sessions.playMove, sessions.takeOver(read.session, true));
  const around = { game: "gomoku", settings: read.settings, bundle: null, players: [PERSON, PERSON] as const };
  const kept = (session: sessions.Session): GameRecord => recordOf(session, newIdentity("played"), around);
  const NAMED = { prompt: "tap_point", pieces: ["black", "white"] } as const;

  it("waits for nobody: each move is a person's, and the last one is taken back alone", () => {
    expect(sessions.phase(shared)).toBe("yours");
    expect(status(shared, NAMED)).toBe("White to move");
    expect(statusShown(shared, NAMED)).toBe("White to move");
    const before = sessions.undoMoves(shared);
    expect([sessions.phase(before), sessions.actions(before).length]).toEqual(["yours", 4]);
    expect(status(before, NAMED)).toBe("Black to move");
    expect(sessions.isUnderWay(shared)).toBe(true);
  });

  it("comes back as one, and is other people's to what does not know of it", () => {
    const back = again(kept(shared));
    expect(back?.human).toBe(sessions.READER);
    const session = back && sessionOf(back);
    expect([session?.human, session?.names]).toEqual([sessions.BOTH, undefined]);
    expect(back && [standingOf(back), playersOf(back), resultOf(back)]).toEqual([
      "open",
      "black – white",
      "Game under way",
    ]);
  });

  it("has a winner by the pieces", () => {
    const won = [0, 1, 2, 3, 4].flatMap((at) => (at < 4 ? [at, 300 + at * 2] : [at]));
    const start = sessions.beginSession(stateAfter("gomoku", { size: 19 }, []), sessions.BOTH);
    const over = won.reduce(sessions.playMove, start);
    expect([sessions.phase(over), status(over, NAMED)]).toEqual(["over", "The winner is black"]);
    expect([standingOf(kept(over)), resultOf(kept(over))]).toEqual(["others", "The winner is black"]);
  });
});

describe("a line", () => {
  it("is kept once, and grows", () => {
    const one = withLine([], [4], 1);
    const two = withLine(one, [4, 5], 1);
    expect(two).toEqual([{ from: 1, actions: [4, 5], comments: [], own: true }]);
    expect(withLine(two, [4], 1)).toBe(two);
    expect(withLine(two, [4, 6], 1)).toHaveLength(2);
  });
});

/** A library in memory alone. */
function shelf(...records: readonly GameRecord[]): Library {
  const held = new Map(records.map((each) => [each.id, each]));
  const keep = (each: GameRecord): void => void held.set(each.id, each);
  return { list: () => [...held.values()], keep } as unknown as Library;
}

describe("an exported library", () => {
  it("is a .zip whose games are imported once, and nothing else of it", async () => {
    const records = [record(), record([4, 0])];
    const zip = exportGames(records);
    expect(await isExport(zip)).toBe(true);
    expect(await isExport(new Blob(["PK"]))).toBe(false);
    const empty = shelf();
    expect((await importGames(empty, zip))()).toBe("2 games imported.");
    expect(empty.list()).toEqual(records);
    expect((await importGames(empty, zip))()).toBe("0 games imported. 2 games were here already.");
    // A game that went on elsewhere comes beside the one that is here.
    const [first] = records as [GameRecord];
    const other = shelf({ ...first, actions: [0, 3] });
    expect((await importGames(other, exportGames([first])))()).toBe("1 game imported.");
    expect(other.list()).toHaveLength(2);
    const broken = { ...first, actions: [0, 0] };
    expect((await importGames(shelf(), exportGames([broken])))()).toMatch(/^0 games imported. 1 file is no game/);
    expect((await importGames(shelf(), new Blob(["no zip"])))()).toMatch(/Library/);
  });

  it("leaves out what the rules forbid beside the moves: best moves, lines, and what is of no position", async () => {
    const given: GameRecord = {
      ...record([0, 3, 1]),
      rates: [
        [1, 0.5],
        [7, 0.5],
      ],
      seen: [
        [0, 0.5, 4, false],
        // Taken, none of the board, none at all where the game goes on, and after its end.
        [1, 0.6, 0, true],
        [2, 0.6, 99, false],
        [3, 0.6, null, false],
        [9, 0.6, 5, false],
      ],
      comments: [
        [1, "good"],
        [8, "beyond"],
      ],
      lines: [
        {
          from: 1,
          actions: [4, 8, 4],
          comments: [
            [1, "a"],
            [3, "b"],
          ],
          own: false,
        },
        { from: 1, actions: [0, 8], comments: [], own: false },
        { from: 12, actions: [5], comments: [], own: true },
      ],
    };
    const library = shelf();
    expect((await importGames(library, exportGames([given])))()).toBe("1 game imported.");
    const [taken] = library.list() as [GameRecord];
    expect(taken.rates).toEqual([[1, 0.5]]);
    expect(taken.seen).toEqual([[0, 0.5, 4, false]]);
    expect(taken.comments).toEqual([[1, "good"]]);
    expect(taken.lines).toEqual([{ from: 1, actions: [4, 8], comments: [[1, "a"]], own: false }]);
    expect(taken.actions).toEqual(given.actions);
    expect(sessionOf(taken)?.seen?.size).toBe(1);
  });
});
