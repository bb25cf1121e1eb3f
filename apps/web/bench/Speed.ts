/** How many simulations a second the search makes with a network that costs nothing, on each game. */

import { Uniform } from "../src/engine/Evaluator";
import { begin, type Game, type Settings } from "../src/engine/Game";
import { GAMES } from "../src/engine/known/Catalogue";
import { Search } from "../src/engine/Search";

/** Simulations a second from the first state: the median of `times` searches, after one that warms up. */
export async function speed(game: Game, settings: Settings, simulations: number, times: number): Promise<number> {
  const speeds: number[] = [];
  for (let time = 0; time <= times; time++) {
    const search = new Search(begin(game, settings), new Uniform());
    await search.run(simulations);
    if (time > 0) speeds.push(simulations / search.report().seconds);
  }
  return speeds.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

/** A line for each game. */
export async function report(simulations: number, times: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const cases = [...GAMES.values()].map((game) => [game, {}] as const);
  const gomoku = GAMES.get("gomoku");
  for (const [game, settings] of gomoku ? [...cases, [gomoku, { rule: "renju" }] as const] : cases) {
    const found = Math.round(await speed(game, settings, simulations, times));
    lines.push([game.name, ...Object.values(settings), `${found.toLocaleString("en")} simulations a second`].join(" "));
  }
  return lines;
}
