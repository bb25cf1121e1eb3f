/** What the page shows in place of a board: the games to choose from, all games, a position that is set up, puzzles. */

import type { Entry } from "../../bundle/Index";
import type { Settings } from "../../engine/Game";
import type { Begin } from "../begin/Begin";
import { byId } from "../dom/Dom";
import * as sessions from "../game/Session";
import { gameAddress, goTo, LIBRARY_ADDRESS, setUpAddress } from "../library/Address";
import type { LibraryView } from "../library/list/LibraryView";
import { plays } from "../records/Settings";
import type { Place } from "../room/Desk";
import type { House } from "../room/House";
import { shown } from "../sitting/Sitting";

/** What it asks of the page, and of what begins games. */
type Acts = House & { readonly begin: Begin };

export class Places {
  now: Place = "board";
  /** It comes beside the list of bundles where it is what a visit begins with. */
  private home = location.hash ? null : import("../home/Home");
  /** The list of all games, once somebody has wanted it. */
  private list: Promise<LibraryView> | null = null;

  constructor(private readonly house: Acts) {}

  connect(): void {
    const { room, desk } = this.house;
    byId("to-library").addEventListener("click", () => {
      if (this.now !== "library") goTo(LIBRARY_ADDRESS, true);
      else goTo(room.table ? gameAddress(room.table.now.identity.id) : "", true);
      void desk.follow();
    });
  }

  /** Show this in place of what is shown. */
  show(wanted: Place): void {
    const { room, ahead, library } = this.house;
    if (wanted !== this.now) {
      this.now = wanted;
      byId("library").hidden = wanted !== "library";
      document.body.classList.toggle("away", wanted !== "board");
      document.body.classList.toggle("in-home", wanted === "home");
      document.body.dataset.place = wanted;
      byId("to-library").setAttribute("aria-pressed", String(wanted === "library"));
      room.table?.opponent.attend(wanted === "board");
      room.tellTitle();
      if (wanted === "library")
        this.list ??= import("../library/list/LibraryView").then(({ LibraryView }) => new LibraryView(library));
      this.refresh();
    }
    if (wanted !== "home") return;
    // Nothing is on its way here.
    if (!room.entry) ahead.resume();
    void this.tellHome();
  }

  /** The library has changed. */
  refresh(): void {
    void this.list?.then((each) => each.refresh());
  }

  /** Show the games to choose from again, if they are shown. */
  async tellHome(): Promise<void> {
    if (this.now !== "home") return;
    const { entries, library, begin } = this.house;
    this.home ??= import("../home/Home");
    const { showHome } = await this.home;
    byId("starting").hidden = true;
    showHome(entries(), library.list(), (game) => begin.askPeople(game));
  }

  /** Show a position that is being set up. */
  async setUp(text: string): Promise<void> {
    const { room, ahead, begin } = this.house;
    const { showSetUp } = await import("../setup/SetUpView");
    byId("starting").hidden = true;
    if (!room.entry) ahead.resume();
    showSetUp(text, { playing: (game, board) => this.playing(game, board), begin: (record) => begin.show(record) });
  }

  /** Set up a position that begins as the one that is shown. */
  async setUpFrom(): Promise<void> {
    const { room, desk } = this.house;
    const { now, open: board } = room.table ?? {};
    if (!now || !board) return;
    const { sketchOf, textOf } = await import("../setup/Sketch");
    goTo(setUpAddress(textOf(sketchOf(board.game, board.settings, sessions.visible(shown(now))))), true);
    await desk.follow();
  }

  /** Show the puzzles from one's own mistakes. */
  async puzzle(): Promise<void> {
    const { room, desk, library, clear } = this.house;
    const { showPuzzles } = await import("../puzzles/PuzzleView");
    byId("starting").hidden = true;
    await showPuzzles({
      records: () => library.list(),
      isPlayed: ({ game, settings }) => this.playing(game, settings) !== null,
      solve: (wanted) => void import("../puzzles/Solving").then(({ solve }) => solve(wanted, room, desk, clear)),
    });
  }

  /** A bundle that plays a game on the board of these settings. */
  private playing(game: string, board: Settings): Entry | null {
    return this.house.entries().find((entry) => plays(entry, game, board)) ?? null;
  }
}
