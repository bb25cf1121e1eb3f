/**
 * A position that a person sets up, as a value: its board, its pieces, who moves, and what a press puts. Nothing changes
 * one; each function here that has a sketch gives the next one. Its text stands behind the # of the page's address, so
 * that neither a reload nor a page that may store nothing loses it.
 */

import { allSettings, begin, type Settings } from "../../engine/Game";
import { GameError } from "../../engine/GameError";
import { countPieces } from "../../engine/games/Cells";
import { Connect4 } from "../../engine/games/Connect4";
import { DotsAndBoxes } from "../../engine/games/DotsAndBoxes";
import { Go } from "../../engine/games/Go";
import { Reversi } from "../../engine/games/Reversi";
import { GAMES } from "../../engine/known/Catalogue";
import { byName } from "../../engine/known/Recognition";
import { type Placement, place, positionOf } from "../../engine/records/Placing";
import { mark, type Player, type State } from "../../engine/State";
import { beginSession, type Human, type Session } from "../game/Session";

export interface Sketch {
  readonly game: string;
  /** All of them. */
  readonly settings: Settings;
  /** As `Placing` has them. */
  readonly pieces: readonly number[];
  readonly toMove: Player;
  /** What a press puts: a piece of player 0 or 1; null takes what is there. */
  readonly tool: Player | null;
}

/** The first position of a game; GameError if its settings are none. */
export function sketch(game: string, settings: Settings = {}): Sketch {
  const { position: _, ...all } = allSettings(byName(game), settings);
  return { game, settings: all, ...positionOf(begin(byName(game), all)), tool: 0 };
}

export const startOf = ({ game, settings }: Sketch): State => begin(byName(game), settings);

/** The sketch of a position of a game. */
export const sketchOf = (game: string, settings: Settings, state: State): Sketch => ({
  ...sketch(game, settings),
  ...positionOf(state),
});

export const pick = (now: Sketch, tool: Sketch["tool"]): Sketch => ({ ...now, tool });

export const turn = (now: Sketch, toMove: Player): Sketch => ({ ...now, toMove });

/** Nothing on the board. */
export const clear = (now: Sketch): Sketch => ({ ...now, pieces: now.pieces.map(() => 0), toMove: 0 });

/** What a press on the place of an action does: a piece comes, or the one that is there goes. */
export function press(now: Sketch, action: number): Sketch {
  const start = startOf(now);
  const pieces = [...now.pieces];
  const piece = now.tool === null ? 0 : mark(now.tool);
  if (start instanceof DotsAndBoxes) drawEdge(start, pieces, action, piece);
  else if (start instanceof Connect4) drop(start, pieces, action % start.columns, piece);
  else pieces[action] = pieces[action] === piece ? 0 : piece;
  return { ...now, pieces, toMove: moverOf(now, start, pieces) };
}

/** Whose turn the counts make it, where the game has no pass; else whose it was. */
function moverOf({ toMove }: Sketch, start: State, pieces: readonly number[]): Player {
  if (start instanceof Go || start instanceof Reversi) return toMove;
  if (start instanceof DotsAndBoxes) {
    const [edges, boxes] = [pieces.slice(0, start.edges.length), pieces.slice(start.edges.length)];
    return boxes.some(Boolean) ? toMove : ((edges.filter(Boolean).length % 2) as Player);
  }
  const [first, second] = countPieces(pieces);
  return first > second ? 1 : 0;
}

/** A disc falls to the lowest empty cell of its column; without one the topmost is taken. */
function drop({ columns }: Connect4, pieces: number[], column: number, piece: number): void {
  const cells = [...pieces.keys()].filter((at) => at % columns === column);
  const at = piece ? cells.filter((each) => pieces[each] === 0).at(-1) : cells.find((each) => pieces[each] !== 0);
  if (at !== undefined) pieces[at] = piece;
}

/** An edge is drawn, and the boxes that it closes are its side's; or it is taken, and they are open again. */
function drawEdge(start: DotsAndBoxes, pieces: number[], edge: number, piece: number): void {
  const count = start.edges.length;
  pieces[edge] = piece && !pieces[edge] ? 1 : 0;
  for (const box of start.boxesBy(edge)) {
    pieces[count + box] = start.sidesOf(box).every((side) => pieces[side]) ? piece : 0;
  }
}

/** The moves that lead to it, or why there are none. */
export const placedOf = (now: Sketch): Placement => place(startOf(now), now);

/** The settings of the game that begins from it. */
export function settingsOf(now: Sketch): Settings {
  const placed = placedOf(now);
  return "position" in placed && placed.position ? { ...now.settings, position: placed.position } : now.settings;
}

/** The game that begins from it: between two people, or with a person on one side. Its first position where it cannot stand. */
export function beginFrom(now: Sketch, human: Human): Session {
  const placed = placedOf(now);
  const actions = "actions" in placed ? placed.actions : [];
  const first = beginSession(begin(byName(now.game), settingsOf(now)), human);
  let state = first.states[0];
  const played = actions.map((action) => {
    state = state.apply(action);
    return state;
  });
  return { ...first, states: [first.states[0], ...played], ...(actions.length && { setUp: actions.length }) };
}

/** "go/size=9&komi=7.5/0120.../1": game, settings, pieces, who moves. */
export function textOf({ game, settings, pieces, toMove }: Sketch): string {
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [game, given.join("&"), pieces.join(""), toMove].join("/");
}

/** The sketch that `textOf` wrote; the first position if the text is a game's name; null if it is neither. */
export function readSketch(text: string): Sketch | null {
  const [game = "", given = "", pieces, toMove] = text.split("/");
  const known = GAMES.get(game);
  if (!known) return null;
  try {
    const pairs = given.split("&").filter(Boolean);
    const settings = Object.fromEntries(pairs.map((each) => each.split("=") as [string, string]));
    const first = sketch(game, settings);
    if (pieces === undefined) return first;
    const isSound = pieces.length === first.pieces.length && /^[012]*$/.test(pieces) && /^[01]$/.test(toMove ?? "");
    return isSound ? { ...first, pieces: [...pieces].map(Number), toMove: Number(toMove) as Player } : null;
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}
