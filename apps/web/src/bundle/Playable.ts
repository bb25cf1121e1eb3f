/** Whether an app can play a bundle: the reasons why not, in the words of Python's bundle/playable.py. */

import { GAMES } from "../engine/Catalogue";
import { shapeOf } from "../engine/Encoding";
import { GameError } from "../engine/GameError";
import { fromManifest } from "../engine/Recognition";
import { english } from "../texts/Fill";
import { NO_GAME, unknownGame } from "./Index";
import { isOfGame, type Manifest, outputWith, policyWidth, sizeOf } from "./Manifest";

/** The members of a manifest by which it is judged. */
export type Judged = Pick<Manifest, "game" | "settings" | "encoding" | "actions" | "inputs" | "outputs" | "batch">;

/** Each reason why an app cannot play the bundle of this manifest, a clause each; empty where it can. */
export function whyNot(manifest: Judged): readonly string[] {
  const { inputs, batch } = manifest;
  const game = gameProblem(manifest);
  const reasons = game === null ? [] : [game];
  if (inputs.length !== 1) reasons.push(english("problem_inputs", inputs.length));
  if (!outputWith(manifest, "policy") && !outputWith(manifest, "value")) reasons.push(english("problem_no_heads"));
  if ((batch ?? 1) !== 1) reasons.push(english("problem_batch", batch ?? 1));
  return reasons;
}

/** Why the game cannot be played as the manifest describes it; null where it can. */
function gameProblem(manifest: Judged): string | null {
  if (!isOfGame(manifest)) return NO_GAME;
  if (!GAMES.has(manifest.game)) return unknownGame(manifest.game);
  if (!manifest.encoding) return english("problem_no_encoding");
  try {
    const { encoding } = fromManifest(manifest, policyWidth(manifest));
    const [made, read] = [sizeOf(shapeOf(encoding)), sizeOf(manifest.inputs[0]?.shape ?? [])];
    const differs = manifest.inputs.length === 1 && made !== read;
    return differs ? english("problem_size", made, read) : null;
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    const reason = error.message.replace(/\.+$/, "");
    return english("problem_unreadable", reason);
  }
}
