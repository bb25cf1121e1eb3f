/** The golden files in mobile_assets/fixtures, which every engine is tested against; docs/fixtures.md describes them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { ManifestPart } from "../../src/bundle/Playable";
import type { Problem } from "../../src/bundle/Problem";
import { begin, type Settings } from "../../src/engine/Game";
import { Connect4 } from "../../src/engine/games/Connect4";
import { DotsAndBoxes } from "../../src/engine/games/DotsAndBoxes";
import { Go } from "../../src/engine/games/Go";
import { Gomoku } from "../../src/engine/games/Gomoku";
import { Hex } from "../../src/engine/games/Hex";
import { Reversi } from "../../src/engine/games/Reversi";
import { TicTacToe } from "../../src/engine/games/TicTacToe";
import { byName } from "../../src/engine/known/Recognition";
import type { JudgedMove as Judgement, Observation, Verdict } from "../../src/engine/review/Verdicts";
import type { State } from "../../src/engine/State";

const FOLDER = fileURLToPath(new URL("../../../../mobile_assets/fixtures/", import.meta.url));

/** The games that have fixtures. */
export const NAMES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${FOLDER}${entry.name}/playthrough.json`))
  .map((entry) => entry.name)
  .sort();

export interface Playthrough {
  readonly games: readonly {
    readonly about: string;
    readonly settings: Settings;
    readonly plies: readonly { readonly action: number; readonly legal: string; readonly board: string }[];
    readonly end: { readonly board: string; readonly is_terminal: boolean; readonly returns: number };
  }[];
}

export interface Encoded {
  readonly encoding: unknown;
  readonly states: readonly {
    readonly settings: Settings;
    readonly actions: readonly number[];
    readonly shape: readonly number[];
    readonly tensor: readonly number[];
  }[];
}

export interface Searched {
  readonly c: number;
  readonly first_state: { readonly hash: number; readonly value: number; readonly weights: Record<string, number> };
  readonly cases: readonly {
    readonly settings: Settings;
    readonly actions: readonly number[];
    readonly simulations: number;
    readonly moves: readonly { readonly visits: object; readonly depth: number; readonly best: number }[];
  }[];
}

/** What the rules prove of positions, and searches that prove. */
export interface Proven {
  readonly c: number;
  readonly cases: readonly {
    readonly settings: Settings;
    readonly actions: readonly number[];
    readonly simulations: number;
    readonly moves: readonly {
      readonly left: readonly number[] | null;
      readonly result: number | null;
      readonly glance: number;
      readonly simulations: number;
      readonly visits: object;
      readonly proven: number | null;
      readonly best: number;
    }[];
  }[];
}

/** Positions as other authors' networks read them: `game` is the folder's. */
export interface Readings {
  /** `inputs` is there where the network has several. */
  readonly states: readonly (Encoded["states"][number] & {
    readonly encoding: unknown;
    readonly inputs?: readonly (readonly number[])[];
  })[];
}

/** Searches as a bundle's `search` sets them. */
export interface Searches {
  readonly c: number;
  /** Visits, sum, sum of squares, standard errors, the bound. */
  readonly bounds: readonly (readonly [number, number, number, number, number])[];
  readonly logarithms: readonly (readonly [number, number])[];
  readonly halvings: readonly {
    readonly considered: number;
    readonly simulations: number;
    readonly steps: readonly number[];
  }[];
  readonly settings: readonly { readonly search: unknown; readonly fault: string | null }[];
  readonly cases: readonly {
    readonly game: string;
    readonly actions: readonly number[];
    readonly search: unknown;
    readonly proves: boolean;
    readonly plan: number | string | null;
    readonly runs: readonly number[];
    readonly moves: Searched["cases"][number]["moves"];
  }[];
}

/** A bundle's manifest, and why an app cannot play it. */
export interface Playable {
  readonly about: string;
  readonly manifest: ManifestPart;
  readonly problems: readonly Problem[];
}

/** A step by which a good bundle becomes a bad one. */
export interface Edit {
  readonly file: "index" | "manifest" | "golden" | "model";
  readonly do: "remove" | "cut" | "change" | "write" | "fill" | "replace" | "begin" | "end" | "set" | "unset";
  readonly text?: string;
  readonly times?: number;
  readonly old?: string;
  readonly new?: string;
  readonly at?: readonly (string | number)[];
  readonly value?: unknown;
}

/** How a bad bundle is made, and what a person is told of it: the key of the sentence, null if nothing is wrong. */
export interface Recipe {
  readonly about: string;
  readonly edits: readonly Edit[];
  readonly sealed: boolean;
  readonly screen: "list" | "card" | "play" | "test";
  readonly key: string | null;
  readonly names: string | null;
}

/** How policies are read. */
export interface Policies {
  readonly tolerance: number;
  readonly cases: readonly {
    readonly activation: string;
    readonly policy_range: "logits" | "probabilities" | null;
    readonly logits: boolean;
    readonly legal: readonly number[];
    readonly outputs: readonly (readonly number[])[];
    readonly priors: readonly (readonly number[])[];
  }[];
}

/** How value heads are read. */
export interface Values {
  readonly tolerance: number;
  readonly cases: readonly {
    readonly activation: string;
    readonly value_range: string | null;
    readonly order: readonly string[] | null;
    readonly whose: string;
    readonly to_move: number;
    readonly outputs: readonly number[];
    readonly value: number;
  }[];
}

/** A candidate as it is written. */
export interface Row {
  readonly action: number;
  readonly visits: number;
  readonly win_rate: number;
  readonly prior: number;
}

/** What is known of a position; `sure` where it was looked at again. */
export type Known = Omit<Observation, "isSure" | "known"> & { readonly sure?: boolean };

/** A game that was looked at; `game` is null if what was seen is made up. */
export interface ReviewedGame {
  readonly about: string;
  readonly game: string | null;
  readonly settings?: Settings;
  readonly simulations?: number;
  readonly actions: readonly number[];
  readonly seen: readonly Known[];
  readonly doubted: readonly number[];
  /** `choice`: it could have lost something. */
  readonly moves: readonly (Omit<Judgement, "action" | "isChoice"> & { readonly choice: boolean })[];
  readonly counts: readonly Readonly<Record<Verdict, number>>[];
  readonly accuracy: readonly (number | null)[];
  readonly next_mistakes: readonly (number | null)[];
}

/** What a review says. */
export interface Reviews {
  readonly c: number;
  readonly most: number;
  readonly deeper: number;
  readonly fewest_moves: number;
  readonly least_boxes: Readonly<Record<string, number>>;
  readonly least_discs: Readonly<Record<string, number>>;
  readonly least_losses: Readonly<Record<string, number>>;
  readonly verdicts: readonly { readonly loss: number; readonly verdict: Verdict }[];
  readonly ranked: readonly { readonly given: readonly Row[]; readonly ranked: readonly number[] }[];
  readonly candidates: readonly {
    readonly game: string;
    readonly settings: Settings;
    readonly actions: readonly number[];
    readonly simulations: number;
    readonly candidates: readonly Row[];
  }[];
  readonly reviews: readonly ReviewedGame[];
  /** Games whose positions a network thinks alike, but for what the rules prove. */
  readonly reasons: readonly ReviewedGame[];
  /** Whole reviews: what each position was seen as in the end. */
  readonly again: readonly {
    readonly game: string;
    readonly settings: Settings;
    readonly simulations: number;
    readonly actions: readonly number[];
    readonly seen: readonly Known[];
  }[];
}

/** What a manifest states of an artifact's bytes, and the English sentence on it; null if an app says nothing. */
interface Calculated {
  readonly about: string;
  readonly calculation: unknown;
  readonly sentence: string | null;
}

interface Files {
  readonly playthrough: Playthrough;
  readonly encoding: Encoded;
  readonly search: Searched;
  readonly proven: Proven;
}

export function fixture<File extends keyof Files>(game: string, file: File): Files[File] {
  return JSON.parse(readFileSync(`${FOLDER}${game}/${file}.json`, "utf8")) as Files[File];
}

const optional = <File>(path: string): File | null =>
  existsSync(FOLDER + path) ? (JSON.parse(readFileSync(FOLDER + path, "utf8")) as File) : null;

/** null if the file is not there. */
export const readings = (game: string): Readings | null => optional(`${game}/readings.json`);

/** null if the file is not there. */
export const values = (): Values | null => optional("values.json");

/** How policies are read, as logits or as probabilities. */
export const policies = (): Policies => JSON.parse(readFileSync(`${FOLDER}policies.json`, "utf8")) as Policies;

/** Searches with settings. */
export const searches = (): Searches => JSON.parse(readFileSync(`${FOLDER}searches.json`, "utf8")) as Searches;

/** Which bundles can be played. */
export const playable = (): readonly Playable[] =>
  optional<{ readonly cases: readonly Playable[] }>("playable.json")?.cases ?? [];

/** What is said of an artifact's bytes. */
export const calculations = (): readonly Calculated[] =>
  (JSON.parse(readFileSync(`${FOLDER}calculations.json`, "utf8")) as { readonly cases: readonly Calculated[] }).cases;

/** The bundles that are refused, or not played. */
export const badBundles = (): readonly Recipe[] =>
  optional<{ readonly cases: readonly Recipe[] }>("bad_bundles.json")?.cases ?? [];

/** What a review says of games. */
export const review = (): Reviews => JSON.parse(readFileSync(`${FOLDER}review.json`, "utf8")) as Reviews;

/** The state of a game that the actions lead to. */
export function stateAfter(game: string, settings: Settings, actions: readonly number[]): State {
  return actions.reduce((state, action) => state.apply(action), begin(byName(game), settings));
}

/** The legal action at a place, from the end where it is negative. */
export function legalAt(state: State, place: number): number {
  const action = state.legalActions().at(place);
  if (action === undefined) throw new Error(`there is no legal action at place ${place} here.`);
  return action;
}

/** A character for each action: 1 where it is legal. */
export function legal(state: State): string {
  const marks = new Array<string>(state.actions).fill("0");
  for (const action of state.legalActions()) marks[action] = "1";
  return marks.join("");
}

/** The same, asking for each action why it is illegal. */
export function withoutReason(state: State): string {
  return Array.from({ length: state.actions }, (_, action) => (state.whyIllegal(action) === null ? "1" : "0")).join("");
}

const marks = (cells: Uint8Array): string => Array.from(cells, (cell) => ".XO"[cell]).join("");

/** The pieces, one character a cell: X player 0, O player 1; in Dots and Boxes edges, then boxes. */
export function board(state: State): string {
  if (state instanceof DotsAndBoxes) return `${state.edges.join("")} ${marks(state.owners)}`;
  if (state instanceof Connect4 || state instanceof TicTacToe) return marks(state.cells);
  if (state instanceof Gomoku || state instanceof Go) return marks(state.cells);
  if (state instanceof Reversi || state instanceof Hex) return marks(state.cells);
  throw new Error("the tests do not know how to draw this game: add it to board() here.");
}
