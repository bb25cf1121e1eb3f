/**
 * How a network is searched, as the member `search` of its bundle's manifest says it.
 *
 *     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
 *     {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2}
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

/**
 * What differs from the usual search; `root` null: PUCT at the root as everywhere.
 *
 * PUCT's C begins at `cInit`. A move without a visit counts as worth what its parent is, less `firstPlay`; null: as a draw.
 */
export interface SearchSettings {
  readonly root: Gumbel | null;
  readonly cInit: number;
  readonly firstPlay: number | null;
}

export const USUAL: SearchSettings = { root: null, cInit: 1.25, firstPlay: null };

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
const INIT: Limits = { name: "c_init", least: 0, most: 1e3, isWhole: false, absent: USUAL.cInit };
const FIRST_PLAY: Limits = { name: "first_play", least: 0, most: 2, isWhole: false, absent: 0 };
// Those of PUCT, at the root or below it.
const EVERYWHERE: readonly Limits[] = [INIT, FIRST_PLAY];
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
 * Of several places the first: the kind, the numbers in their order, then unknown names in the order of their letters;
 * those of the root before the others.
 */
export function faultIn(search: unknown): string | null {
  const members = membersOf(search);
  const root = membersOf(members?.root);
  if (!members || !root) return "root";
  const numbers = NUMBERS.get(root.kind);
  if (!numbers) return "root.kind";
  const fault = faultAmong(root, "kind", numbers);
  return fault === null ? faultAmong(members, "root", EVERYWHERE) : `root.${fault}`;
}

/** The first of the members that is no number within its limits, else that is none of the `numbers` nor `beside`. */
function faultAmong(members: Members, beside: string, numbers: readonly Limits[]): string | null {
  const bad = numbers.find((limits) => limits.name in members && !isWithin(members[limits.name], limits));
  const known = [beside, ...numbers.map(({ name }) => name)];
  const [unknown] = Object.keys(members)
    .filter((name) => !known.includes(name))
    .sort();
  return bad?.name ?? unknown ?? null;
}

function isWithin(value: unknown, { least, most, isWhole }: Limits): boolean {
  const isNumber = isWhole ? Number.isInteger(value) : Number.isFinite(value);
  return isNumber && Number(value) >= least && Number(value) <= most;
}

/** The settings of a member `search` in which there is no fault, or which is not there (null). */
export function settingsFrom(search: unknown): SearchSettings {
  const members = membersOf(search) ?? {};
  const root = membersOf(members.root) ?? {};
  const of = (members: Members, { name, absent }: Limits): number => Number(members[name] ?? absent);
  const gumbel = { considered: of(root, CONSIDERED), visit: of(root, VISIT), scale: of(root, SCALE) };
  return {
    root: root.kind === "gumbel" ? gumbel : null,
    cInit: of(members, INIT),
    firstPlay: FIRST_PLAY.name in members ? of(members, FIRST_PLAY) : null,
  };
}
