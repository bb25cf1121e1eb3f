/** Where games come out of the library: an address, a record or an entry of the list becomes what is on the board. */

import type { Entry } from "../../bundle/Index";
import { RecordError } from "../../engine/records/Record";
import { type Said, say } from "../../texts/Speech";
import { complain } from "../dom/Complaint";
import { type GameRecord, humanOf, type Origin } from "../game/GameRecord";
import { isShared } from "../game/Session";
import { follow, goTo, newAddress } from "../library/Address";
import type { Library } from "../library/Library";
import { shelve, unshelve } from "../library/Shelving";
import { fits } from "../records/Settings";
import { whyNoRecord } from "../words/Words";
import type { Room, Wanted } from "./Room";

/** What the page shows. */
export type Place = "board" | "library" | "home" | "setup" | "puzzles";

/** What the desk asks of the page. */
export interface House {
  readonly room: Room;
  readonly library: Library;
  entries(): readonly Entry[];
  open(entry: Entry, wanted: Wanted): Promise<void>;
  /** Hears that an entry is on the board. */
  shows(id: string): void;
  /** Show this in place of what is shown. */
  go(place: Place): void;
  /** Show a position that is being set up, as the address tells it. */
  setUp(text: string): Promise<void>;
  /** Show the puzzles from one's own mistakes. */
  puzzle(): Promise<void>;
  /** Whether there are games to choose from where the address names none. */
  hasHome(): boolean;
  /** What is opened if there is nothing to choose from. */
  first(): Entry | undefined;
}

export class Desk {
  constructor(private readonly house: House) {}

  /** Show what the page's address names, unless it is shown already; false if this page does not have it. */
  async follow(): Promise<boolean> {
    const { house } = this;
    const { room, library } = house;
    const address = follow();
    const isHome = address.kind === "none" && house.hasHome();
    const { kind } = address;
    house.go(kind === "library" || kind === "setup" || kind === "puzzles" ? kind : isHome ? "home" : "board");
    if (kind === "setup") await house.setUp(address.text);
    if (kind === "puzzles") await house.puzzle();
    if (isHome || kind === "setup" || kind === "puzzles") return true;
    if (address.kind === "record") {
      const refused = await this.openRecord(address.text, "link");
      if (refused) complain(refused);
      return refused === null;
    }
    if (address.kind === "library") return room.entry !== null;
    if (address.kind === "game") {
      if (room.table?.now.identity.id === address.id) return true;
      const record = library.get(address.id);
      if (record) return this.show(record);
      complain(() => say("library_gone"));
      return false;
    }
    const entry = address.kind === "none" ? house.first() : this.bundle(address.bundle);
    if (!entry) return false;
    if (address.kind !== "new") {
      if (entry !== room.entry) await house.open(entry, "last");
      return true;
    }
    if (entry !== room.entry || !room.table) await house.open(entry, "new");
    else if (room.table.now.session.states.length > 1) room.table.restart();
    return true;
  }

  private bundle(name: string): Entry | undefined {
    return this.house.entries().find((entry) => entry.isKept && entry.name === name);
  }

  /** Put a record on the board, with the network that has played it, or one that could; false if it is damaged. */
  async show(record: GameRecord): Promise<boolean> {
    const { house } = this;
    const { room } = house;
    const shelved = unshelve(record);
    if (!shelved) {
      complain(() => say("library_damaged"));
      return false;
    }
    const { game, settings, bundle } = record;
    // Of a bundle that does not tell its board in the index the manifest does, once it is open.
    const mayPlay = (entry: Entry): boolean =>
      entry.game === game && entry.problems.length === 0 && (entry.settings === null || fits(settings, entry.settings));
    const own = house.entries().filter(({ name, isGiven }) => name === bundle?.name && isGiven === bundle.given);
    const now = room.entry && (!bundle || isShared(shelved.session)) ? [room.entry] : [];
    // Two people need no network: one comes where they want their game looked at.
    const isOfTwo = isShared(shelved.session);
    for (const entry of isOfTwo ? now : [...own, ...now, ...house.entries()]) {
      if (!mayPlay(entry)) continue;
      if (entry === room.entry && room.table?.plays(game, settings)) {
        room.table.lay(shelved);
        house.shows(record.id);
        return true;
      }
      const opening = house.open(entry, record);
      // Such an entry has no board until its network is loaded.
      if (!room.table) await opening;
      if (room.table?.now.identity.id === record.id) return true;
    }
    room.read(record);
    if (!isOfTwo) complain(() => whyNoRecord(new RecordError("record_no_network", null, game)));
    return true;
  }

  /** Show the game of a text as an entry of its own; returns why that is not possible, null if it is shown. */
  async openRecord(text: string, origin: Origin): Promise<Said | null> {
    const { room, library } = this.house;
    try {
      // What reads texts comes when there is one.
      const { readGame } = await import("../records/RecordGame");
      const recorded = readGame(text, room.table?.open ?? null, origin);
      const fresh = shelve(recorded, recorded.game.name, recorded.settings, null);
      const record = this.same(fresh) ?? fresh;
      if (!library.has(record.id)) library.keep(record);
      await this.show(record);
      return null;
    } catch (error) {
      if (error instanceof RecordError) return () => whyNoRecord(error);
      throw error;
    }
  }

  /** The entry of a record that was opened before. */
  private same({ actions, told, settings, human, game }: GameRecord): GameRecord | undefined {
    const what = JSON.stringify([game, human, settings, actions, told]);
    return this.house.library
      .list()
      .filter((each) => !isShared({ human: humanOf(each) }))
      .find((each) => JSON.stringify([each.game, each.human, each.settings, each.actions, each.told]) === what);
  }

  /** Begin a new game; the present one stays in the library. */
  beginAnew(): void {
    const { entry, table } = this.house.room;
    if (!entry || !table) return;
    this.house.go("board");
    goTo(entry.isKept ? newAddress(entry.name) : "", true);
    complain(null);
    table.restart();
  }
}
