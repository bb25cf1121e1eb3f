/** The words about a record in a list: its players, its game, its result, its date. */

import { GAMES } from "../../../engine/known/Catalogue";
import { count, language, say, sayBy } from "../../../texts/Speech";
import { presentationOf } from "../../boards/Presentation";
import { type GameRecord, humanOf, type Side } from "../../game/GameRecord";
import { hasPerson, isRead, isShared } from "../../game/Session";
import { gamesOf } from "../../series/Games";
import { playedIn } from "../../series/Plan";
import { playerName } from "../../words/Outcome";
import { levelText, sideName, sideNames } from "../../words/Words";
import type { Group } from "./Groups";
import "texts:library";
import "texts:series";

/** The result of a game for the person here; "others" marks other people's games. */
export type Standing = "won" | "lost" | "draw" | "open" | "watched" | "others";

export function standingOf(record: GameRecord): Standing {
  const isOfTwo = isShared({ human: humanOf(record) });
  if (isRead(record) && !isOfTwo) return "others";
  if (!record.over) return "open";
  if (isOfTwo) return record.winner === null ? "draw" : "others";
  if (!hasPerson(record)) return "watched";
  if (record.winner === null) return "draw";
  return record.winner === record.human ? "won" : "lost";
}

export const gameName = ({ game }: GameRecord): string => (GAMES.has(game) ? sayBy(`game_${game}`) : game);

/** "You – AI", or the names of other people. */
export function playersOf(record: GameRecord): string {
  const { pieces } = presentationOf(record.game);
  const isOfTwo = isShared({ human: humanOf(record) });
  const nameOf = (side: Side, player: 0 | 1): string => {
    if (isOfTwo) return side.name || say(pieces[player]);
    if (side.bundle) return sideName(side, record.game);
    return side.kind === "person" ? say("you") : side.kind === "network" ? say("ai") : side.name || say(pieces[player]);
  };
  return `${nameOf(record.players[0], 0)} – ${nameOf(record.players[1], 1)}`;
}

/** How it has ended, or that it goes on. */
export function resultOf(record: GameRecord): string {
  const { over, winner, end, human, players } = record;
  if (isRead(record) && end?.kind === "told") return end.result;
  const isOfTwo = isShared({ human: humanOf(record) });
  if (!over) return say(isRead(record) && !isOfTwo ? "record_no_result" : "game_in_progress");
  if (winner === null) return say("draw");
  if (hasPerson(record)) return say(winner === human ? "you_won" : "ai_won");
  const { pieces } = presentationOf(record.game);
  const called = isRead(record)
    ? ([players[0].name, players[1].name] as const)
    : sideNames(players, record.game, pieces);
  return say("winner_is", playerName({}, winner, { pieces, called }));
}

/** "Go · 24 moves · 26 Nov 2026 · Level 3: casual". */
export function aboutOf(record: GameRecord): string {
  // The names of two networks include their levels.
  const levels = record.players.map(({ kind, level, bundle }) =>
    kind === "network" && !bundle ? levelText(level) : "",
  );
  const level = [...new Set(levels.filter(Boolean))].join(", ");
  const date = new Date(record.begun).toLocaleDateString(language(), { dateStyle: "medium" });
  const moves = count("library_moves", record.actions.length - (record.set_up ?? 0));
  const round = record.series && say("series_game", record.series.round + 1, record.series.count);
  return [gameName(record), round, moves, record.told.DT || date, record.told.EV, level].filter(Boolean).join(" · ");
}

/** The words about a series: its players, what each has won, its game, and how many games were played. */
export function tellSeries({ series, all }: Group): Readonly<Record<"players" | "tally" | "about", string>> {
  const first = all.find((record) => record.series?.round === 0) ?? (all[0] as GameRecord);
  // In every other game the sides are swapped.
  const isSwapped = (first.series?.round ?? 0) % 2 === 1;
  const { game, players } = first;
  const { tally } = gamesOf(all, series);
  const [one, two] = players.map((side) => sideName(side, game));
  const played = playedIn(tally);
  const { count: planned } = series;
  const about = played === planned ? say("series_over", planned) : say("series_played", played, planned);
  return {
    players: (isSwapped ? [two, one] : [one, two]).join(" – "),
    tally: say("series_tally", ...tally.won, tally.drawn),
    about: [gameName(first), about].join(" · "),
  };
}

/** All that a search looks through. */
export const wordsOf = (record: GameRecord): string =>
  [
    playersOf(record),
    resultOf(record),
    aboutOf(record),
    ...Object.values(record.told),
    ...record.comments.map(([, text]) => text),
  ]
    .join(" ")
    .toLowerCase();
