/**
 * Beside a bundle: that how it sees the board is not known, or which output is which, and the readings that fit, one of
 * which a person may choose.
 */

import type { Doubt } from "../../bundle/Assumed";
import { button, byId, element, put } from "../dom/Dom";
import type { Choice } from "./Readings";

/** What is to be shown, while the words for it may still be on their way. */
let shown: Doubt | null = null;
let choose: (name: string | null) => void = () => undefined;

/** Hand what a person chooses to `act`: a reading's name, null for the one that is assumed. */
export function connectDoubt(act: (name: string | null) => void): void {
  choose = act;
  byId("doubt-ask").addEventListener("click", () => byId<HTMLDialogElement>("readings").showModal());
}

/** Say what is in doubt of the bundle that is open; nothing if nothing is. */
export async function showDoubt(doubt: Doubt | null): Promise<void> {
  shown = doubt;
  if (doubt === null) {
    byId("doubt").hidden = true;
    closeReadings();
    return;
  }
  // Few networks are in doubt, and a page without one needs no words for readings.
  const { layReadings, sayDoubt, sayChoices } = await import("./Readings");
  if (shown !== doubt) return;
  layReadings();
  byId("doubt").hidden = false;
  put(byId("doubt-text"), sayDoubt(doubt));
  byId("doubt-ask").hidden = doubt.others.length === 0;
  byId("readings-list").replaceChildren(...sayChoices(doubt).map((each) => choiceButton(each, doubt.chosen)));
}

/** Its dialog comes with the first network that is in doubt. */
const closeReadings = (): void => (document.getElementById("readings") as HTMLDialogElement | null)?.close();

function choiceButton({ name, words, about }: Choice, chosen: string | null): HTMLElement {
  const take = (): void => {
    closeReadings();
    if (name !== chosen) choose(name);
  };
  const isChosen = String(name === chosen);
  return button({ "aria-pressed": isChosen }, take, element("span", {}, words), element("small", {}, about));
}
