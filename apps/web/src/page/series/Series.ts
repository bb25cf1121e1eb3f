/**
 * A series of games between two networks: each is a game of the table like any other, and an entry of the library. What
 * was played is read from there, so that a series can be resumed, on a later visit too.
 */

import type { Settings } from "../../engine/Game";
import { chance } from "../../engine/Levels";
import type { State } from "../../engine/State";
import { say } from "../../texts/Speech";
import type { Advice } from "../../worker/Messages";
import { pace } from "../display/WatchBar";
import { complain } from "../dom/Complaint";
import { newIdentity, replay, type SeriesPlace, type Side, type Sides } from "../game/GameRecord";
import type { Session } from "../game/Session";
import * as sessions from "../game/Session";
import { unshelve } from "../library/Shelving";
import type { House } from "../room/House";
import type { ShelvedGame } from "../sitting/Sitting";
import type { Table } from "../table/Table";
import { gamesOf, type SeriesGames } from "./Games";
import { hold } from "./Hold";
import { drawOpening } from "./Opening";
import { pliesOf, type Round, roundsOf, sideAt } from "./Plan";

/** What all games of a series have in common. */
export interface SeriesPlan extends Pick<SeriesPlace, "id" | "count" | "seed"> {
  readonly sides: Sides;
  /** Those that were chosen for all of its games. */
  readonly settings: Settings;
}

/** How long the end of a game is looked at, as often as a move of it. */
const LOOKS = 3;
const MILLISECONDS = 250;

export class Series {
  private readonly rounds: readonly Round[];
  /** The games that were there when it was begun or resumed. */
  private found = new Set<string>();
  /** The game that was laid out last; null before the first one. */
  private id: string | null = null;
  /** Whether a game is played that the tally does not have yet. */
  isPlaying = false;
  /** Whether nothing more is laid out: all was played, it was stopped, or the board is another game's. */
  isOver = false;
  private release = (): void => undefined;

  constructor(
    private readonly house: House,
    readonly plan: SeriesPlan,
    /** Shows beside the board how far the series is. */
    private readonly tell: () => void,
  ) {
    this.rounds = roundsOf(plan.count);
  }

  /** Play on from the first game that has not ended; false if another tab plays this series. */
  async begin(): Promise<boolean> {
    const release = await hold(this.plan.id);
    if (!release) {
      this.isOver = true;
      return false;
    }
    this.release = release;
    this.found = new Set([...this.games.games.values()].map(({ id }) => id));
    const { room } = this.house;
    const { sides } = this.plan;
    this.house.clear();
    const isOpen = ({ bundle }: Side): boolean => bundle?.name === room.entry?.name;
    const host = this.house.entries().find(({ name }) => name === sides[0].bundle?.name);
    if (!sides.some(isOpen) && host) await this.house.replace(host);
    await this.next();
    return true;
  }

  /** The game on the board has changed: it may be over, or another one. */
  look(): void {
    const { id, table } = this;
    if (id === null || this.isOver) return;
    if (table?.now.identity.id !== id) this.end();
    else if (this.isPlaying && sessions.phase(table.now.session) === "over") void this.count(table);
  }

  /** Leave it with what was played until now: the game that is under way stays as it is, and stands still. */
  stop(): void {
    if (this.isPlaying) this.table?.opponent.pause(true);
    this.end();
  }

  /** Lay out nothing more. */
  end(): void {
    [this.isOver, this.isPlaying] = [true, false];
    this.release();
    this.tell();
  }

  private get table(): Table | null {
    return this.house.room.table;
  }

  private get games(): SeriesGames {
    return gamesOf(this.house.library.list(), this.plan);
  }

