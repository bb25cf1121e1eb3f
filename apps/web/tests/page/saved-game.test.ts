/** A game that an earlier version has kept as a text; the Android app's tests have the same cases. */

import { describe, expect, it } from "vitest";

import type { Settings } from "../../src/engine/Game";
import type { Player, State } from "../../src/engine/State";
import * as sessions from "../../src/page/game/Session";
import { readSaved, type SavedGame } from "../../src/page/library/SavedGame";
import { stateAfter } from "../engine/fixtures";

const start =
  (name: string) =>
  (settings: Settings): State =>
    stateAfter(name, settings, []);
const session = (name: string, human: Player, ...moves: readonly number[]): sessions.Session =>
  moves.reduce(sessions.playMove, sessions.beginSession(start(name)({}), human));
const from = (text: string | null, name: string, offered: readonly string[] = []): SavedGame | null =>
  readSaved(text, start(name), offered);

/** The text as it was written. */
function textOf({ session, settings }: SavedGame): string {
  const { human, rates, end } = session;
  const chosen = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const chances = [...rates].sort(([a], [b]) => a - b).map(([moves, rate]) => `${moves}=${rate}`);
  const lines = [
    ["human", human],
    ["settings", ...chosen],
    ["actions", ...sessions.actions(session)],
    ["rates", ...chances],
  ];
  const dead = end?.kind === "agreed" ? end.dead : [];
  if (end) lines.push(["end", end.kind, ...dead]);
  return ["azx game 1", ...lines.map((words) => words.join(" "))].join("\n");
}

describe("a saved game", () => {
  it("comes back as it was", () => {
    const given = sessions.rateMove(session("gomoku", 1, 112, 97), 0.125);
    const text = textOf({ session: given, settings: { rule: "renju" } });
    expect(text).toBe("azx game 1\nhuman 1\nsettings rule=renju\nactions 112 97\nrates 2=0.875");
    const back = from(text, "gomoku", ["rule"]);
    expect(back?.settings).toEqual({ rule: "renju" });
    expect(back && sessions.actions(back.session)).toEqual([112, 97]);
    expect([back?.session.human, back?.session.rates]).toEqual([1, given.rates]);
  });

  it("comes back with how it was ended", () => {
    const resigned = sessions.resign(session("go", 0, 40, 41));
    const text = textOf({ session: resigned, settings: {} });
    expect(text.split("\n").at(-1)).toBe("end resigned");
    expect(from(text, "go")?.session.end).toEqual({ kind: "resigned" });
    const agreed = sessions.agreeOn(session("go", 0, 40, 41, 81, 81), [41]);
    const other = textOf({ session: agreed, settings: {} });
    expect(other.split("\n").at(-1)).toBe("end agreed 41");
    expect(from(other, "go")?.session.end).toEqual({ kind: "agreed", dead: [41] });
    // Where the rules have ended it nobody gives up, and before two passes there is nothing to agree on.
    expect(from(text.replace("actions 40 41", "actions 40 41 81 81"), "go")).toBeNull();
    expect(from(other.replace(" 81 81", ""), "go")).toBeNull();
    for (const end of ["end agreed 81", "end agreed x", "end", "end resigned 1", "ends resigned"]) {
      expect(from(other.replace("end agreed 41", end), "go"), end).toBeNull();
    }
  });

  it("may be one that the network played with itself", () => {
    const watched = sessions.playMove(sessions.beginSession(start("tictactoe")({}), sessions.NOBODY), 4);
    const text = textOf({ session: watched, settings: {} });
    expect(text).toContain("\nhuman -1\n");
    expect(from(text, "tictactoe")?.session.human).toBe(sessions.NOBODY);
  });

  it("may have just begun", () => {
    const back = from(textOf({ session: session("go", 1), settings: {} }), "go");
    expect(back?.session.states.length).toBe(1);
  });

  it("is none where its text is damaged", () => {
    const sound = textOf({ session: sessions.rateMove(session("tictactoe", 0, 4, 0), 0.5), settings: {} });
    expect(from(sound, "tictactoe")).not.toBeNull();
    const damaged = [
      null,
      "",
      "azx game 2\n",
      sound.slice(1),
      sound.replace("human 0", "human 2"),
      sound.replace("human 0", "human"),
      sound.replace("human 0", "human 0 1"),
      sound.replace("actions 4", "actions x"),
      sound.replace("actions 4", "actions -4"),
      sound.replace("actions 4", "actions 4.5"),
      sound.replace("=0.5", "=1.5"),
      sound.replace("=0.5", "=NaN"),
      sound.replace("2=0.5", "0.5"),
      sound.replace("settings", "settings =renju"),
      `${sound}\n`,
      sound.slice(0, sound.lastIndexOf("\n")),
      sound.replace("actions", "action"),
    ];
    for (const each of damaged) expect(from(each, "tictactoe"), String(each)).toBeNull();
  });

  it("is none where its text is cut short, or one that begins like it", () => {
    const text = textOf({ session: session("tictactoe", 0, 4, 0), settings: {} });
    for (let length = 0; length < text.length; length++) {
      const back = from(text.slice(0, length), "tictactoe");
      if (back) expect(sessions.actions(back.session)).toEqual([4, 0]);
    }
  });

  it("is none where the rules forbid its moves, or a setting is none that is offered", () => {
    const text = (human: Player, actions: string, settings = ""): string =>
      `azx game 1\nhuman ${human}\nsettings${settings}\nactions ${actions}\nrates`;
    expect(from(text(0, "4 4"), "tictactoe")).toBeNull();
    expect(from(text(0, "9"), "tictactoe")).toBeNull();
    expect(from(text(1, "0 3 12 13"), "dots_and_boxes"), "a pass is owed").toBeNull();
    expect(from(text(0, "4", " size=9"), "go", ["rule"])).toBeNull();
    expect(from(text(0, "4", " rule=chess"), "gomoku", ["rule"])).toBeNull();
    expect(from(text(0, "4", " rule=renju"), "gomoku", ["rule"])).not.toBeNull();
  });

  it("forgets the chances of moves that were not played", () => {
    const back = from("azx game 1\nhuman 0\nsettings\nactions 4\nrates 1=0.5 7=0.5", "tictactoe");
    expect(back?.session.rates).toEqual(new Map([[1, 0.5]]));
  });
});
