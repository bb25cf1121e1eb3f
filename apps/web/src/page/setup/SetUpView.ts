/** Where a person sets up a position: its board, what a press puts, who moves, and how the game goes on from there. */

import type { Entry } from "../../bundle/Index";
import type { Settings } from "../../engine/Game";
import { GAMES } from "../../engine/known/Catalogue";
import { byName } from "../../engine/known/Recognition";
import { sketched, type Why } from "../../engine/records/Placing";
import type { Player } from "../../engine/State";
import { say, sayBy } from "../../texts/Speech";
import type { Board } from "../boards/Board";
import { presentationOf } from "../boards/Presentation";
import * as controls from "../choices/Controls";
import { button, byId, element, put, set } from "../dom/Dom";
import { radios } from "../dom/Radios";
import { type GameRecord, newIdentity } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { goTo, setUpAddress } from "../library/Address";
import { shelve } from "../library/Shelving";
import { boardChosen, sizesOf } from "../people/Choice";
import { saveFile, shareLink } from "../records/Sharing";
import { capital, clauseOfRefusal, notPossible } from "../words/Words";
import type { Sketch } from "./Sketch";
import * as sketches from "./Sketch";
import "texts:setup";
import "./setup.css";

/** What the view asks of the page. */
export interface Acts {
  /** The bundle that plays a game on the board of these settings. */
  playing(game: string, settings: Settings): Entry | null;
  begin(record: GameRecord): Promise<void>;
}

const part = element("section", { id: "setup", "aria-labelledby": "setup-title" });
let now = sketches.sketch("go");
let acts: Acts | null = null;
let board: Board | null = null;
/** The board that is there, as one text; it stays while pieces come and go. */
let there = "";

/** Show the position that a text of the address tells; the first one of Go where it tells none. */
export function showSetUp(text: string, asked: Acts): void {
  acts = asked;
  const read = sketches.readSketch(text) ?? sketches.sketch("go");
  now = { ...read, tool: now.game === read.game ? now.tool : 0 };
  there = "";
  if (!part.isConnected) byId("play").before(part);
  show();
}

/** Let something happen to the sketch, which the address has from then on. */
function change(next: Sketch): void {
  now = next;
  goTo(setUpAddress(sketches.textOf(now)), false);
  show();
}

function show(): void {
  const { game, settings } = now;
  const start = sketches.startOf(now);
  const kind = JSON.stringify([game, settings, say("set_up")]);
  if (kind !== there) lay(kind);
  board?.show({ state: sketched(start, now), human: sessions.READER, last: null, heat: null, canPlay: true });
  // Here a press on what is taken does something, too.
  for (const each of part.querySelectorAll("#setup-board [aria-disabled]")) set(each, { "aria-disabled": "false" });
  for (const [id, value] of [
    ["setup-tool", String(now.tool)],
    ["setup-mover", String(now.toMove)],
  ] as const)
    controls.choose(id, value);
  const placed = sketches.placedOf(now);
  put(byId("setup-why"), "why" in placed ? sentenceOf(placed.why) : "");
  for (const id of ["setup-play", "setup-share", "setup-save"]) byId<HTMLButtonElement>(id).disabled = "why" in placed;
}

/** Everything anew, for another board. */
function lay(kind: string): void {
  there = kind;
  const { game, settings } = now;
  const start = sketches.startOf(now);
  const presentation = presentationOf(game);
  const [first, second] = presentation.pieces.map((piece) => say(piece)) as [string, string];
  board = presentation.board(start, (action) => change(sketches.press(now, action)));
  const place = element("div", { id: "setup-board" }, board.element);
  const games = [...GAMES.keys()].map((each) => [each, sayBy(`game_${each}`)] as const);
  const isPlayed = acts?.playing(game, settings) ?? null;
  const named = `${say("set_up")}: ${sayBy(`game_${game}`)}`;
  const again = (): void => change({ ...sketches.sketch(game, settings), tool: now.tool });
  const aside = element(
    "div",
    { id: "setup-controls" },
    element("h2", { id: "setup-title" }, named),
    radios("setup-tool", say("setup_piece"), [
      ["0", first],
      ["1", second],
      ["null", say("setup_take")],
    ]),
    radios("setup-mover", say("setup_mover"), [
      ["0", first],
      ["1", second],
    ]),
    element(
      "div",
      { class: "row" },
      button({ id: "setup-first" }, again, say("setup_again")),
      button({ id: "setup-clear" }, () => change(sketches.clear(now)), say("setup_clear")),
    ),
    element("p", { id: "setup-why", role: "status" }),
    radios("setup-against", say("setup_against"), [
      ...(isPlayed ? [["network", say("setup_network")] as const] : []),
      ["people", say("people_here")],
    ]),
    button({ id: "setup-play", class: "primary" }, play, say("setup_play")),
    element(
      "div",
      { class: "row" },
      button({ id: "setup-share" }, () => shareLink(written(), byId("setup-done")), say("share_game")),
      button({ id: "setup-save" }, () => saveFile(written().game), say("save_game")),
    ),
    element("p", { id: "setup-done", role: "status" }),
    radios("setup-game", say("games"), games, game),
    ...sizesOf(byName(game), settings, "sketch"),
  );
  aside.onchange = hear;
  const had = document.activeElement?.id;
  part.replaceChildren(place, aside);
  if (had) document.getElementById(had)?.focus();
}

function hear({ target }: Event): void {
  const { name, value } = target as HTMLInputElement;
  if (name === "setup-tool") change(sketches.pick(now, value === "null" ? null : (Number(value) as Player)));
  else if (name === "setup-mover") change(sketches.turn(now, Number(value) as Player));
  else if (name === "setup-game") change(sketches.sketch(value));
  else if (name.startsWith("sketch-"))
    change({
      ...sketches.sketch(now.game, { ...now.settings, ...boardChosen(byName(now.game), "sketch") }),
      tool: now.tool,
    });
}

/** Why a position cannot stand, in the rules' own words. */
function sentenceOf(why: Why): string {
  const { pieces } = presentationOf(now.game);
  if (why.kind === "rule") return notPossible(why.refusal);
  if (why.kind === "liberty")
    return say("setup_no_liberty", board?.nameOf(why.at) ?? clauseOfRefusal({ code: "suicide", move: null }));
  if (why.kind === "unreached") return say("setup_no_way");
  return say("setup_turn", capital(say(pieces[0])), say(pieces[now.toMove]), ...why.counts);
}

async function play(): Promise<void> {
  const { game, toMove } = now;
  const settings = sketches.settingsOf(now);
  const entry = controls.chosen("setup-against") === "network" ? (acts?.playing(game, settings) ?? null) : null;
  const shelved = {
    session: sketches.beginFrom(now, entry ? toMove : sessions.BOTH),
    settings,
    identity: newIdentity("played"),
  };
  await acts?.begin(shelve(shelved, game, settings, entry));
}

/** What is handed on. */
function written(): Parameters<typeof shareLink>[0] {
  const { game } = now;
  const settings = sketches.settingsOf(now);
  const { states, setUp = 0 } = sketches.beginFrom(now, sessions.BOTH);
  const bundle = acts?.playing(game, settings)?.name ?? game;
  return { bundle, game: { game: byName(game), settings, states, setUp } };
}
