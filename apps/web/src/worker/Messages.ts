/** What the page and the worker say to each other. */

import type { Doubt } from "../bundle/Assumed";
import type { GivenFile } from "../bundle/given/Given";
import type { Entry } from "../bundle/Index";
import { type PlayedNetwork, type Precision, SMALL, type Small } from "../bundle/Lite";
import type { Problem } from "../bundle/Problem";
import type { Settings } from "../engine/Game";
import type { Candidate } from "../engine/review/Candidates";
import type { Observation } from "../engine/review/Verdicts";
import type { Sentence } from "../texts/Sentence";

/** TF.js's, and LiteRT.js with a `.tflite` file of each precision. */
export const TF_BACKENDS = ["wasm", "webgl", "cpu"] as const;
export const LITE_BACKENDS = ["litert", "litert-int8"] as const;
export type TfBackendName = (typeof TF_BACKENDS)[number];
export type LiteBackendName = (typeof LITE_BACKENDS)[number];
export type BackendName = TfBackendName | LiteBackendName;

export const PRECISION_OF: Readonly<Record<LiteBackendName, Precision>> = {
  litert: "fp32",
  "litert-int8": "int8-dynamic",
};

/** What the self-test tests: full precision on TF.js's backends, what plays in a lower one, LiteRT.js. */
export type Subject = BackendName | Small;

export const isSmall = (subject: Subject): subject is Small => (SMALL as readonly string[]).includes(subject);

export const isOnLite = (backend: Subject): backend is LiteBackendName =>
  (LITE_BACKENDS as readonly string[]).includes(backend);

/**
 * How long the network thinks: not beyond its policy, for a number of simulations or of seconds, or as a level says, 1 to
 * 8, whose moves are drawn from a seed.
 */
export type Limit =
  | { readonly kind: "policy" }
  | { readonly kind: "simulations"; readonly count: number }
  | { readonly kind: "seconds"; readonly count: number }
  | { readonly kind: "level"; readonly number: number; readonly seed: number };

/** A position, as the moves that lead to it. */
export interface Position {
  readonly settings: Settings;
  readonly actions: readonly number[];
}

/** A bundle that is open: its size, and how it is played or why it is not. */
export interface OpenBundle {
  readonly parameters: number;
  /** In how many positions it was compared with its checkpoint, by its own manifest; null if that has no number. */
  readonly compared: number | null;
  /** What its manifest says of its network's bytes beside the checkpoint's, as a clause; null if it says nothing. */
  readonly calculation: Sentence | null;
  /** Why it cannot be played; empty if it can. */
  readonly problems: readonly Problem[];
  /** What its self-test may test. */
  readonly subjects: readonly Subject[];
  /** null if it cannot be played. */
  readonly playing: Playing | null;
  /** null if how it sees the board is known. */
  readonly doubt: Doubt | null;
  /** Of what cannot be played, why its self-test cannot run either; null if it can. */
  readonly untestable: Sentence | null;
}

export interface Playing {
  readonly game: string;
  readonly settings: Settings;
  readonly backend: BackendName;
  /** Of what TF.js's backends run. */
  readonly precision: PlayedNetwork["precision"];
  /** Why it is not the backend that was asked for; null if it is. */
  readonly refused: Sentence | null;
  /** Milliseconds of one evaluation, the least of a few: other programs may be busy just now. */
  readonly milliseconds: number;
  /** Whether the network says how a game will end. */
  readonly hasValue: boolean;
  /** Whether the network says by itself which moves are promising. */
  readonly hasPolicy: boolean;
}

/** Which of the backends plays on, once LiteRT.js was tried. */
export interface RuntimeChoice {
  readonly backend: BackendName;
  readonly milliseconds: number;
  /** Why LiteRT.js does not run here; null if it does. */
  readonly refused: Sentence | null;
}

/** What a search has found so far; `winRate` is the mover's, null if the network has no value and nothing is proven. */
export interface Progress {
  readonly simulations: number;
  readonly depth: number;
  readonly winRate: number | null;
  /** Whether the win rate is the game's result, known by the rules. */
  readonly proven: boolean;
  readonly seconds: number;
  /** The share of the visits of each legal action. */
  readonly shares: readonly (readonly [number, number])[];
}

/** How many bytes of a bundle have come, of how many. */
export interface Loading {
  readonly received: number;
  readonly total: number;
}

export interface Thought extends Progress {
  readonly action: number;
}

