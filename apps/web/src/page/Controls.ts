/** The controls beside the board: what they are set to. */

import { GAMES } from "../engine/Catalogue";
import type { Settings } from "../engine/Game";
import type { BackendName, Limit } from "../worker/Messages";
import { byId } from "./Dom";
import { type Human, NOBODY } from "./Session";
import { readStored, store } from "./Storage";

const REMEMBERED = ["strength", "begins", "backend", "language", "theme", "pace"];

const select = (id: string): HTMLSelectElement => byId<HTMLSelectElement>(id);

/** Set the controls as they were left, and remember what they are set to. */
export function remember(): void {
  for (const id of REMEMBERED) {
    const known = readStored(id);
    const control = select(id);
    if ([...control.options].some(({ value }) => value === known)) control.value = known ?? "";
    control.addEventListener("change", () => store(id, control.value));
  }
  const sound = byId<HTMLInputElement>("sound");
  sound.checked = readStored("sound") === "on";
  sound.addEventListener("change", () => store("sound", sound.checked ? "on" : null));
}

/** "simulations 200" or "level 3" as a limit; `seed` is of the move that a level draws. */
export function limitFrom(text: string, seed = Math.floor(Math.random() * 2 ** 32)): Limit {
  const [kind, count] = text.split(" ");
  if (kind === "level") return { kind, number: Number(count), seed };
  if (kind === "simulations" || kind === "seconds") return { kind, count: Number(count) };
  return { kind: "policy" };
}

/** Offer moves by the policy alone where there is one; else a little search in its place. */
export function offerPolicy(hasPolicy: boolean): void {
  const control = select("strength");
  const policy = [...control.options].find(({ value }) => value === "policy");
  if (policy) policy.disabled = !hasPolicy;
  if (!hasPolicy && control.value === policy?.value) control.value = "simulations 50";
}

export const limit = (): Limit => limitFrom(select("strength").value);

/** How strong the network is to play, as a record has it: "level 3", "simulations 200". */
export const strength = (): string => select("strength").value;

export const strengthText = (): string => select("strength").selectedOptions[0]?.textContent ?? "";

export const backend = (): BackendName | "auto" => select("backend").value as BackendName | "auto";

export const isHeatWanted = (): boolean => byId<HTMLInputElement>("heat").checked;

/** Whether chance says who begins. */
export const isDrawn = (): boolean => select("begins").value === "random";

/** Which player the person is in the next game, if any. */
export function human(random: () => number = Math.random): Human {
  if (select("begins").value === "watch") return NOBODY;
  if (isDrawn()) return random() < 0.5 ? 0 : 1;
  return select("begins").value === "you" ? 0 : 1;
}

/** The names of the settings that change nothing in what a network reads: the page or a record chooses them. */
export function settingsOffered(name: string): readonly string[] {
  const game = GAMES.get(name);
  if (!game) return [];
  const board = game.settingsOf(game.encoding.board);
  return game.settings.map((setting) => setting.name).filter((setting) => !(setting in board));
}

/** Have the controls say what a game is played by that goes on. */
export function showSettings({ rule }: Settings): void {
  if (rule !== undefined) byId<HTMLInputElement>("rule").checked = rule === "renju";
}

/** The settings of the next game that the page offers. */
export function settings(game: string): Settings {
  return settingsOffered(game).includes("rule")
    ? { rule: byId<HTMLInputElement>("rule").checked ? "renju" : "freestyle" }
    : {};
}
