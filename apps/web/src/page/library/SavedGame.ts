/**
 * The small text in which this page has kept the last game of a bundle before it had a library, and in which the Android
 * and iOS apps keep it: it is read, and becomes an entry.
 *
 * It has a line each: the title, `human` (-1 where the network plays both sides), `settings` (name=value), `actions`,
 * `rates` (moves=chance); and `end`, where the game was given up or its dead stones were agreed on.
 */

import type { Settings, Value } from "../../engine/Game";
import type { State } from "../../engine/State";
import type { Ending } from "../game/Ending";
import { isEndOf, replay } from "../game/GameRecord";
import { type Human, NOBODY, type Session } from "../game/Session";

const TITLE = "azx game 1";

const HUMANS: ReadonlyMap<string, Human> = new Map([
  ["0", 0],
  ["1", 1],
  [String(NOBODY), NOBODY],
]);

/** A session, and the settings that were chosen for it beside the network's own. */
export interface SavedGame {
  readonly session: Session;
  readonly settings: Settings;
}

/**
 * The game of a text, played again move by move; null if the text is damaged, or the rules forbid it.
 *
 * `offered` names the settings that a person may choose: any other would be a board that the network does not read.
 */
export function readSaved(
  text: string | null,
  start: (settings: Settings) => State,
  offered: readonly string[],
): SavedGame | null {
  const [title, ...lines] = text?.split("\n") ?? [];
  if (title !== TITLE || lines.length < 4 || lines.length > 5) return null;
  const [human, chosen, moves, rates] = ["human", "settings", "actions", "rates"].map((name, at) =>
    wordsOf(lines[at] ?? "", name),
  );
  const player = HUMANS.get(human?.join(" ") ?? "");
  if (player === undefined || !chosen || !moves?.every(isCount) || !rates) return null;
  const settings = pairsOf(chosen)?.map(([name, value]) => [name, settingOf(value)] as const);
  const chances = pairsOf(rates)?.map(([after, rate]) => [Number(after), Number(rate)] as const);
  if (!settings?.every(([name]) => offered.includes(name)) || !chances?.every(isChance)) return null;
  const given = Object.fromEntries(settings);
  const states = replay(() => start(given), moves.map(Number));
  const end = lines[4] === undefined ? null : endOf(wordsOf(lines[4], "end") ?? []);
  if (!states || end === undefined || !isEndOf(states, end)) return null;
  const known = new Map(chances.filter(([after]) => after < states.length));
  return { session: { states, human: player, rates: known, shown: null, end }, settings: given };
}

/** The end of a line's words; undefined where they are none. */
function endOf([kind, ...dead]: readonly string[]): Ending | undefined {
  if (kind === "resigned" && dead.length === 0) return { kind };
  return kind === "agreed" && dead.every(isCount) ? { kind, dead: dead.map(Number) } : undefined;
}

/** The words behind a line's name; null if it has another. */
function wordsOf(line: string, name: string): readonly string[] | null {
  const [first, ...words] = line.split(" ");
  return first === name ? words : null;
}

/** Words of the form name=value; null if one of them is none. */
function pairsOf(words: readonly string[]): readonly (readonly [string, string])[] | null {
  const pairs = words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const);
  return words.every((word) => word.indexOf("=") > 0) ? pairs : null;
}

const isCount = (word: string): boolean => /^\d{1,5}$/.test(word);

const isChance = ([after, rate]: readonly [number, number]): boolean =>
  Number.isSafeInteger(after) && after >= 0 && rate >= 0 && rate <= 1;

const settingOf = (text: string): Value => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
