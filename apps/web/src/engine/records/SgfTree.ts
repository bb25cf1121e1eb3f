/** A game as SGF's tree: its moves, and the comments and lines that stand beside it. Variations.ts reads it again. */

import type { Player } from "../State";
import type { Beside, Line } from "./Variations";

/** A position: the move that led there, null at the root, its comments, and what follows, the main line first. */
interface Node {
  readonly action: number | null;
  readonly said: string[];
  readonly children: Node[];
}

/** The name of a move: `ply` moves were played before it, the first of them `first`. */
type Name = (action: number, ply: number, first: number | null) => string;

type PropertyList = readonly (readonly [string, readonly string[]])[];

/** A game's moves, from the one of who `begins`; the first `setUp` of them only place the stones at the root. */
interface PlayedGame {
  readonly actions: readonly number[];
  readonly setUp: number;
  readonly begins: Player;
}

/** What stands beside the moves. */
type Commentary = Pick<Beside, "comments" | "lines">;

/** The text of a game with these properties at its root; ten nodes a line. */
export function sgfText(root: PropertyList, played: PlayedGame, name: Name, beside: Commentary): string {
  const { actions, setUp, begins } = played;
  const first = setUp > 0 ? (actions[0] ?? null) : null;
  return `(${sequence(grow(played, beside), begins + setUp, first, root, name)})\n`;
}

const leaf = (action: number | null): Node => ({ action, said: [], children: [] });

function grow({ actions, setUp }: Omit<PlayedGame, "begins">, { comments, lines }: Commentary): Node {
  const main = [leaf(null), ...actions.slice(setUp).map(leaf)];
  for (const [at, node] of main.entries()) {
    node.children.push(...main.slice(at + 1, at + 2));
    const comment = comments.get(setUp + at);
    if (comment) node.said.push(comment);
    const beside = lines.filter(({ from }) => from === setUp + at);
    // The first child is the main line: if that has ended, it is a node without a move.
    if (beside.length && node.children.length === 0) node.children.push(leaf(null));
    branch(node, beside, 0);
  }
  return main[0] ?? leaf(null);
}

/** Put lines that share their first `depth` moves below `node`. */
function branch(node: Node, lines: readonly Line[], depth: number): void {
  const next = new Map<number, Line[]>();
  for (const line of lines) {
    const action = line.actions[depth];
    if (action !== undefined) next.set(action, [...(next.get(action) ?? []), line]);
  }
  // A line stands behind those that branch off from it, as it is read: the last one goes straight on.
  const last = depth > 0 ? lines.at(-1)?.actions[depth] : undefined;
  const order = [...next].sort(([one], [other]) => Number(other === last) - Number(one === last));
  for (const [action, through] of order) {
    const child = leaf(action);
    const remarks = through.flatMap(({ comments }) => comments.filter(([moves]) => moves === depth + 1));
    child.said.push(...new Set(remarks.map(([, text]) => text)));
    node.children.push(child);
    branch(child, through, depth + 1);
  }
}

function sequence(begin: Node, plies: number, before: number | null, told: PropertyList, name: Name): string {
  const nodes: string[] = [];
  let [node, ply, first, properties] = [begin, plies, before, told];
  for (;;) {
    const move = node.action === null ? [] : [[ply % 2 ? "W" : "B", [name(node.action, ply, first)]] as const];
    const remarks = node.said.length ? [["C", [node.said.join("\n")]] as const] : [];
    nodes.push(`;${[...properties, ...move, ...remarks].map(propertyText).join("")}`);
    if (node.action !== null) [ply, first] = [ply + 1, first ?? node.action];
    const [only, ...others] = node.children;
    if (!only || others.length) break;
    [node, properties] = [only, []];
  }
  const lines: string[] = [];
  for (let at = 0; at < nodes.length; at += 10) lines.push(nodes.slice(at, at + 10).join(""));
  const branches = node.children.map((child) => `(${sequence(child, ply, first, [], name)})`);
  return [...lines, ...branches].join("\n");
}

const propertyText = ([key, values]: PropertyList[number]): string =>
  `${key}${values.map((value) => `[${escapeText(value)}]`).join("")}`;

const escapeText = (value: string): string => value.replace(/[\\\]]/g, "\\$&");
