/** SGF's syntax as it is read: trees of nodes, a node's properties, a property's values. What they mean is in Reading.ts. */

/** A node: the values of each property, at least one. */
export type Properties = ReadonlyMap<string, readonly string[]>;

/** What is no SGF: why, in a few words. */
export class NoSgf extends Error {}

// ASCII's blanks: each language has others of its own.
const BLANKS = " \t\n\r\f\v";

/** The text without the blanks at its ends; a pattern would start again at each of a million blanks inside. */
export function strip(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && BLANKS.includes(text.charAt(begin))) begin++;
  while (begin < end && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(begin, end);
}

/** A value as its text has it, without the backslashes that keep signs from meaning something. */
export const plain = (value: string): string => value.replace(/\\([\s\S])/g, "$1");

type Token = { readonly kind: "sign" | "name" | "value"; readonly text: string };

/** A node with all that follows it, the main line first; values keep their backslashes. */
export interface Node {
  readonly properties: Properties;
  readonly children: readonly Node[];
}

interface GrowingNode {
  readonly properties: Map<string, string[]>;
  readonly children: GrowingNode[];
}

/** The first game with all its variations, and how many these are; NoSgf if there is no game. */
export function treeOf(text: string): { readonly root: Node; readonly variations: number } {
  const nodes: GrowingNode[] = [];
  let [node, values]: [GrowingNode | null, string[] | null] = [null, null];
  let [variations, isMain] = [0, true];
  const forks: (GrowingNode | null)[] = [];
  for (const { kind, text: found } of tokens(text)) {
    if (kind === "sign" && found === "(") {
      // After a branch has closed, each other one at any fork is a variation.
      variations += Number(!isMain);
      forks.push(node);
      values = null;
    } else if (kind === "sign" && found === ")" && nodes.length) {
      isMain = false;
      node = forks.pop() ?? null;
      if (forks.length === 0) break;
    } else if (kind === "sign" && found === ";") {
      const next: GrowingNode = { properties: new Map(), children: [] };
      node?.children.push(next);
      nodes.push(next);
      [node, values] = [next, null];
    } else if (!node) {
      throw new NoSgf("it begins without a node");
    } else if (kind === "name") {
      // Lower case letters were allowed before FF[4] and mean nothing.
      const name = found.replace(/[a-z]/g, "");
      values = name ? (node.properties.get(name) ?? []) : null;
      if (values) node.properties.set(name, values);
    } else if (values) {
      values.push(found);
    } else if (isMain) {
      throw new NoSgf("a value has no property");
    }
  }
  const [root] = nodes;
  if (!root) throw new NoSgf("it begins without a node");
  for (const { properties } of nodes) for (const list of properties.values()) if (list.length === 0) list.push("");
  return { root, variations };
}

/** The nodes of the main line. */
export function mainLine(root: Node): readonly Node[] {
  const nodes: Node[] = [];
  for (let node: Node | undefined = root; node; node = node.children[0]) nodes.push(node);
  return nodes;
}

/** Signs, names and values as they come; NoSgf if something else stands, or nothing more. */
function* tokens(text: string): Generator<Token> {
  let at = 0;
  for (;;) {
    while (at < text.length && BLANKS.includes(text.charAt(at))) at++;
    if (at === text.length) throw new NoSgf("it ends within the game");
    const [begin, sign] = [at, text.charAt(at++)];
    if ("();".includes(sign)) {
      yield { kind: "sign", text: sign };
    } else if (isLetter(sign)) {
      while (at < text.length && isLetter(text.charAt(at))) at++;
      yield { kind: "name", text: text.slice(begin, at) };
    } else if (sign === "[") {
      // A backslash takes what follows as it is.
      for (; text.charAt(at) !== "]"; at++) {
        if (text.charAt(at) === "\\") at++;
        if (at >= text.length) throw new NoSgf("it ends within the game");
      }
      yield { kind: "value", text: text.slice(begin + 1, at++) };
    } else {
      throw new NoSgf(`character ${begin + 1} has no place`);
    }
  }
}

const isLetter = (sign: string): boolean => (sign >= "A" && sign <= "Z") || (sign >= "a" && sign <= "z");
