/**
 * A game as a small text, to be kept where a page may be closed at any time. The Android and iOS apps write the same one.
 *
 * It has a line each: the title, `human`, `settings` (name=value), `actions`, `rates` (moves=chance).
 */

import type { Settings, Value } from "../engine/Game";
import { GameError } from "../engine/GameError";
import type { State } from "../engine/State";
import { actions, isForcedPass, type Session } from "./Session";

const TITLE = "azx game 1";

/** A session, and the settings that were chosen for it beside the network's own. */
export interface SavedGame {
  readonly session: Session;
  readonly settings: Settings;
}

/** A text that `savedFrom` reads. */
export function textOf({ session, settings }: SavedGame): string {
  const rates = [...session.rates].sort(([a], [b]) => a - b);
  return [
    [TITLE],
    ["human", session.human],
    ["settings", ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
    ["actions", ...actions(session)],
    ["rates", ...rates.map(([moves, rate]) => `${moves}=${rate}`)],
  ]
    .map((words) => words.join(" "))
    .join("\n");
}

/**
 * The game of a text, played again move by move; null where the text is damaged, or the rules forbid it.
 *
 * `offered` names the settings that a person may choose: any other would be a board that the network does not read.
 */
export function savedFrom(
  text: string | null,
  start: (settings: Settings) => State,
  offered: readonly string[],
): SavedGame | null {
  const [title, ...lines] = text?.split("\n") ?? [];
  if (title !== TITLE || lines.length !== 4) return null;
  const [human, chosen, moves, rates] = ["human", "settings", "actions", "rates"].map((name, at) =>
    wordsOf(lines[at] ?? "", name),
  );
  const player = human?.join(" ");
  if ((player !== "0" && player !== "1") || !chosen || !moves?.every(isCount) || !rates) return null;
  const settings = pairsOf(chosen)?.map(([name, value]) => [name, settingOf(value)] as const);
  const chances = pairsOf(rates)?.map(([after, rate]) => [Number(after), Number(rate)] as const);
  if (!settings?.every(([name]) => offered.includes(name)) || !chances?.every(isChance)) return null;
  const given = Object.fromEntries(settings);
  const states = played(start, given, moves.map(Number));
  if (!states) return null;
  const known = new Map(chances.filter(([after]) => after < states.length));
  return { session: { states, human: player === "0" ? 0 : 1, rates: known, shown: null, end: null }, settings: given };
}

/** All positions; null where a move is illegal, or a pass that the rules force was cut off. */
function played(
  start: (settings: Settings) => State,
  settings: Settings,
  moves: readonly number[],
): readonly [State, ...State[]] | null {
  try {
    let state = start(settings);
    const states: [State, ...State[]] = [state];
    for (const action of moves) {
      state = state.apply(action);
      states.push(state);
    }
    return isForcedPass(state) ? null : states;
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}

/** The words behind a line's name; null where it has another. */
function wordsOf(line: string, name: string): readonly string[] | null {
  const [first, ...words] = line.split(" ");
  return first === name ? words : null;
}

/** Words of the form name=value; null where one of them is none. */
function pairsOf(words: readonly string[]): readonly (readonly [string, string])[] | null {
  const pairs = words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const);
  return words.every((word) => word.indexOf("=") > 0) ? pairs : null;
}

const isCount = (word: string): boolean => /^\d{1,5}$/.test(word);

const isChance = ([after, rate]: readonly [number, number]): boolean =>
  Number.isSafeInteger(after) && after >= 0 && rate >= 0 && rate <= 1;

const settingOf = (text: string): Value => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
