/** The games of a series, as the library has them: which of its rounds were played, and what each side has won. */

import type { GameRecord, SeriesPlace } from "../game/GameRecord";
import { countIn, NOTHING_PLAYED, roundsOf, type Tally } from "./Plan";

/** How far a series has come. */
export interface SeriesGames {
  /** One game a round, by the number of the round: of two that were played the first one counts. */
  readonly games: ReadonlyMap<number, GameRecord>;
  readonly tally: Tally;
  /** The first round that was not played to its end; null if all of them were. */
  readonly next: number | null;
  /** The openings that were drawn until now. */
  readonly openings: SeriesPlace["openings"];
}

export function gamesOf(records: readonly GameRecord[], { id, count }: Pick<SeriesPlace, "id" | "count">): SeriesGames {
  const games = new Map<number, GameRecord>();
  let openings: SeriesPlace["openings"] = [];
  let tally = NOTHING_PLAYED;
  for (const record of records.filter(({ series }) => series?.id === id).sort(byBeginning)) {
    const { series, over } = record;
    if (!series) continue;
    if (series.openings.length > openings.length) openings = series.openings;
    const there = games.get(series.round);
    if (!there || (over && !there.over)) games.set(series.round, record);
  }
  const rounds = roundsOf(count);
  for (const [at, round] of rounds.entries()) {
    const game = games.get(at);
    if (game?.over) tally = countIn(tally, round, game.winner);
  }
  const next = rounds.findIndex((_, at) => !games.get(at)?.over);
  return { games, tally, next: next < 0 ? null : next, openings };
}

const byBeginning = (one: GameRecord, two: GameRecord): number => one.begun.localeCompare(two.begun);
