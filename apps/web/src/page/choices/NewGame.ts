/** The sheet for a new game: how strong the network plays, who begins, by which settings; what was chosen last is there. */

import { say, sayBy } from "../../texts/Speech";
import { byId } from "../dom/Dom";
import { tell } from "../dom/Labels";
import * as controls from "./Controls";

/** The game that the sheet is about. */
let sheetGame = "";

const sheet = (): HTMLDialogElement => byId<HTMLDialogElement>("new-game");

/** Hear when a person wants to play what the sheet says. */
export function connectNewGame(play: () => void): void {
  byId("new-play").addEventListener("click", () => {
    controls.chooseRule(sheetGame);
    sheet().close();
    play();
  });
  byId("new-cancel").addEventListener("click", () => sheet().close());
  // Beside the sheet, as on a phone.
  sheet().addEventListener("click", ({ target }) => target === sheet() && sheet().close());
  byId("strength").addEventListener("change", tellStrength);
}

/** The game that the sheet is about. */
export const askedGame = (): string => sheetGame;

/** Open the sheet for a game; for two people alone where no network here plays it. */
export function askForNewGame(game: string, isAlone = false): void {
  sheetGame = game;
  if (isAlone) controls.choose("begins", "both");
  byId("begins").hidden = isAlone;
  tell("new-game-title", () => say("new_game_of", sayBy(`game_${game}`)));
  byId("komi").hidden = !controls.hasKomi(game);
  const [, rule] = controls.rulesOf(game);
  byId("rule-label").hidden = rule === undefined;
  tell("rule-name", rule === undefined ? null : () => sayBy(`rule_${rule}`));
  controls.showRule(game);
  tellStrength();
  showStrength();
  sheet().showModal();
}

/** How strong a network plays is asked where one plays. */
export function showStrength(): void {
  byId("strength").hidden = controls.chosen("begins") === "both";
}

function tellStrength(): void {
  tell("strength-name", controls.strengthText);
  // What was chosen among them is in sight.
  const exact = byId("strength").querySelector("details");
  if (exact && !controls.strength().startsWith("level")) exact.open = true;
}
