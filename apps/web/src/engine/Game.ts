/** What the engine knows of a game beside its rules: settings, networks' shapes, how policies number its actions. */

import { type Encoding, encode, isTurned, turnedAction } from "./Encoding";
import { GameError } from "./GameError";
import type { State } from "./State";

export type Value = number | string;
export type Settings = Readonly<Record<string, Value>>;

/** One choice that a game leaves open; `choices` empty means any number. */
export interface Setting {
  readonly name: string;
  readonly default: Value;
  readonly choices: readonly Value[];
  readonly about: string;
}

/** How a policy numbers actions: `name` (cell, column, ...), its `width`, and the index of the game's `action`. */
export interface Numbering {
  readonly name: string;
  readonly width: number;
  index(action: number): number;
}

/** A game. `settings` have defaults; `numberings` are those of the networks of a board, the reference one's first. */
export interface Game {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly Setting[];
  readonly encoding: Encoding;
  /** The settings of the board that a plane of this shape fits; empty if there is none. */
  settingsOf(board: readonly number[]): Settings;
  numberings(state: State): readonly Numbering[];
  /** The first state; every setting is given. */
  start(settings: Settings): State;
}

/** The first state of `game`, with defaults for settings not given; GameError if the game has no such setting. */
export function begin(game: Game, settings: Settings = {}): State {
  const known = new Map(game.settings.map((setting) => [setting.name, setting]));
  const unknown = Object.keys(settings).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const has = known.size ? `it has ${[...known.keys()].join(", ")}` : "it has none";
    throw new GameError(`${game.title} has no setting '${unknown}': ${has}.`);
  }
  const chosen = game.settings.map((setting) => [setting.name, read(setting, settings[setting.name])] as const);
  return game.start(Object.fromEntries(chosen));
}

/** `given`, or its text, as a value of a setting; the default if nothing is given. GameError if it is not allowed. */
export function read(setting: Setting, given?: Value): Value {
  if (given === undefined) return setting.default;
  const value = typeof setting.default === "number" && String(given).trim() !== "" ? Number(given) : given;
  const sound = typeof value === typeof setting.default && (typeof value === "string" || Number.isFinite(value));
  if (sound && (setting.choices.length === 0 || setting.choices.includes(value))) return value;
  const allowed = setting.choices.join(", ") || "a number";
  throw new GameError(`setting ${setting.name}: '${given}' is not possible, use ${allowed}.`);
}

/** All settings of a game: the usual ones if others are not given. Without a position that is set up, none is listed. */
export const allSettings = (game: Game, given: Settings): Settings =>
  Object.fromEntries(
    game.settings.map((each) => [each.name, read(each, given[each.name])] as const).filter(([, value]) => value !== ""),
  );

/** A game as one network reads it. `numbering` is null for a network without a policy. */
export class Reading {
  constructor(
    readonly game: Game,
    readonly encoding: Encoding,
    readonly numbering: Numbering | null,
    readonly settings: Settings,
  ) {}

  /** The first state on the board that the network reads, with `more` settings. */
  start(more: Settings = {}): State {
    return begin(this.game, { ...this.settings, ...more });
  }

  /** What the network is given for a state. */
  tensor(state: State): Float32Array {
    return encode(state, this.encoding);
  }

  /** The network's value, of whom it is, as that of the player to move. */
  value(value: number, state: State): number {
    const whose = this.encoding.value ?? "mover";
    if (whose === "unknown") return 0;
    if (whose === "mover" || whose === "opponent") return whose === "mover" ? value : -value;
    return whose === `player${state.toMove}` ? value : -value;
  }

  /** The policy's outputs by the game's actions in `state`; null for a network without a policy. */
  policy(outputs: ArrayLike<number>, state: State): Float32Array | null {
    const { numbering, encoding } = this;
    if (!numbering) return null;
    const turns = isTurned(state, encoding);
    const indexOf = (action: number): number => numbering.index(turns ? turnedAction(action, encoding.board) : action);
    return Float32Array.from({ length: state.actions }, (_, action) => outputs[indexOf(action)] ?? NaN);
  }
}
