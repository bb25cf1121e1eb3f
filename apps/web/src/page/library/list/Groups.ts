/** What the list of all games has as its entries: a game each, and the games of a series as one. */

import type { GameRecord, SeriesPlace } from "../../game/GameRecord";

/** The games of a series in their order: those that were `found`, and `all` that there are. */
export interface Group {
  readonly series: SeriesPlace;
  readonly found: readonly GameRecord[];
  readonly all: readonly GameRecord[];
}

/** A game that belongs to no series stands for itself; a series stands where the first of its games is found. */
export function groupBySeries(
  found: readonly GameRecord[],
  all: readonly GameRecord[],
): readonly (GameRecord | Group)[] {
  const listed = new Set<string>();
  const items: (GameRecord | Group)[] = [];
  for (const record of found) {
    const { series } = record;
    if (!series) items.push(record);
    else if (!listed.has(series.id)) {
      listed.add(series.id);
      items.push({ series, found: inOrder(found, series.id), all: inOrder(all, series.id) });
    }
  }
  return items;
}

const inOrder = (records: readonly GameRecord[], id: string): readonly GameRecord[] =>
  records
    .filter(({ series }) => series?.id === id)
    .sort((one, two) => (one.series?.round ?? 0) - (two.series?.round ?? 0) || one.begun.localeCompare(two.begun));
