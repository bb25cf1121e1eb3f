/**
 * A game as a record with an identity of its own: who plays, what was played, what is known of it. It is plain JSON, one
 * entry of the library each, and what an exported library holds; the file may be anybody's.
 */

import { isCount, isData } from "../../engine/Data";
import { begin, type Settings } from "../../engine/Game";
import { GameError } from "../../engine/GameError";
import { byName } from "../../engine/known/Recognition";
import { MOST_MOVES } from "../../engine/records/Record";
import type { Line } from "../../engine/records/Variations";
import type { Observation } from "../../engine/review/Verdicts";
import { beginsWith, type Player, type State } from "../../engine/State";
import type { Clock } from "./Clock";
import { type Ending, isUnsettled } from "./Ending";
import { actions, BOTH, type Human, isForcedPass, NOBODY, phase, READER, type Session, winner } from "./Session";

export const VERSION = 1;

/** The player of a side: a person here, a network, or somebody whom a file names. */
export interface Side {
  readonly kind: "person" | "network" | "file";
  /** A network's title, or the name that a file or a person gives; of a person it may be empty. */
  readonly name: string;
  /** How strong a network plays, as the controls have it: "level 3"; empty of others. */
  readonly level: string;
  /** The bundle of a side that was chosen for a game between networks; absent if one network plays alone. */
  readonly bundle?: { readonly name: string; readonly given: boolean };
}

/** The two sides of a game between networks, each with a network and a strength. */
export type Sides = readonly [Side, Side];

/**
 * Which game of a series a record is: games 0 to `count` - 1, of which `players` says who they are between. What else the
 * next game needs: the number that all chance comes from, and the openings that were drawn until now.
 */
export interface SeriesPlace {
  readonly id: string;
  readonly round: number;
  readonly count: number;
  readonly seed: number;
  readonly openings: readonly (readonly number[])[];
}

/** How a record came here. */
export type Origin = "played" | "watched" | "opened" | "link";

/** What makes a record this one, beside what was played. */
export interface Identity {
  readonly id: string;
  /** When it was begun or opened here, as ISO has it. */
  readonly begun: string;
  readonly origin: Origin;
  /** What a file tells of it, by SGF's names of properties; empty of a game that was played here. */
  readonly told: Readonly<Record<string, string>>;
  /** Comments of the main line, by the number of moves played. */
  readonly comments: ReadonlyMap<number, string>;
  /** Lines that branch off: a file's variations, and what was tried out here. */
  readonly lines: readonly Line[];
  /** How many moves of a file's variations the rules forbid, which were left out. */
  readonly leftOut: number;
  /** Of a game between networks that were chosen for each side. */
  readonly sides?: Sides;
  readonly series?: SeriesPlace;
  /** The numbers of moves after which a better one than the game's was found in place of a blunder. */
  readonly solved?: readonly number[];
}

/** A record as it is stored. */
export interface GameRecord {
  readonly azx_game: typeof VERSION;
  readonly id: string;
  /** Another one at each change. */
  readonly revision: string;
  readonly begun: string;
  readonly changed: string;
  readonly origin: Origin;
  readonly game: string;
  /** All settings of its board and its rules. */
  readonly settings: Settings;
  /** The bundle that plays it here; null of none. */
  readonly bundle: { readonly name: string; readonly given: boolean } | null;
  readonly players: readonly [Side, Side];
  /** READER of two people too, whom `players` tells from other people: what does not know of them reads their game. */
  readonly human: Exclude<Human, typeof BOTH>;
  readonly actions: readonly number[];
  readonly end: Ending | null;
  /** Whether the game is over, and its winner; null for a draw, or if unknown. */
  readonly over: boolean;
  readonly winner: Player | null;
  readonly rates: readonly (readonly [number, number])[];
  readonly seen: readonly SeenEntry[];
  readonly told: Readonly<Record<string, string>>;
  readonly comments: readonly (readonly [number, string])[];
  readonly lines: readonly Line[];
  readonly left_out: number;
  /** Absent of a game that belongs to no series. */
  readonly series?: SeriesPlace;
  /** The number of first actions that only place stones; absent if none do. */
  readonly set_up?: number;
  /** The time of two people: seconds at the beginning and after each move, and what was left by the number of moves. */
  readonly clock?: {
    readonly base: number;
    readonly increment: number;
    readonly left: readonly (readonly [number, number, number])[];
  };
  /** After how many moves a better one was found in place of a blunder. */
  readonly solved?: readonly number[];
  /** Whether two people take moves back only if the other one agrees; absent if they need not. */
  readonly undo_asked?: true;
}

/** What a look at a position has found: after how many moves, the mover's chance, the best action, whether it is sure. */
type SeenEntry = readonly [number, number, number | null, boolean];

/** What stands around a game: the board's settings, who plays, with which bundle. */
export interface Around {
  readonly game: string;
  readonly settings: Settings;
  readonly bundle: GameRecord["bundle"];
  readonly players: readonly [Side, Side];
}

