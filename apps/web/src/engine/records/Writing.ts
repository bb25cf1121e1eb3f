/** Records written: a line of moves, SGF, and the end of a link. docs/records.md is the definition. */

import { allSettings, type Game, type Settings, type Value } from "../Game";
import { Go } from "../games/Go";
import { Reversi } from "../games/Reversi";
import type { Player, State } from "../State";
import { SGF_GAMES, SWAPS } from "./Record";
import { sgfText } from "./SgfTree";
import type { Beside } from "./Variations";

/** Characters of a link's end; some programs cut longer addresses. */
export const LONGEST_LINK = 4_000;

/** A game that was played: `settings` that are left out are the usual ones. */
export interface WrittenGame {
  readonly game: Game;
  readonly settings: Settings;
  readonly states: readonly [State, ...State[]];
  readonly resigned?: Player | null;
  /** The player whose time ran out. */
  readonly late?: Player | null;
  /** The stones of Go that are dead, ascending. */
  readonly dead?: readonly number[];
  /** What player 0 and player 1 are called. */
  readonly names?: readonly [string, string];
  /** The number of first moves whose stones stand before the game. */
  readonly setUp?: number;
  /** Whether a link says which moves those are: a reader that does not know of it reads them as moves like others. */
  readonly tellsSetUp?: boolean;
  /** What SGF has beside the moves. */
  readonly beside?: Pick<Beside, "told" | "comments" | "lines">;
}

const NOTHING: NonNullable<WrittenGame["beside"]> = { told: {}, comments: new Map(), lines: [] };

/** The game with all its settings and its moves, and a line's end. */
export function lineOf({ game, settings, states }: WrittenGame): string {
  const head = [game.name, ...all(game, settings).map(([name, value]) => `${name}=${value}`)].join(" ");
  return `${`${head}: ${namesOf(states).join(" ")}`.trimEnd()}\n`;
}

/**
 * What stands behind the # of a link; null if it is too long for one. Settings that are the usual ones are left
 * out, and the game where the bundle has its name. `bundle` is written as it is. Two points stand behind the moves that
 * place stones before the first one, where it `tellsSetUp`.
 */
export function linkOf(bundle: string, { game, settings, states, setUp = 0, tellsSetUp }: WrittenGame): string | null {
  const usual = new Map(game.settings.map((setting) => [setting.name, setting.default]));
  const more = all(game, settings).filter(([name, value]) => value !== usual.get(name));
  const given: [string, Value][] = bundle === game.name ? [] : [["game", game.name]];
  const parts = [...given, ...more].map(([name, value]) => `${name}=${value}`);
  const names = namesOf(states);
  const placed = tellsSetUp && setUp ? `${names.splice(0, setUp).join(".")}..` : "";
  const text = [`${bundle}/moves=${placed}${names.join(".")}`, ...parts].join("&");
  return text.length <= LONGEST_LINK ? text : null;
}

/**
 * The game as SGF, with its result, comments and variations; null for a game that SGF does not have. Players and result
 * stay as the file had them that the game was read from.
 */
export function sgfOf(written: WrittenGame): string | null {
  const { game, settings, states, names = ["", ""], beside = NOTHING, setUp = 0 } = written;
  const number = SGF_GAMES.get(game.name);
  if (!number) return null;
  const known = new Map(all(game, settings).map(([name, value]) => [name, String(value)]));
  const [size = "", rule = "", komi = ""] = ["size", "rule", "komi"].map((name) => known.get(name) ?? "");
  const rules = komi ? { KM: komi, RU: "Tromp-Taylor" } : rule ? { RU: rule } : {};
  const players = { PB: names[0], PW: names[1], RE: resultOf(written) };
  const others = Object.entries(beside.told).filter(([key]) => !((key === "KM" && komi) || (key === "RU" && rule)));
  const root = Object.entries({
    FF: "4",
    CA: "UTF-8",
    AP: "azx",
    GM: number,
    SZ: size,
    ...rules,
    ...players,
    ...Object.fromEntries(others),
  });
  const name = (action: number, ply: number, first: number | null): string => {
    if (game.name !== "hex") return pointOf(action, Number(size));
    const label = states[0].label(action);
    // The second player's first move on the first one's cell takes it over.
    return ply === 1 && action === first ? (SWAPS[0] ?? label) : label;
  };
  const played = actions(states);
  const points = played.slice(0, setUp).map((action, ply) => name(action, ply, played[0] ?? null));
  const properties = root.filter(([, value]) => value).map(([key, value]) => [key, [value]] as const);
  const first = known.get("position") ? discsOf(states[0] as Reversi) : standing(points);
  return sgfText([...properties, ...first], { actions: played, setUp, begins: states[0].toMove }, name, beside);
}

/** AB, AW, PL and HA of the stones that stand before the first move. */
function standing(points: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const [black, white] = [0, 1].map((player) => points.filter((point, ply) => point && ply % 2 === player));
  const handicap = black && black.length > 1 && white?.length === 0 ? [String(black.length)] : [];
  const toMove = points.length ? [points.length % 2 ? "W" : "B"] : [];
  const all = { HA: handicap, AB: black ?? [], AW: white ?? [], PL: toMove };
  return Object.entries(all).filter(([, values]) => values.length > 0);
}

/** AB, AW and PL of a position of Reversi that was set up. */
function discsOf({ cells, size, toMove }: Reversi): readonly (readonly [string, readonly string[]])[] {
  const points = (disc: number): readonly string[] =>
    [...cells.keys()].filter((at) => cells[at] === disc).map((at) => pointOf(at, size));
  return [
    ["AB", points(1)],
    ["AW", points(2)],
    ["PL", [toMove === 0 ? "B" : "W"]],
  ];
}

const all = (game: Game, settings: Settings): [string, Value][] => Object.entries(allSettings(game, settings));

const actions = (states: WrittenGame["states"]): number[] => states.slice(1).map((state) => state.lastAction ?? 0);

const namesOf = (states: WrittenGame["states"]): string[] => actions(states).map((action) => states[0].label(action));

/** Column and row as letters from the top left; empty for a pass. */
function pointOf(action: number, size: number): string {
  const [row, column] = [Math.floor(action / size), action % size];
  return row === size ? "" : String.fromCharCode(97 + column, 97 + row);
}

/** SGF's RE: `B+2.5`, `W+R` for a resignation, `W+T` for time, 0 for a draw; empty while nothing is decided. */
function resultOf({ states, resigned = null, late = null, dead = [] }: WrittenGame): string {
  if (late !== null) return late === 0 ? "W+T" : "B+T";
  if (resigned !== null) return resigned === 0 ? "W+R" : "B+R";
  const last = states.at(-1);
  if (!last?.isTerminal) return "";
  const lead = last instanceof Go ? last.score(dead) : last instanceof Reversi ? last.score() : null;
  const returns = lead ?? last.returns();
  if (returns === 0) return "0";
  return `${returns > 0 ? "B" : "W"}+${lead === null ? "" : Math.abs(lead)}`;
}
