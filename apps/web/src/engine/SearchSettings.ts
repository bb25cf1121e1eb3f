/**
 * How a network is searched, as the member `search` of its bundle's manifest says it.
 *
 *     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
 *     {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2, "early_stop": true}
 *     {"root": {"kind": "puct"}, "lower_bound": 5}
 *
 * Without the member, and with {"root": {"kind": "puct"}}, the search is plain PUCT. A reader refuses a setting that it
 * does not know: without that setting it would be another search. docs/search.md says what the numbers do.
 */

import { type Data, isData, membersOf } from "./Data";

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
 * With `earlyStop` a search ends once no other move can be visited as often as the leader (`EarlyStop.ts`).
 * `lowerBound` is a number of standard errors: the move is played whose mean less these errors is the largest
 * (`LowerBound.ts`); null: the most visited move.
 */
export interface SearchSettings {
  readonly root: Gumbel | null;
  readonly cInit: number;
  readonly firstPlay: number | null;
  readonly earlyStop: boolean;
  readonly lowerBound: number | null;
}

export const USUAL: SearchSettings = { root: null, cInit: 1.25, firstPlay: null, earlyStop: false, lowerBound: null };

/** Whether the move visited most is played: then it may be decided before the end, which `earlyStop` asks. */
export const choosesByVisits = ({ root, lowerBound }: SearchSettings): boolean => root === null && lowerBound === null;

interface Member<Value> {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly absent: Value;
}

function number(name: string, least: number, most: number, absent: number, isNumber = Number.isFinite): Member<number> {
  return { name, absent, holds: (value) => isNumber(value) && Number(value) >= least && Number(value) <= most };
}

const CONSIDERED = number("considered", 1, 1000, 16, Number.isInteger);
const VISIT = number("c_visit", 0, 1e6, 50);
const SCALE = number("c_scale", 0, 1e6, 0.1);
const INIT = number("c_init", 0, 1e3, USUAL.cInit);
const FIRST_PLAY = number("first_play", 0, 2, 0);
const EARLY_STOP: Member<boolean> = {
  name: "early_stop",
  holds: (value) => typeof value === "boolean",
  absent: USUAL.earlyStop,
};
const LOWER_BOUND = number("lower_bound", 0, 100, 0);
// Those beside the root.
const BESIDE: readonly Member<unknown>[] = [INIT, FIRST_PLAY, EARLY_STOP, LOWER_BOUND];
// Those of a root of each kind.
const OF_ROOT: ReadonlyMap<unknown, readonly Member<unknown>[]> = new Map([
  ["puct", []],
  ["gumbel", [CONSIDERED, VISIT, SCALE]],
]);

/**
 * Where the member `search` says what is not known here, such as "root.kind"; null if all is known.
 *
 * Of several places the first: the kind, the known members in their order, then unknown names in the order of their letters;
 * those of the root before the others.
 */
export function faultIn(search: unknown): string | null {
  if (!isData(search) || !isData(search.root)) return "root";
  const { root } = search;
  const known = OF_ROOT.get(root.kind);
  if (!known) return "root.kind";
  const fault = faultAmong(root, "kind", known);
  return fault === null ? faultAmong(search, "root", BESIDE) : `root.${fault}`;
}

/** The first of the `known` members that is outside its limits, else of those that are not known, nor called `beside`. */
function faultAmong(members: Data, beside: string, known: readonly Member<unknown>[]): string | null {
  const bad = known.find(({ name, holds }) => name in members && !holds(members[name]));
  const names = [beside, ...known.map(({ name }) => name)];
  const [unknown] = Object.keys(members)
    .filter((name) => !names.includes(name))
    .sort();
  return bad?.name ?? unknown ?? null;
}

/** The settings of a member `search` in which there is no fault, or which is not there (null). */
export function settingsFrom(search: unknown): SearchSettings {
  const members = membersOf(search);
  const root = membersOf(members.root);
  const of = (members: Data, { name, absent }: Member<number>): number => Number(members[name] ?? absent);
  const gumbel = { considered: of(root, CONSIDERED), visit: of(root, VISIT), scale: of(root, SCALE) };
  return {
    root: root.kind === "gumbel" ? gumbel : null,
    cInit: of(members, INIT),
    firstPlay: FIRST_PLAY.name in members ? of(members, FIRST_PLAY) : null,
    earlyStop: members[EARLY_STOP.name] === true,
    lowerBound: LOWER_BOUND.name in members ? of(members, LOWER_BOUND) : null,
  };
}
