/**
 * Records read: SGF, a line of moves, or a link whose end has them. The texts are anybody's.
 *
 * SGF is A. Hollosi's "SGF File Format FF[4]", https://www.red-bean.com/sgf/. Of a game with variations the main line
 * is read.
 */

import { begin, type Game, read, type Settings, type Value } from "../Game";
import { GameError } from "../GameError";
import { GAMES } from "../known/Catalogue";
import type { Player } from "../State";
import { place } from "./Placing";
import { firstValue, movesIn, SIDES } from "./Points";
import { type GameRecord, LARGEST, MOST_MOVES, type Move, RecordError, SGF_GAMES, SWAPS } from "./Record";
import { discsSetUp, setUp } from "./SetUp";
import { mainLine, NoSgf, type Properties, strip, treeOf } from "./Sgf";

// ASCII's blanks: each language has others of its own.
const BLANKS = /[ \t\n\r\f\v]+/;
const LINK = /(?:^|#)([^ \t\n\r\f\v#/]+)\/moves=([^ \t\n\r\f\v#]*)/;
// Numbers that each language reads alike, and writes again as they were.
const WHOLE = /^[0-9]{1,4}$/;
const DECIMAL = /^[+-]?[0-9]{1,4}(\.[0-9]{1,4})?$/;
// How much an error quotes of a text that is no move.
const LONGEST_NAME = 20;
const LONGEST_TOLD = 80;
// The size of a board of which SGF says none, if it is not the usual one.
const UNSAID: Readonly<Record<string, number>> = { go: 19, hex: 11 };

/** The record that a text holds, its moves as they are named; RecordError if it holds none. */
export function readRecord(given: string): GameRecord {
  if (given.length > LARGEST || new TextEncoder().encode(given).length > LARGEST) {
    throw new RecordError("record_too_large");
  }
  const text = strip(given.replace(/^\ufeff/, ""));
  if (text.startsWith("(")) return fromSgf(text);
  const link = LINK.exec(text);
  if (link) {
    const [moves = "", ...more] = (link[2] ?? "").split("&");
    const placed = moves.includes("..") ? moves.slice(0, moves.indexOf("..")) : "";
    const namesIn = (text: string): string[] => text.split(".").filter(Boolean);
    return { ...recordOf(link[1] ?? "", more, namesIn(moves)), setUp: namesIn(placed).length };
  }
  const colon = text.indexOf(":");
  if (text === "" || colon === 0) throw new RecordError("record_none");
  if (colon < 0) return plain(null, {}, words(text));
  const [name = "", ...more] = words(text.slice(0, colon));
  return recordOf(name, more, words(text.slice(colon + 1)));
}

const words = (text: string): string[] => text.split(BLANKS).filter(Boolean);

/** A record of moves by name. A link's `game=` says which game a bundle of another name plays. */
function recordOf(name: string, given: readonly string[], names: readonly string[]): GameRecord {
  const settings = new Map(given.map((each) => cut(each)));
  const game = GAMES.get(settings.get("game") ?? name);
  settings.delete("game");
  if (!game) throw new RecordError("record_none");
  return plain(game.name, settingsOf(game, settings), names);
}

function cut(setting: string): [string, string] {
  const at = setting.indexOf("=");
  if (at < 0) throw new RecordError("record_none");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

function plain(game: string | null, settings: Settings, names: readonly string[]): GameRecord {
  const moves = few(names.map((name) => ({ name, player: null })));
  return { game, settings, moves, names: ["", ""], result: "", ignored: 0, setUp: 0 };
}

function few(moves: readonly Move[]): readonly Move[] {
  if (moves.length > MOST_MOVES) throw new RecordError("record_too_long");
  return moves.map(({ name, player }) => ({ name: cutText(name, LONGEST_NAME), player }));
}

const cutText = (text: string, length: number): string => [...text].slice(0, length).join("");

/** The settings as the game has them; RecordError if one is not possible. */
function settingsOf(game: Game, given: ReadonlyMap<string, string>): Settings {
  const settings: Record<string, Value> = {};
  for (const [name, text] of given) {
    const setting = game.settings.find((each) => each.name === name);
    const form = setting?.choices.length ? WHOLE : DECIMAL;
    const refused = new RecordError("record_settings", null, cutText(`${name} ${text}`, LONGEST_NAME));
    if (!setting || (typeof setting.default === "number" && !form.test(text))) throw refused;
    try {
      settings[name] = read(setting, text);
    } catch (error) {
      throw error instanceof GameError ? refused : error;
    }
  }
  if (settings.position) refuseUnlessPlaced(game, settings);
  return settings;
}

/** RecordError if discs cannot stand as a setting says; docs/records.md has what a position is. */
function refuseUnlessPlaced(game: Game, { position: told, ...board }: Settings): void {
  const [start, text] = [begin(game, board), String(told)];
  const isForm = /^[012]*[01]$/.test(text) && text.length === start.actions;
  const pieces = [...text].slice(0, -1).map(Number);
  const toMove = Number(text.at(-1)) as Player;
  if (isForm && !("why" in place(start, { pieces, toMove }))) return;
  throw new RecordError("record_settings", null, cutText(`position ${text}`, LONGEST_NAME));
}

function fromSgf(text: string): GameRecord {
  const tree = parseSgf(text);
  const root = tree.root.properties;
  const nodes = mainLine(tree.root).map(({ properties }) => properties);
  const number = firstValue(root, "GM") || "1";
  const game = [...GAMES.values()].find(({ name }) => SGF_GAMES.get(name) === number);
  if (!game) throw new RecordError("record_other_game", null, cutText(number, LONGEST_NAME));
  const isSwap = (node: Properties): boolean => SIDES.some((key) => SWAPS.includes(firstValue(node, key)));
  const hasSwap = game.name === "hex" && nodes.some(isSwap);
  const given = settingsIn(root, game);
  const board = settingsOf(game, hasSwap ? new Map([...given, ["rule", "swap"]]) : given);
  const start = begin(game, board);
  const moves = nodes.flatMap((node) => movesIn(node, start));
  const begins = moves[0]?.player ?? null;
  const placed = setUp(game.name, start, nodes, begins);
  const position = game.name === "reversi" ? discsSetUp(start, nodes, begins) : "";
  const settings = position ? { ...board, position } : board;
  // The player who takes the first stone over plays on its cell.
  const [first] = [...placed, ...moves];
  const played = moves.map((move) =>
    hasSwap && SWAPS.includes(move.name) ? { ...move, name: first?.name ?? "" } : move,
  );
  const names = [shortText(root, "PB"), shortText(root, "PW")] as const;
  const all = few([...placed, ...played]);
  const [result, ignored] = [shortText(root, "RE"), tree.variations];
  return { game: game.name, settings, moves: all, names, result, ignored, setUp: placed.length };
}

function parseSgf(text: string): ReturnType<typeof treeOf> {
  try {
    return treeOf(text);
  } catch (error) {
    throw error instanceof NoSgf ? new RecordError("record_no_sgf", null, error.message) : error;
  }
}

function settingsIn(root: Properties, { name, settings }: Game): ReadonlyMap<string, string> {
  const [komi, rule] = [firstValue(root, "KM"), firstValue(root, "RU").toLowerCase()];
  const known = new Map(settings.map((setting) => [setting.name, setting]));
  const given = new Map([["size", firstValue(root, "SZ") || String(UNSAID[name] ?? known.get("size")?.default)]]);
  if (known.has("komi") && komi) given.set("komi", komi);
  if (known.get("rule")?.choices.includes(rule)) given.set("rule", rule);
  return given;
}

/** A property's value in one line, cut where it is long. */
const shortText = (node: Properties, key: string): string =>
  cutText(words(firstValue(node, key)).join(" "), LONGEST_TOLD);