/** What the network itself says: a probability for each legal action. */
export interface Advice {
  readonly policy: readonly (readonly [number, number])[];
  /** The mover's; the result where it is proven. */
  readonly winRate: number | null;
  /** The moves that lose nothing by what is proven; null if nothing tells one from another. */
  readonly best: readonly number[] | null;
}

/** What a search of a position alone has found. */
export interface Analysis {
  /** null if the network has no value, or no move was visited. */
  readonly seen: Observation | null;
  /** The best ones, the best first. */
  readonly candidates: readonly Candidate[];
  /** Those that are proven to be best, which come first among the candidates; null if nothing is. */
  readonly proven: readonly number[] | null;
  /** The moves that the search expects after each candidate. */
  readonly lines: readonly (readonly number[])[];
  /** Those of all moves together. */
  readonly visits: number;
  readonly isWhole: boolean;
}

/** The action with the largest probability, the first of equals. */
export function largest(policy: Advice["policy"]): Advice["policy"][number] {
  return policy.reduce((top, next) => (next[1] > top[1] ? next : top));
}

/** In a self-test an output may be this far from the reference, and two moves this near are equally good. */
export const TOLERANCE = 1e-4;

/** How answers compare with the recorded ones. */
export interface Comparison {
  readonly positions: number;
  readonly largestError: number;
  readonly sameBest: number;
  readonly withBest: number;
  readonly passed: boolean;
}

export interface TestResult extends Comparison {
  readonly backend: Subject;
  readonly milliseconds: number;
  readonly evaluationsPerSecond: number;
  /** null if no game is known that could be searched. */
  readonly playoutsPerSecond: number | null;
}

export interface Requests {
  readonly take: { readonly given: readonly GivenFile[]; readonly names: readonly string[] };
  /** What was given on earlier visits, by names that none of these is. */
  readonly recall: { readonly names: readonly string[] };
  /** Forget a bundle that was given, on this visit or before. */
  readonly remove: { readonly name: string };
  /** `reading` is the one that a person has chosen, null without a choice. */
  readonly open: {
    readonly entry: Entry;
    readonly base: string;
    readonly backend: BackendName | "auto";
    readonly reading: string | null;
  };
  /** Load a second network, which plays against the open one; it replaces the second one before it. */
  readonly invite: Requests["open"];
  /** Load the network that plays into LiteRT.js too, and play on with the faster runtime. */
  readonly quicken: Record<string, never>;
  /** Keep the files of a bundle that is not open. */
  readonly keep: { readonly entry: Entry; readonly base: string };
  /** `by` names the bundle of the two that thinks: the one that is open where it is absent. */
  readonly think: {
    readonly position: Position;
    readonly limit: Limit;
    readonly passes?: boolean;
    readonly by?: string | undefined;
  };
  readonly advise: { readonly position: Position; readonly by?: string | undefined };
  /** Without a number of simulations it runs until it is stopped, and reports meanwhile what it has found. */
  readonly analyse: { readonly position: Position; readonly simulations: number | null };
  readonly test: { readonly backend: Subject; readonly seconds: number };
}

export interface Answers {
  /** The bundle's entry; of one that is not kept, why; and what was given beside its files, which was not opened. */
  readonly take: { readonly entry: Entry; readonly unkept: Sentence | null; readonly unlisted: readonly string[] };
  readonly recall: readonly Entry[];
  readonly remove: null;
  readonly open: OpenBundle;
  /** The game and the board that it plays; null if it cannot be played. */
  readonly invite: Pick<Playing, "game" | "settings"> | null;
  /** null if there is nothing to try. */
  readonly quicken: RuntimeChoice | null;
  readonly keep: null;
  readonly think: Thought;
  readonly advise: Advice;
  readonly analyse: Analysis;
  readonly test: TestResult;
}

export type Kind = keyof Requests;

/** What the page hears of a request while it is under way. */
export type Updates = {
  readonly [K in Kind]: K extends "open" | "invite"
    ? Loading
    : K extends "think"
      ? Progress
      : K extends "analyse"
        ? Analysis
        : never;
};

export type Update = Progress | Loading | Analysis;

export type ToWorker =
  | { [K in Kind]: { readonly id: number; readonly kind: K; readonly request: Requests[K] } }[Kind]
  | { readonly kind: "stop" };

export type FromWorker =
  | { readonly id: number; readonly kind: "done"; readonly answer: Answers[Kind] }
  | { readonly id: number; readonly kind: "failed"; readonly sentence: Sentence }
  | { readonly id: number; readonly kind: "progress"; readonly progress: Update };
