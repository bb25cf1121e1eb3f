/** What the sheet for a new game offers two people: the board, their names, a clock, and how moves are taken back. */

import { type Game, read, type Settings, type Value } from "../../engine/Game";
import { byName } from "../../engine/known/Recognition";
import { count, type Said, say } from "../../texts/Speech";
import { presentationOf } from "../boards/Presentation";
import * as controls from "../choices/Controls";
import { byId, element } from "../dom/Dom";
import { radios } from "../dom/Radios";
import { readMembers, readStored, store } from "../dom/Storage";
import "texts:people";
import "./people.css";

/** What two people have agreed on. */
export interface Agreement {
  readonly settings: Settings;
  /** Of players 0 and 1; empty if one gives none. */
  readonly names: readonly [string, string];
  /** Seconds at the beginning of the game, and after each move; null without a clock. */
  readonly time: readonly [number, number] | null;
  readonly isUndoAsked: boolean;
}

const SIZES: Readonly<Record<string, Said>> = {
  size: () => say("board_size"),
  rows: () => say("board_rows"),
  columns: () => say("board_columns"),
};
const MINUTES = [1, 3, 5, 10, 20, 60];
const SECONDS = [2, 5, 10, 30];
/** What a name may have of letters. */
const LONGEST = 40;
const PREFIX = "people";

const part = element("div", { id: "people-choice", hidden: true });

/** Offer what fits a game, as it was chosen last; `open` are the settings of the board that is there. */
export function offer(name: string, open: Settings): void {
  if (!part.isConnected) byId("begins").after(part);
  const game = byName(name);
  const { pieces } = presentationOf(name);
  // The board that was chosen last, else the one that is there.
  const left = { ...open, ...(readMembers(`${PREFIX} board ${name}`) as Settings) };
  part.replaceChildren(
    ...sizesOf(game, left),
    element(
      "div",
      { class: "names" },
      ...pieces.map((piece, player) => {
        const id = `name-${player}`;
        const field = element("input", { id, maxlength: LONGEST, autocomplete: "off", placeholder: say(piece) });
        field.value = readStored(`${PREFIX} ${id}`) ?? "";
        const label = say("people_name", say(piece));
        return element("label", { for: id }, element("span", {}, label), field);
      }),
    ),
    lastChosen("undo-kind", say("people_undo"), [
      ["free", say("people_undo_free")],
      ["asked", say("people_undo_asked")],
    ]),
    lastChosen("minutes", say("clock"), [
      ["0", say("clock_none")],
      ...MINUTES.map((each) => [String(each), count("clock_minutes", each)] as const),
    ]),
    lastChosen("increment", say("clock_increment"), [
      ["0", say("clock_none")],
      ...SECONDS.map((each) => [String(each), count("strength_seconds", each)] as const),
    ]),
  );
  part.onchange = lay;
  lay();
}

/** What is offered to two people counts where they play, and how strong a network is where one does. */
export function lay(): void {
  const isOffered = controls.chosen("begins") === "both" && part.hasChildNodes();
  part.hidden = !isOffered;
  if (isOffered) byId("increment").hidden = controls.chosen("minutes") === "0";
}

/** What is chosen, which is remembered. */
export function take(name: string): Agreement {
  const board = boardChosen(byName(name));
  const names = [0, 1].map((player) => byId<HTMLInputElement>(`name-${player}`).value.trim().slice(0, LONGEST));
  const [minutes, increment] = ["minutes", "increment"].map((id) => Number(controls.chosen(id))) as [number, number];
  store(`${PREFIX} board ${name}`, JSON.stringify(board));
  for (const [player, each] of names.entries()) store(`${PREFIX} name-${player}`, each || null);
  for (const id of ["undo-kind", "minutes", "increment"]) store(`${PREFIX} ${id}`, controls.chosen(id));
  return {
    settings: { ...board, ...controls.settings(name) },
    names: names as [string, string],
    time: minutes ? [60 * minutes, increment] : null,
    isUndoAsked: controls.chosen("undo-kind") === "asked",
  };
}

/** The choices of a game's board; `left` is what is chosen. */
export const sizesOf = (game: Game, left: Settings, prefix = "board"): readonly HTMLElement[] =>
  game.settings.filter(({ name }) => name in SIZES).map((setting) => sizes(setting, left[setting.name], prefix));

/** What of them is chosen. */
export const boardChosen = (game: Game, prefix = "board"): Settings =>
  Object.fromEntries(
    game.settings.flatMap((setting) =>
      setting.name in SIZES
        ? [[setting.name, read(setting, controls.chosen(`${prefix}-${setting.name}`))] as const]
        : [],
    ),
  );

/** What was chosen last is again. */
const lastChosen = (id: string, title: string, options: Parameters<typeof radios>[2]): HTMLElement =>
  radios(id, title, options, readStored(`${PREFIX} ${id}`));

function sizes(
  { name, choices, default: usual }: Game["settings"][number],
  kept: Value | undefined,
  prefix: string,
): HTMLElement {
  const chosen = kept !== undefined && choices.includes(kept) ? kept : usual;
  const options = choices.map((each) => [String(each), name === "size" ? `${each} × ${each}` : String(each)] as const);
  return radios(`${prefix}-${name}`, SIZES[name]?.() ?? name, options, String(chosen));
}
