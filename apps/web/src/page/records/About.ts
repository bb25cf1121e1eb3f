/** What a record has beside its moves: facts about the game, comments, and the lines that branch off. */

import type { State } from "../../engine/State";
import { count, say } from "../../texts/Speech";
import { button, byId, element, put } from "../dom/Dom";
import type { Identity } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { branches, commentIn, type Line, movesOfLine } from "../review/Line";

export interface AboutState {
  readonly session: Session;
  readonly line: Line | null;
  readonly identity: Identity;
  readonly isReplay: boolean;
  readonly nameOf: (action: number) => string;
  /** Plays a move of a line. */
  readonly play: (action: number) => void;
}

/** SGF's names of the facts about a game, in the order in which the page lists them. */
const TOLD = {
  GN: "told_name",
  EV: "told_event",
  RO: "told_round",
  PC: "told_place",
  DT: "told_date",
  BR: "told_first_rank",
  WR: "told_second_rank",
  RE: "told_result",
  KM: "told_komi",
  RU: "told_rules",
  GC: "told_comment",
} as const;

let listed = "";

export function displayAbout({ session, line, identity, isReplay, nameOf, play }: AboutState): void {
  const { told, lines, comments, leftOut } = identity;
  const komi = sessions.isRead(session) ? komiOf(session.states[0]) : null;
  const facts = Object.entries({ ...(komi === null ? {} : { KM: komi }), ...told }).filter(([key]) => key in TOLD);
  byId("told").hidden = facts.length === 0;
  const text = JSON.stringify([facts.map(([, fact]) => fact), say("told_result")]);
  if (text !== listed) {
    listed = text;
    byId("told").replaceChildren(
      ...Object.entries(TOLD).flatMap(([key, name]) => {
        const fact = facts.find(([each]) => each === key)?.[1];
        return fact ? [element("div", {}, element("dt", {}, say(name)), element("dd", {}, fact))] : [];
      }),
    );
  }
  const ply = sessions.ply(session);
  const comment = line ? commentIn(lines, line) : (comments.get(ply) ?? null);
  byId("comment").hidden = !isReplay || comment === null;
  put(byId("comment"), comment ?? "");
  const next = isReplay ? branches(lines, line?.from ?? ply, line ? movesOfLine(line) : []) : [];
  byId("branches").hidden = next.length === 0;
  byId("branches-list").replaceChildren(...next.map((action) => button({}, () => play(action), nameOf(action))));
  byId("left-out").hidden = !isReplay || leftOut === 0;
  put(byId("left-out"), leftOut ? count("record_left_out", leftOut) : "");
}

/** The komi of a game of Go as it is counted here; null of another game. */
const komiOf = (state: State): string | null => ("komi" in state ? String(state.komi) : null);
