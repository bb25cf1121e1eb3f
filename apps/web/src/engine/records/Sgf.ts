/** SGF's syntax as it is read: trees of nodes, a node's properties, a property's values. What they mean is in Reading.ts. */

/** A node: the values of each property, at least one. */
export type Properties = ReadonlyMap<string, readonly string[]>;

/** What is no SGF: why, in a few words. */
export class NoSgf extends Error {}

// ASCII's blanks: each language has others of its own.
const BLANKS = " \t\n\r\f\v";

/** The text without the blanks at its ends; a pattern would begin anew at each of a million blanks within it. */
export function strip(text: string): string {
  let [begin, end] = [0, text.length];
  while (begin < end && BLANKS.includes(text.charAt(begin))) begin++;
  while (begin < end && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(begin, end);
}

type Token = { readonly kind: "sign" | "name" | "value"; readonly text: string };

/** The nodes of the first game's main line, and how many variations were left out; NoSgf if there is none. */
export function mainLine(text: string): { nodes: readonly Properties[]; ignored: number } {
  const nodes: Map<string, string[]>[] = [];
  let [values, ignored, closed, depth]: [string[] | null, number, number, number] = [null, 0, 0, 0];
  for (const { kind, text: found } of tokens(text)) {
    const node = nodes.at(-1);
    if (found === "(" && kind === "sign") {
      // After a branch has closed, each other one at any fork is a variation.
      ignored += Number(closed > 0);
      depth++;
      values = null;
    } else if (found === ")" && kind === "sign" && node) {
      depth--;
      closed++;
      if (depth === 0) break;
    } else if (closed > 0) {
    } else if (found === ";" && kind === "sign") {
      nodes.push(new Map());
      values = null;
    } else if (!node) {
      throw new NoSgf("it begins without a node");
    } else if (kind === "name") {
      // Lower case letters were allowed before FF[4] and mean nothing.
      const name = found.replace(/[a-z]/g, "");
      values = node.get(name) ?? [];
      if (name) node.set(name, values);
      else values = null;
    } else if (!values) {
      throw new NoSgf("a value has no property");
    } else {
      values.push(found.replace(/\\([\s\S])/g, "$1"));
    }
  }
  for (const node of nodes) for (const list of node.values()) if (list.length === 0) list.push("");
  return { nodes, ignored };
}

/** A node with all that follows it, the main line first. */
export interface Node {
  readonly properties: Properties;
  readonly children: readonly Node[];
}

/** The first game with all its variations; NoSgf if there is none. */
export function treeOf(text: string): Node {
  interface Growing {
    readonly properties: Map<string, string[]>;
    readonly children: Growing[];
  }
  let root: Growing | null = null;
  let [node, values]: [Growing | null, string[] | null] = [null, null];
  const forks: (Growing | null)[] = [];
  for (const { kind, text: found } of tokens(text)) {
    if (kind === "sign" && found === "(") forks.push(node);
    else if (kind === "sign" && found === ")") {
      node = forks.pop() ?? null;
      if (forks.length === 0) break;
    } else if (kind === "sign") {
      const next: Growing = { properties: new Map(), children: [] };
      node?.children.push(next);
      node = next;
      root ??= next;
    } else if (!node) {
      throw new NoSgf("it begins without a node");
    } else if (kind === "name") {
      const name = found.replace(/[a-z]/g, "");
      values = node.properties.get(name) ?? [];
      if (name) node.properties.set(name, values);
    } else values?.push(found.replace(/\\\r?\n/g, "").replace(/\\([\s\S])/g, "$1"));
  }
  if (!root) throw new NoSgf("it begins without a node");
  return root;
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
