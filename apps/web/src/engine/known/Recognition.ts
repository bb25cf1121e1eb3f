/** Recognition: which game a network plays by its manifest, and how it reads it and numbers its actions. */

import { encode, encodingFrom } from "../Encoding";
import { begin, type Game, type Numbering, Reading, type Settings } from "../Game";
import { GameError } from "../GameError";
import type { State } from "../State";
import { GAMES } from "./Catalogue";

/** The members of a manifest that say how the network reads its game; docs/bundle-format.md has them all. */
export interface ManifestGame {
  readonly game: string;
  readonly settings?: Settings | null;
  readonly encoding: unknown;
  readonly actions?: string | readonly number[] | null;
}

/** The game called `name`; GameError, with the known names, if there is none. */
export function byName(name: string): Game {
  const game = GAMES.get(name);
  if (game) return game;
  throw new GameError(`game '${name}' is unknown: this app plays ${[...GAMES.keys()].join(", ")}.`);
}

/** The reading that a manifest records; `width` is the policy's, null without one. GameError if it is unsound. */
export function fromManifest(manifest: ManifestGame, width: number | null): Reading {
  const game = byName(manifest.game);
  const encoding = encodingFrom(manifest.encoding);
  const given = manifest.settings ?? {};
  const settings = Object.keys(given).length ? given : game.settingsOf(encoding.board);
  const state = begin(game, settings);
  // GameError for a plane that the game does not draw on this board.
  encode(state, encoding);
  return new Reading(game, encoding, numberingOf(game, state, manifest.actions ?? null, width), settings);
}

/** The numbering called so, or a listed one, or the only one of this width. */
function numberingOf(
  game: Game,
  state: State,
  actions: ManifestGame["actions"],
  width: number | null,
): Numbering | null {
  if (width === null) return null;
  if (actions && typeof actions !== "string") return numberingFrom(actions, width, state.actions);
  const known = game.numberings(state);
  const numbering = known.find((each) => each.width === width && (!actions || each.name === actions));
  if (numbering) return numbering;
  throw new GameError(
    `the policy's ${width} outputs do not number ${game.title}'s actions by '${actions ?? "a known way"}': ` +
      `use ${known.map(({ name }) => name).join(", ")}, ` +
      `or a list with an index for each of the ${state.actions} actions, as "actions".`,
  );
}

function numberingFrom(indices: readonly number[], width: number, count: number): Numbering {
  const sound = indices.length === count && indices.every((at) => Number.isInteger(at) && at >= 0 && at < width);
  if (sound) return { name: "listed", width, index: (action) => indices[action] ?? -1 };
  throw new GameError(`'actions' must list ${count} indices from 0 to ${width - 1}, one for each action.`);
}
