/** A series of games between two networks: each is a game of the table like any other, and an entry of the library. */

import type { Entry } from "../../bundle/Index";
import type { Settings } from "../../engine/Game";
import type { Advice } from "../../worker/Messages";
import * as controls from "../Controls";
import { newIdentity, type Side, type Sides } from "../library/GameRecord";
import type { Room } from "../Room";
import type { Session } from "../Session";
import * as sessions from "../Session";
import type { Table } from "../Table";
import { pace } from "../table/WatchBar";
import { drawOpening } from "./Opening";
import { byPlayer, countIn, NOTHING_PLAYED, playedIn, pliesOf, type Round, roundsOf, sideAt } from "./Plan";
import { Scoreboard } from "./Scoreboard";

/** What a series asks of the page. */
export interface House {
  readonly room: Room;
  entries(): readonly Entry[];
  /** Let another network play on the board that is there, in place of the one that is open. */
  replace(entry: Entry): Promise<void>;
  /** Leave the list of all games, and whatever is complained of. */
  clear(): void;
}

/** How long the end of a game is looked at, as often as a move of it. */
const LOOKS = 3;
const MILLISECONDS = 250;

export class Series {
  private readonly rounds: readonly Round[];
  private readonly board: Scoreboard;
  /** Those that were chosen for all of its games. */
  private readonly settings: Settings;
  private readonly openings: Session[] = [];
  private readonly known = new Set<string>();
  private tally = NOTHING_PLAYED;
  /** The game that was laid out last; null before the first one. */
  private id: string | null = null;
  private isPlaying = false;
  private isOver = false;
  private isLeft = false;

  constructor(
    private readonly house: House,
    private readonly sides: Sides,
    count: number,
  ) {
    this.rounds = roundsOf(count);
    this.board = new Scoreboard(() => this.stop());
    this.settings = controls.settings(house.room.table?.open.game ?? "");
  }

  async begin(): Promise<void> {
    const { room } = this.house;
    this.house.clear();
    const isOpen = ({ bundle }: Side): boolean => bundle?.name === room.entry?.name;
    const host = this.house.entries().find(({ name }) => name === this.sides[0].bundle?.name);
    if (!this.sides.some(isOpen) && host) await this.house.replace(host);
    await this.next();
  }

  /** The game on the board has changed: it may be over, or another one. */
  look(): void {
    const { id, table } = this;
    if (id === null) return;
    if (table?.sitting.identity.id !== id) this.leave();
    else if (this.isPlaying && sessions.phase(table.sitting.session) === "over") void this.count(table);
  }

  /** End with what was played until now: the game that is under way stays as it is, and is not counted. */
  stop(): void {
    this.isOver = true;
    if (this.isPlaying) this.table?.opponent.pause(true);
    this.isPlaying = false;
    this.tell();
  }

  /** The board is another game's: nothing is said of the series any more. */
  leave(): void {
    // Another series may have the place beside the board by now.
    if (!this.isLeft) this.board.hide();
    [this.isLeft, this.isOver, this.isPlaying, this.id] = [true, true, false, null];
  }

  private get table(): Table | null {
    return this.house.room.table;
  }

  private async count(table: Table): Promise<void> {
    this.isPlaying = false;
    const round = this.rounds[playedIn(this.tally)] as Round;
    this.tally = countIn(this.tally, round, sessions.winner(table.sitting.session));
    this.isOver = playedIn(this.tally) === this.rounds.length;
    // The table shows its game once it has told of it.
    await Promise.resolve();
    this.tell();
    this.tellWins(table, round);
    const isHere = (): boolean => this.id !== null && this.table === table;
    await rest(LOOKS * pace());
    // Who looks back at the game, or is not there, is waited for.
    while (!this.isOver && isHere() && (table.sitting.isReplay || document.hidden || isAway()))
      await rest(MILLISECONDS);
    if (isHere()) await this.next();
    else this.leave();
  }

  /** Lay out the next game, its opening played, and let it go. */
  private async next(): Promise<void> {
    const { table } = this;
    const round = this.rounds[playedIn(this.tally)];
    if (!table || !round || this.isOver) return;
    const { sitting } = table;
    const before = sitting.identity.id;
    this.tell();
    const session = await sitting.ask(() => this.opening(table, round));
    // A person may have stopped it meanwhile, or gone elsewhere.
    if (this.isOver) return;
    if (this.table !== table || sitting.identity.id !== before) this.leave();
    else if (!session) this.stop();
    else this.lay(table, round, session);
  }

  private lay(table: Table, round: Round, session: Session): void {
    const { settings } = this;
    const identity = { ...newIdentity("watched"), sides: this.players(round) };
    [this.id, this.isPlaying] = [identity.id, true];
    table.lay({ session, settings, identity });
    table.sitting.keep();
    table.opponent.pause(false);
    this.tell();
    this.tellWins(table, round);
  }

  /** The opening of a round, as the networks would play it: drawn for the first of two games, and there for the other. */
  private async opening({ sitting }: Table, round: Round): Promise<Session> {
    const { game, start, settings: own, seat, client } = sitting.setup;
    const begun = start(this.settings);
    if (round.opening === null) return sessions.beginSession(begun, sessions.NOBODY);
    const there = this.openings[round.opening];
    if (there) return there;
    const players = this.players(round);
    const ask = async (session: Session): Promise<Advice["policy"]> => {
      const side = players[sessions.latest(session).toMove];
      await seat(side);
      const position = { settings: { ...own, ...this.settings }, actions: sessions.actions(session) };
      return (await client.ask("advise", { position, by: side.bundle?.name })).policy;
    };
    const drawn = await drawOpening(begun, pliesOf(game), ask, this.known);
    this.openings[round.opening] = drawn;
    return drawn;
  }

  private players({ first }: Round): Sides {
    return [this.sides[sideAt(first, 0)], this.sides[sideAt(first, 1)]];
  }

  private tell(): void {
    if (this.rounds.length === 1) return;
    const { tally, isOver, isPlaying, rounds } = this;
    const game = this.table?.open.game ?? "";
    this.board.show({ sides: this.sides, game, tally, isOver, isPlaying, count: rounds.length });
  }

  /** Have the bars say what each player has won. */
  private tellWins({ sitting }: Table, round: Round): void {
    if (this.rounds.length === 1) return;
    sitting.wins = byPlayer(this.tally, round);
    sitting.show();
  }
}

/** Whether something else is shown than the board. */
const isAway = (): boolean => document.body.classList.contains("away");

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
