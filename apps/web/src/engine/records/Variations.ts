/**
 * What SGF says beside the main line: comments, and variations as lines that branch off from it.
 *
 * A variation within a variation is a line of its own, which begins with the moves that both share. A move that the
 * rules forbid ends its line, and is counted.
 */

import type { State } from "../State";
import { movesIn } from "./Points";
import { type Move, passLeftOut } from "./Record";
import { setsUp } from "./SetUp";
import { mainLine, type Node, plain, treeOf } from "./Sgf";

/** A line that branches off after `from` moves of the game; comments by the number of its moves. */
export interface Line {
  readonly from: number;
  readonly actions: readonly number[];
  readonly comments: readonly (readonly [number, string])[];
  /** Whether it was tried out here, and not read from a file. */
  readonly own: boolean;
}

/** What stands beside the main line: comments by the number of moves played, lines, and how many moves were left out. */
export interface Beside {
  /** The first value of each property of the root that has a text. */
  readonly told: Readonly<Record<string, string>>;
  readonly comments: ReadonlyMap<number, string>;
  readonly lines: readonly Line[];
  readonly leftOut: number;
}

const MOST_LINES = 500;
/** How many variations may stand within each other. */
const DEEPEST = 100;
const LONGEST_COMMENT = 4_000;
/** Properties of the root that tell of the game and its players; the others are of its writing. */
const TELLING = [
  "GN",
  "EV",
  "RO",
  "PC",
  "DT",
  "PB",
  "BR",
  "BT",
  "PW",
  "WR",
  "WT",
  "RE",
  "KM",
  "RU",
  "TM",
  "OT",
  "SO",
  "AN",
  "CP",
  "ON",
  "GC",
];

/**
 * What an SGF text says beside its main line, of which these are the positions; before the one after `begins` moves no
 * more than stones were placed. A variation that begins before all of them stand is left out.
 */
export function besideOf(text: string, states: readonly [State, ...State[]], begins = 0): Beside {
  const { root } = treeOf(text);
  const comments = new Map<number, string>();
  const lines: Line[] = [];
  let [leftOut, ply]: [number, number] = [0, begins];

  // What branches off from a position: `before` are the line's moves until there.
  const branch = (
    first: Node,
    from: number,
    before: readonly number[],
    at: State,
    said: Line["comments"],
    depth = 0,
  ): void => {
    if (depth > DEEPEST) {
      leftOut++;
      return;
    }
    const actions = [...before];
    const own = [...said];
    let [state, node]: [State, Node | undefined] = [at, first];
    for (; node; node = node.children[0]) {
      // Stones that are set up within a game are no moves.
      if (setsUp(node.properties)) {
        leftOut++;
        break;
      }
      const [move] = movesIn(node.properties, state);
      if (move) {
        const pass = passLeftOut(state, move);
        const there = pass === null ? state : state.apply(pass);
        const action = actionOf(there, move);
        if (action === null || lines.length >= MOST_LINES) {
          leftOut++;
          break;
        }
        actions.push(...(pass === null ? [] : [pass]), action);
        state = there.apply(action);
      }
      note(own, actions.length, commentOf(node));
      for (const other of node.children.slice(1)) branch(other, from, actions, state, own, depth + 1);
    }
    if (actions.length > before.length) lines.push({ from, actions, comments: own, own: false });
  };

  // Above 0 while a later node still places stones.
  let toPlace = mainLine(root)
    .map(({ properties }) => setsUp(properties))
    .lastIndexOf(true);
  for (let node: Node | undefined = root; node; node = node.children[0], toPlace--) {
    const at = states[ply];
    const [move] = at ? movesIn(node.properties, at) : [];
    if (move && at) ply += passLeftOut(at, move) === null ? 1 : 2;
    const comment = commentOf(node);
    if (comment) comments.set(ply, [comments.get(ply), comment].filter(Boolean).join("\n"));
    const state = states[ply];
    if (!state) break;
    const others = node.children.slice(1);
    if (toPlace > 0) leftOut += others.length;
    else for (const other of others) branch(other, ply, [], state, []);
  }
  return { told: textsAt(root), comments, lines, leftOut };
}

function note(comments: (readonly [number, string])[], moves: number, said: string): void {
  if (said) comments.push([moves, said]);
}

/** A variation's move as an action; null if the rules forbid it. */
function actionOf(state: State, { name, player }: Move): number | null {
  if (state.isTerminal || state.toMove !== player) return null;
  // By its name first: whether a move is legal takes long in Go.
  for (let action = 0; action < state.actions; action++) {
    if (state.label(action).toLowerCase() === name.toLowerCase() && state.whyIllegal(action) === null) return action;
  }
  return null;
}

/** A value as a text of its own: a backslash at the end of a line joins it with the next one. */
const proseOf = (value: string): string => plain(value.replace(/\\\r?\n/g, ""));

const commentOf = ({ properties }: Node): string =>
  [...(properties.get("N") ?? []), ...(properties.get("C") ?? [])]
    .map(proseOf)
    .join("\n")
    .replace(/\r\n?/g, "\n")
    .trim()
    .slice(0, LONGEST_COMMENT);

function textsAt({ properties }: Node): Readonly<Record<string, string>> {
  const texts = TELLING.map(
    (key) =>
      [
        key,
        proseOf(properties.get(key)?.[0] ?? "")
          .trim()
          .slice(0, LONGEST_COMMENT),
      ] as const,
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}
