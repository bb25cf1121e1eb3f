/** Switches for what only some devices have: what is felt of a move, and the system's accent colour. Loaded behind the first board. */

import { say, sayBy } from "../../texts/Speech";
import { byId, element } from "../dom/Dom";
import { rememberSwitch } from "../dom/Storage";
import { hasAccent, takeAccent } from "./Accent";
import "texts:device";

/** Add those switches to the settings that this device has something for. */
export function connectDevice(): void {
  if (canVibrate()) addSwitch("vibration", "vibration", byId("sound").closest("label"), () => undefined);
  if (hasAccent()) connectAccent();
}

/** A browser on a desktop can be asked for it, too, and does nothing. */
const canVibrate = (): boolean => "vibrate" in navigator && matchMedia("(any-pointer: coarse)").matches;

function connectAccent(): void {
  const unread = element("p", { "data-text": "system_colours_unread", hidden: true }, say("system_colours_unread"));
  const take = (): void => {
    unread.hidden = takeAccent(box.checked);
  };
  const box = addSwitch("system-colours", "system_colours", byId("theme"), take);
  box.closest("label")?.after(unread);
  byId("theme").addEventListener("change", take);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", take);
  take();
}

/** A switch after another part of the settings, off at first, which is remembered; `changed` hears of it. */
function addSwitch(id: string, text: string, before: Element | null, changed: () => void): HTMLInputElement {
  const box = element("input", { type: "checkbox", role: "switch", id });
  rememberSwitch(box);
  box.addEventListener("change", changed);
  before?.after(element("label", { class: "check" }, box, " ", element("span", { "data-text": text }, sayBy(text))));
  return box;
}
