/** The controls beside the board: what they are set to. */

import type { Settings, Value } from "../../engine/Game";
import { GAMES } from "../../engine/known/Catalogue";
import { say } from "../../texts/Speech";
import type { BackendName, Limit } from "../../worker/Messages";
import { byId, element } from "../dom/Dom";
import { readStored, rememberSwitch, store } from "../dom/Storage";
import { type Human, NOBODY } from "../game/Session";
import { levelText } from "../words/Words";

const REMEMBERED = ["strength", "begins", "komi", "backend", "language", "theme", "pace"];

/** The radio buttons of a choice. */
const radios = (id: string): readonly HTMLInputElement[] => [...byId(id).querySelectorAll<HTMLInputElement>("input")];

/** What is chosen. */
export const chosen = (id: string): string => radios(id).find(({ checked }) => checked)?.value ?? "";

/** Choose what has this value, where it is offered. */
export function choose(id: string, value: string | null): void {
  const button = radios(id).find((each) => each.value === value);
  if (button) button.checked = true;
}

/** Set the controls as they were left, and remember what they are set to. */
export function remember(): void {
  for (const id of REMEMBERED) {
    choose(id, readStored(id));
    byId(id).addEventListener("change", () => store(id, chosen(id)));
  }
  for (const id of ["sound", "full", "expert"]) rememberSwitch(byId<HTMLInputElement>(id));
}

/** "simulations 200" or "level 3" as a limit; `seed` is of the move that a level draws. */
export function limitFrom(text: string, seed = Math.floor(Math.random() * 2 ** 32)): Limit {
  const [kind, count] = text.split(" ");
  if (kind === "level") return { kind, number: Number(count), seed };
  if (kind === "simulations" || kind === "seconds") return { kind, count: Number(count) };
  return { kind: "policy" };
}

/** Offer moves by the policy alone if there is one; else a little search in its place. */
export function offerPolicy(hasPolicy: boolean): void {
  const policy = radios("strength").find(({ value }) => value === "policy");
  if (policy) policy.disabled = !hasPolicy;
  if (!hasPolicy && policy?.checked) choose("strength", "simulations 50");
}

export const limit = (): Limit => limitFrom(strength());

/** How strong the network is to play, as a record has it: "level 3", "simulations 200". */
export const strength = (): string => chosen("strength");

export const strengthText = (): string => levelText(strength());

export const backend = (): BackendName | "auto" => chosen("backend") as BackendName | "auto";

/** Whether TF.js is to play in full precision where a smaller network would come. */
export const isFull = (): boolean => byId<HTMLInputElement>("full").checked;

export const isHeatWanted = (): boolean => byId<HTMLInputElement>("heat").checked;

/** Whether moves are to be heard, or felt: a switch for that is there where the device can. */
export const isWanted = (effect: "sound" | "vibration"): boolean =>
  document.querySelector(`#${effect}:checked`) !== null;

/** Whether chance says who begins. */
export const isDrawn = (): boolean => ["random", "both"].includes(chosen("begins"));

/** Which player the person is in the next game, if any. */
export function human(random: () => number = Math.random): Human {
  if (chosen("begins") === "watch") return NOBODY;
  if (isDrawn()) return random() < 0.5 ? 0 : 1;
  return chosen("begins") === "you" ? 0 : 1;
}

/** The names of the settings that do not change what a network reads: the page or a record chooses them. */
export function settingsOffered(name: string): readonly string[] {
  const game = GAMES.get(name);
  if (!game) return [];
  const board = game.settingsOf(game.encoding.board);
  return game.settings.map((setting) => setting.name).filter((setting) => !(setting in board));
}

/** The rules that a game may be played by, the usual one first; none where there is but one. */
export const rulesOf = (name: string): readonly Value[] =>
  GAMES.get(name)?.settings.find((setting) => setting.name === "rule")?.choices ?? [];

/** Those that a person has chosen for the next games, by the games' names. */
const rules = new Map<string, Value>();

/** That of the network that is open, where its manifest has one. */
let ownRule: Value | undefined;

const ruleOf = (game: string): Value | undefined => rules.get(game) ?? ownRule ?? rulesOf(game)[0];

/** Have the games of a network played by the rule that its manifest has, unless a person chooses another. */
export function offerRule(game: string, own?: Value): void {
  ownRule = own;
  if (own !== undefined) rules.delete(game);
}

const ruleBox = (): HTMLInputElement => byId<HTMLInputElement>("rule");

/** Tick the rule of a game that is not its usual one, where its next game is played by it. */
export function showRule(game: string): void {
  ruleBox().checked = ruleOf(game) !== rulesOf(game)[0];
}

/** Have the next game of this name played by the rule that is ticked. */
export function chooseRule(game: string): void {
  const chosen = rulesOf(game)[ruleBox().checked ? 1 : 0];
  if (chosen !== undefined) rules.set(game, chosen);
}

/** Whether a game has points that white gets for moving second. */
export const hasKomi = (name: string): boolean => settingsOffered(name).includes("komi");

const KOMIS = [0.5, 5.5, 6.5, 7.5];
const USUAL_KOMI = 7.5;

/** Offer komis, and the network's own where its manifest has one: its games have that unless a person chooses another. */
export function offerKomi(own?: Value): void {
  const box = byId("komi");
  const all = new Set([...KOMIS, Number(own ?? USUAL_KOMI)]);
  const labels = [...all]
    .sort((one, two) => one - two)
    .map((value) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name: "komi", value }),
        `${value}`,
        value === own ? element("small", { "data-text": "komi_own" }, say("komi_own")) : "",
      ),
    );
  box.replaceChildren(box.firstElementChild ?? "", ...labels);
  for (const each of [USUAL_KOMI, readStored("komi"), own]) choose("komi", `${each}`);
}

/** Set the controls to the settings of a game that goes on. */
export function showSettings(game: string, { rule, komi }: Settings): void {
  if (rule !== undefined) {
    rules.set(game, rule);
    showRule(game);
  }
  if (komi !== undefined) choose("komi", String(komi));
}

/** The settings of the next game that the page offers. */
export function settings(game: string): Settings {
  if (hasKomi(game)) return { komi: Number(chosen("komi")) };
  const rule = ruleOf(game);
  return rule === undefined ? {} : { rule };
}
