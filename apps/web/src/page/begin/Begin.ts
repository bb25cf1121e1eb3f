/** How games begin: what the sheet offers for one, and what happens once it is chosen. */

import * as controls from "../choices/Controls";
import { askedGame, askForNewGame, connectNewGame, showStrength } from "../choices/NewGame";
import { byId } from "../dom/Dom";
import { type GameRecord, newIdentity } from "../game/GameRecord";
import * as sessions from "../game/Session";
import { goTo, newAddress } from "../library/Address";
import type { House } from "../room/House";
import type { Arena } from "../series/Arena";
import type { Table } from "../table/Table";

export class Begin {
  /** Where networks play each other, once somebody has wanted that, or looks at a game of a series. */
  private arena: Arena | null = null;
  /** What the sheet offers two people, once somebody has wanted that. */
  private people: Promise<typeof import("../people/Choice")> | null = null;

  constructor(private readonly house: House) {}

  connect(): void {
    byId("new").addEventListener("click", () => {
      const game = this.house.room.table?.open.game;
      if (game === undefined) return;
      askForNewGame(game, !this.house.entries().some((each) => each.game === game && each.problems.length === 0));
      void this.offer();
    });
    byId("begins").addEventListener("change", () => void this.offer());
    connectNewGame(() => void this.begin());
  }

  /** Ask two people how they want to play a game, whatever is open. */
  askPeople(game: string): void {
    controls.offerKomi();
    controls.offerRule(game);
    askForNewGame(game, true);
    void this.offer();
  }

  /** Put a game there that begins now: two people's, or one from a position that was set up. */
  async show(record: GameRecord): Promise<void> {
    const { library, desk } = this.house;
    this.house.clear();
    library.keep(record);
    await desk.show(record);
  }

  /** The same two again with the sides changed, or the same person against the network. */
  async again(table: Table): Promise<void> {
    const { entry } = this.house.room;
    if (!sessions.isShared(table.now.session)) {
      if (entry) goTo(entry.isKept ? newAddress(entry.name) : "", true);
      table.swapSides();
      return;
    }
    const { rematch } = await import("../people/People");
    table.lay({ ...table.now, session: rematch(table.now.session), identity: newIdentity("played") });
    table.stage.keep(true);
  }

  /** Tell the series about the game on the board, if it belongs to one. */
  lookAtSeries(): void {
    if (this.arena) this.arena.look();
    else if (this.house.room.table?.now.identity.series) void this.findArena().then((found) => found.look());
  }

  private async findArena(): Promise<Arena> {
    const { Arena } = await import("../series/Arena");
    this.arena ??= new Arena(this.house);
    return this.arena;
  }

  /** What the sheet offers where networks play each other, or two people, comes when that is chosen. */
  private async offer(): Promise<void> {
    const { entry, table } = this.house.room;
    const how = controls.chosen("begins");
    showStrength();
    if (how === "watch" && entry) (await this.findArena()).offer();
    this.people ??= how === "both" ? import("../people/Choice") : null;
    const choice = await this.people;
    if (how === "both") choice?.offer(askedGame(), table?.open.game === askedGame() ? table.open.settings : {});
    choice?.lay();
  }

  /** Begin what the sheet says. */
  private async begin(): Promise<void> {
    const { room, desk, entries } = this.house;
    const game = askedGame();
    if (controls.chosen("begins") === "both") {
      const coming = [this.people ?? import("../people/Choice"), import("../people/People")] as const;
      const [choice, { newRecord }] = await Promise.all(coming);
      await this.show(newRecord(game, choice.take(game)));
      return;
    }
    const playing = entries().find((each) => each.game === game && each.isKept && each.problems.length === 0);
    if (!room.entry && playing) {
      goTo(newAddress(playing.name), true);
      await desk.follow();
      return;
    }
    if (controls.chosen("begins") === "watch") {
      // Where it does not come the network that is open plays alone.
      if (!this.arena) await this.offer().catch(() => undefined);
      if (this.arena?.begin()) return;
    }
    desk.beginAnew();
  }
}
