/**
 * How a network is searched, as the member `search` of its bundle's manifest says it.
 *
 *     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
 *
 * Without the member, and with {"root": {"kind": "puct"}}, a search is as it always was. What a reader does not know it
 * refuses: a setting that is passed over would be another search, played as if it were this one. docs/search.md says what
 * the numbers do.
 */

/** A root whose simulations are shared out by sequential halving among the `considered` most promising moves. */
export interface Gumbel {
  readonly considered: number;
  readonly visit: number;
  readonly scale: number;
}

/** What differs from the usual search; `root` null: PUCT at the root as everywhere. */
export interface SearchSettings {
  readonly root: Gumbel | null;
}

export const USUAL: SearchSettings = { root: null };

interface Limits {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
  readonly absent: number;
}

const CONSIDERED: Limits = { name: "considered", least: 1, most: 1000, isWhole: true, absent: 16 };
const VISIT: Limits = { name: "c_visit", least: 0, most: 1e6, isWhole: false, absent: 50 };
const SCALE: Limits = { name: "c_scale", least: 0, most: 1e6, isWhole: false, absent: 0.1 };
// The numbers of a root of each kind.
const NUMBERS: ReadonlyMap<unknown, readonly Limits[]> = new Map([
  ["puct", []],
  ["gumbel", [CONSIDERED, VISIT, SCALE]],
]);

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;

/**
 * Where the member `search` says what is not known here, such as "root.kind"; null where all is known.
 *
 * Of several places the first: the kind, the numbers in their order, then unknown names in the order of their letters.
 */
export function faultIn(search: unknown): string | null {
  const members = membersOf(search);
  const root = membersOf(members?.root);
  if (!members || !root) return "root";
  const numbers = NUMBERS.get(root.kind);
  if (!numbers) return "root.kind";
  const bad = numbers.find((limits) => limits.name in root && !isWithin(root[limits.name], limits));
  if (bad) return `root.${bad.name}`;
  const known = ["kind", ...numbers.map(({ name }) => name)];
  const [unknown] = Object.keys(root)
    .filter((name) => !known.includes(name))
    .sort();
  if (unknown !== undefined) return `root.${unknown}`;
  const [other] = Object.keys(members)
    .filter((name) => name !== "root")
    .sort();
  return other ?? null;
}

function isWithin(value: unknown, { least, most, isWhole }: Limits): boolean {
  const isNumber = isWhole ? Number.isInteger(value) : Number.isFinite(value);
  return isNumber && Number(value) >= least && Number(value) <= most;
}

/** The settings of a member `search` in which there is no fault, or which is not there (null). */
export function settingsFrom(search: unknown): SearchSettings {
  const root = membersOf(membersOf(search)?.root);
  if (root?.kind !== "gumbel") return USUAL;
  const number = ({ name, absent }: Limits): number => Number(root[name] ?? absent);
  return { root: { considered: number(CONSIDERED), visit: number(VISIT), scale: number(SCALE) } };
}