  private async count(table: Table): Promise<void> {
    this.isPlaying = false;
    // The table tells of its game before it shows it.
    await Promise.resolve();
    this.tell();
    if (this.games.next === null) {
      this.end();
      return;
    }
    const isHere = (): boolean => !this.isOver && this.table === table && table.now.identity.id === this.id;
    await rest(LOOKS * pace());
    // Wait for a person who looks back at the game, or is away.
    while (isHere() && (table.now.isReplay || document.hidden || isAway())) await rest(MILLISECONDS);
    if (isHere()) await this.next();
    else if (!this.isOver) this.end();
  }

  /** Lay out the next game after its opening, and let it go; or resume the game that was left. */
  private async next(): Promise<void> {
    const { table, games } = this;
    if (!table || games.next === null || this.isOver) return;
    const round = this.rounds[games.next] as Round;
    const there = games.games.get(games.next);
    // Another tab may have begun it, where nothing kept it from that.
    if (there && !this.found.has(there.id)) {
      complain(() => say("series_elsewhere"));
      this.end();
      return;
    }
    const before = table.now.identity.id;
    this.tell();
    const laidOut = there
      ? unshelve(this.house.library.get(there.id) ?? there)
      : await table.stage.ask(() => this.kept(table, round, games));
    // A person may have stopped it meanwhile, or gone elsewhere.
    if (this.isOver) return;
    if (!laidOut || this.table !== table || table.now.identity.id !== before) this.end();
    else this.lay(table, laidOut);
  }

  private lay(table: Table, kept: ShelvedGame): void {
    [this.id, this.isPlaying] = [kept.identity.id, true];
    table.lay(kept);
    table.stage.keep();
    table.opponent.pause(false);
    // A game alone goes its own way.
    if (this.rounds.length === 1) this.end();
    else this.tell();
  }

  /** A game of the round that stands at its opening. */
  private async kept(table: Table, round: Round, { openings, next }: SeriesGames): Promise<ShelvedGame> {
    const { id, count, seed, settings } = this.plan;
    const identity = { ...newIdentity("watched"), sides: this.players(round) };
    const begun = table.stage.setup.start(settings);
    if (round.opening === null) return { session: sessions.beginSession(begun, sessions.NOBODY), settings, identity };
    const there = openings[round.opening];
    const known = there && played(begun, there);
    const session = known ?? (await this.draw(table, round, openings));
    const drawn = Array.from({ length: Math.max(openings.length, round.opening + 1) }, (_, at) =>
      at === round.opening ? sessions.actions(session) : (openings[at] ?? []),
    );
    const series = { id, count, seed, round: next ?? 0, openings: drawn };
    return { session, settings, identity: { ...identity, series } };
  }

  /** The opening of a round, as the networks would play it: the same one whenever it is drawn. */
  private draw({ stage }: Table, round: Round, openings: SeriesPlace["openings"]): Promise<Session> {
    const { game, start, settings: own, seat, client } = stage.setup;
    const { settings, seed } = this.plan;
    const players = this.players(round);
    const ask = async (session: Session): Promise<Advice["policy"]> => {
      const side = players[sessions.latest(session).toMove];
      await seat(side);
      const position = { settings: { ...own, ...settings }, actions: sessions.actions(session) };
      return (await client.ask("advise", { position, by: side.bundle?.name })).policy;
    };
    let times = 0;
    const random = (): number => chance(seed + (round.opening ?? 0), times++);
    return drawOpening(start(settings), pliesOf(game), ask, new Set(openings.map((each) => each.join(" "))), random);
  }

  private players({ first }: Round): Sides {
    const { sides } = this.plan;
    return [sides[sideAt(first, 0)], sides[sideAt(first, 1)]];
  }
}

/** A game that stands after these moves; null if the rules forbid them, or end it there, as a file may have it. */
function played(start: State, moves: readonly number[]): Session | null {
  const states = replay(() => start, moves);
  const session = states && { ...sessions.beginSession(start, sessions.NOBODY), states };
  return session && sessions.phase(session) !== "over" ? session : null;
}

/** Whether something else is shown than the board. */
const isAway = (): boolean => document.body.classList.contains("away");

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