/** A short name that no other record has. */
export function freshId(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(3));
  return [...numbers]
    .map((each) => each.toString(36).padStart(7, "0"))
    .join("")
    .slice(0, 16);
}

export const newIdentity = (origin: Origin): Identity => ({
  id: freshId(),
  begun: new Date().toISOString(),
  origin,
  told: {},
  comments: new Map(),
  lines: [],
  leftOut: 0,
});

export function recordOf(session: Session, identity: Identity, around: Around): GameRecord {
  const over = phase(session) === "over";
  const seen = [...(session.seen ?? [])].sort(([a], [b]) => a - b);
  return {
    azx_game: VERSION,
    id: identity.id,
    revision: freshId(),
    begun: identity.begun,
    changed: new Date().toISOString(),
    origin: identity.origin,
    ...around,
    human: session.human === BOTH ? READER : session.human,
    actions: actions(session),
    end: session.end,
    over,
    winner: over ? winner(session) : null,
    rates: [...session.rates].sort(([a], [b]) => a - b),
    seen: seen.map(([moves, { chance, best, isSure = false }]) => [moves, chance, best, isSure]),
    told: identity.told,
    comments: [...identity.comments],
    lines: identity.lines,
    left_out: identity.leftOut,
    ...(identity.series && { series: identity.series }),
    ...(session.setUp && { set_up: session.setUp }),
    ...(session.clock && { clock: written(session.clock) }),
    ...(session.isUndoAsked && { undo_asked: true as const }),
    ...(identity.solved && { solved: identity.solved }),
  };
}

const written = ({ base, increment, left }: Clock): NonNullable<GameRecord["clock"]> => ({
  base,
  increment,
  left: [...left].map(([moves, [one, two]]) => [moves, Math.round(one), Math.round(two)]),
});

/** Whom the person plays in a record. */
export const humanOf = ({ human, players }: Pick<GameRecord, "human" | "players">): Human =>
  human === READER && players.every(({ kind }) => kind === "person") ? BOTH : human;

export const identityOf = (record: GameRecord): Identity => ({
  id: record.id,
  begun: record.begun,
  origin: record.origin,
  told: record.told,
  comments: new Map(record.comments),
  lines: record.lines,
  leftOut: record.left_out,
  ...(record.players.every(({ bundle }) => bundle) && { sides: record.players }),
  ...(record.series && { series: record.series }),
  ...(record.solved && { solved: record.solved }),
});

/** The game of a record, played again move by move; null if the rules forbid it. */
export function sessionOf(record: GameRecord): Session | null {
  const states = statesIn(record);
  if (!states || !isEndOf(states, record.end)) return null;
  const { end, players, set_up: first = 0 } = record;
  const human = humanOf(record);
  const isShown = ([moves]: readonly [number, ...unknown[]]): boolean => moves >= first && moves < states.length;
  const rates = new Map(record.rates.filter(isShown));
  const observed = record.seen.filter(isShown).map((entry) => seenAt(entry, states));
  const isNamed = human === READER || (human === BOTH && players.some(({ name }) => name));
  const names = isNamed ? { names: [players[0].name, players[1].name] as const } : {};
  const seen = observed.length ? { seen: new Map(observed) } : {};
  const placed = first ? { setUp: first } : {};
  return { states, human, rates, shown: null, end, ...seen, ...names, ...placed, ...termsOf(record) };
}

/** What two people have agreed on before their game. */
function termsOf({ clock, undo_asked: isUndoAsked }: GameRecord): Pick<Session, "clock" | "isUndoAsked"> {
  const left = new Map(clock?.left.map(([moves, one, two]) => [moves, [one, two] as const]));
  return { ...(clock && { clock: { ...clock, left } }), ...(isUndoAsked && { isUndoAsked }) };
}

function seenAt([moves, chance, best, isSure]: SeenEntry, states: readonly State[]): readonly [number, Observation] {
  return [moves, { mover: (states[moves] as State).toMove, chance, best, isSure }];
}

/** All positions of a record; null if the rules forbid one of its moves. */
export const statesIn = ({ game, settings, actions }: GameRecord): [State, ...State[]] | null =>
  replay(() => begin(byName(game), settings), actions);

