/** The sheet for a new game: how strong the network plays, who begins, by which settings; what was chosen last is there. */

import { say, sayBy } from "../texts/Speech";
import * as controls from "./Controls";
import { byId } from "./Dom";
import { tell } from "./Labels";

const sheet = (): HTMLDialogElement => byId<HTMLDialogElement>("new-game");

/** Hear when a person wants to play what the sheet says. */
export function connectNewGame(play: () => void): void {
  byId("new-play").addEventListener("click", () => {
    sheet().close();
    play();
  });
  byId("new-cancel").addEventListener("click", () => sheet().close());
  // Beside the sheet, as on a phone.
  sheet().addEventListener("click", ({ target }) => target === sheet() && sheet().close());
  byId("strength").addEventListener("change", tellStrength);
}

/** Open the sheet for a game. */
export function askForNewGame(game: string): void {
  tell("new-game-title", () => say("new_game_of", sayBy(`game_${game}`)));
  byId("komi").hidden = !controls.hasKomi(game);
  byId("rule-label").hidden = !controls.hasRenju(game);
  tellStrength();
  sheet().showModal();
}

function tellStrength(): void {
  tell("strength-name", controls.strengthText);
  // What was chosen among them is in sight.
  const exact = byId("strength").querySelector("details");
  if (exact && !controls.strength().startsWith("level")) exact.open = true;
}
