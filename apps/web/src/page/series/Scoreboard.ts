/** What stands beside the board of a series: which game it is, what each side has won, and that it can be stopped, or resumed. */

import { count, type Said, say } from "../../texts/Speech";
import { byId, put } from "../dom/Dom";
import { label, tell } from "../dom/Labels";
import type { Sides } from "../game/GameRecord";
import { levelText, shortTitle } from "../words/Words";
import { playedIn, type Tally } from "./Plan";
import panel from "./series.html?raw";

export interface Score {
  readonly sides: Sides;
  readonly game: string;
  readonly tally: Tally;
  /** Whether its games are laid out one after the other now. */
  readonly isRunning: boolean;
  /** Whether a game is played that the tally does not have yet. */
  readonly isPlaying: boolean;
  /** How many games were planned. */
  readonly count: number;
}

export class Scoreboard {
  constructor(stop: () => void, resume: () => void) {
    // A phone has it in its sheet.
    const place = document.getElementById("pane-game") ?? document.querySelector("#play > aside");
    if (!document.getElementById("series")) place?.insertAdjacentHTML("afterbegin", panel);
    label();
    byId("series-stop").onclick = stop;
    byId("series-resume").onclick = resume;
  }

  show({ sides, game, tally, isRunning, isPlaying, count: planned }: Score): void {
    const played = playedIn(tally);
    const isSaid = !isRunning && played > 0;
    // Between two games it is the last one that is seen.
    const shown = isPlaying ? played + 1 : Math.max(1, played);
    byId("series").hidden = false;
    tell("series-title", () => (isRunning ? say("series_game", shown, planned) : endText(played, planned)));
    const names = namesOf(sides, game);
    for (const side of [0, 1] as const) {
      tell(`series-name-${side}`, names[side]);
      put(byId(`series-won-${side}`), String(tally.won[side]));
    }
    put(byId("series-won-draws"), String(tally.drawn));
    tell("series-about", () => (isSaid ? count("series_no_rating", played) : ""));
    byId("series-about").hidden = !isSaid;
    byId("series-stop").hidden = !isRunning;
    byId("series-resume").hidden = isRunning || played === planned;
  }

  hide(): void {
    byId("series").hidden = true;
  }
}

const endText = (played: number, planned: number): string =>
  played === planned ? say("series_over", planned) : say("series_stopped", played, planned);

/** What tells the two sides apart: the network, the level, or both; and which of two that are the same. */
function namesOf(sides: Sides, game: string): readonly [Said, Said] {
  const [one, two] = sides;
  const [isSameName, isSameLevel] = [one.name === two.name, one.level === two.level];
  const nameOf = (side: 0 | 1) => (): string => {
    const [name, level] = [shortTitle(sides[side].name, game), levelText(sides[side].level)];
    if (isSameName && isSameLevel) return say("series_one_of", [name, level].join(", "), side + 1);
    if (isSameName) return level;
    return isSameLevel ? name : [name, level].join(", ");
  };
  return [nameOf(0), nameOf(1)];
}