/** All positions of a game; null if a move is illegal, or a pass that the rules force was cut off. */
export function replay(start: () => State, actions: readonly number[]): [State, ...State[]] | null {
  try {
    let state = start();
    const states: [State, ...State[]] = [state];
    for (const action of actions) {
      state = state.apply(action);
      states.push(state);
    }
    return isForcedPass(state) ? null : states;
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}

/** Whether a game may have ended so: given up before its end, agreed on after two passes, or as a file tells. */
export function isEndOf(states: readonly [State, ...State[]], end: Ending | null): boolean {
  if (end === null || end.kind === "told") return true;
  const [rows, columns] = states[0].board;
  if (end.kind === "agreed") return isUnsettled(states) && end.dead.every((at) => at < rows * columns);
  // The mover has no time left, or has given up.
  return !states.at(-1)?.isTerminal && (end.by === undefined || end.by === states.at(-1)?.toMove);
}

const LONGEST_TEXT = 20_000;
const MOST = 10_000;

/** The record in the JSON of a text, every member checked; null if it is no record. */
export function readGameRecord(data: unknown): GameRecord | null {
  if (!isData(data) || data.azx_game !== VERSION) return null;
  const { id, revision, begun, changed, origin, game, settings, bundle, players, human, end, left_out } = data;
  const sound =
    isName(id) &&
    isName(revision) &&
    isDate(begun) &&
    isDate(changed) &&
    ["played", "watched", "opened", "link"].includes(String(origin)) &&
    isText(game) &&
    isData(settings) &&
    Object.values(settings).every((each) => isText(each) || Number.isFinite(each)) &&
    (bundle === null || isBundle(bundle)) &&
    Array.isArray(players) &&
    players.length === 2 &&
    players.every(isSide) &&
    [0, 1, NOBODY, READER].includes(human as GameRecord["human"]) &&
    areCounts(data.actions, MOST_MOVES) &&
    isEnding(end) &&
    typeof data.over === "boolean" &&
    [0, 1, null].includes(data.winner as Player | null) &&
    areAll(data.rates, isRate) &&
    areAll(data.seen, isSeen) &&
    isData(data.told) &&
    Object.values(data.told).every(isText) &&
    areAll(data.comments, isComment) &&
    areAll(data.lines, isLine) &&
    isCount(left_out) &&
    (data.clock === undefined || isClock(data.clock)) &&
    (data.solved === undefined || areCounts(data.solved, MOST_MOVES)) &&
    [undefined, true].includes(data.undo_asked as true | undefined) &&
    (data.set_up === undefined || isSetUp(data.set_up, data.actions)) &&
    (data.series === undefined || (human === NOBODY && players.every(({ bundle }) => bundle) && isPlace(data.series)));
  return sound ? (data as unknown as GameRecord) : null;
}

/** Whether one game begins with all moves of the other one. */
export const goesOn = (other: GameRecord, { actions }: GameRecord): boolean => beginsWith(actions, other.actions);

const isText = (data: unknown): data is string => typeof data === "string" && data.length <= LONGEST_TEXT;
const isName = (data: unknown): boolean => typeof data === "string" && /^[0-9a-z]{8,32}$/.test(data);
const isDate = (data: unknown): boolean => isText(data) && Number.isFinite(Date.parse(data));
const isShare = (data: unknown): boolean => typeof data === "number" && data >= 0 && data <= 1;

function areAll(data: unknown, is: (each: unknown) => boolean): boolean {
  return Array.isArray(data) && data.length <= MOST && data.every(is);
}

const areCounts = (data: unknown, most: number): boolean =>
  Array.isArray(data) && data.length <= most && data.every(isCount);

const isSetUp = (data: unknown, actions: unknown): boolean =>
  isCount(data) && Array.isArray(actions) && data <= actions.length;

const isSide = (data: unknown): boolean =>
  isData(data) &&
  ["person", "network", "file"].includes(String(data.kind)) &&
  isText(data.name) &&
  isText(data.level) &&
  (data.bundle === undefined || isBundle(data.bundle));

const isBundle = (data: unknown): boolean => isData(data) && isText(data.name) && typeof data.given === "boolean";

const isPlace = (data: unknown): boolean =>
  isData(data) &&
  isName(data.id) &&
  isCount(data.round) &&
  isCount(data.count) &&
  data.round < data.count &&
  data.count <= MOST &&
  isCount(data.seed) &&
  areAll(data.openings, (each) => areCounts(each, MOST_MOVES));

/** A day of seconds is more than anybody sits there. */
const isClock = (data: unknown): boolean =>
  isData(data) &&
  [data.base, data.increment].every((each) => isCount(each) && each <= 86_400) &&
  areAll(data.left, (each) => Array.isArray(each) && each.length === 3 && each.every(isCount));

const isRate = (data: unknown): boolean => Array.isArray(data) && isCount(data[0]) && isShare(data[1]);

const isSeen = (data: unknown): boolean =>
  isRate(data) && Array.isArray(data) && (data[2] === null || isCount(data[2])) && typeof data[3] === "boolean";

const isComment = (data: unknown): boolean => Array.isArray(data) && isCount(data[0]) && isText(data[1]);

const isLine = (data: unknown): boolean =>
  isData(data) &&
  isCount(data.from) &&
  areCounts(data.actions, MOST_MOVES) &&
  areAll(data.comments, isComment) &&
  typeof data.own === "boolean";

function isEnding(data: unknown): boolean {
  if (data === null) return true;
  if (!isData(data)) return false;
  if (data.kind === "resigned") return [undefined, 0, 1].includes(data.by as Player | undefined);
  if (data.kind === "time") return [0, 1].includes(data.by as Player);
  if (data.kind === "agreed") return areCounts(data.dead, MOST);
  return data.kind === "told" && isText(data.result) && [0, 1, null].includes(data.winner as Player | null);
}
