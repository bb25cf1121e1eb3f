/** A new network for the board that is there: the game goes on with the old one until a person takes the new one. */

import type { Entry } from "../bundle/Index";
import { say } from "../texts/Speech";
import { byId } from "./Dom";
import { tell } from "./Labels";
import { titleOf } from "./Words";

let offered: Entry | null = null;

export function offer(entry: Entry | null): void {
  offered = entry;
  byId("offer").hidden = entry === null;
  tell("offer-text", entry && (() => say("new_network", titleOf(entry))));
}

/** Have the button of the offer hand on what is offered. */
export function connectOffer(take: (entry: Entry) => void): void {
  byId("offer-take").addEventListener("click", () => {
    const entry = offered;
    offer(null);
    if (entry) take(entry);
  });
}
