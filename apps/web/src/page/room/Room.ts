/** The bundle that is open: its board at once, and its network once it is loaded. */

import type { Entry } from "../../bundle/Index";
import { bytesOf } from "../../bundle/Needed";
import { allSettings, begin, type Settings } from "../../engine/Game";
import { GAMES } from "../../engine/known/Catalogue";
import { byName } from "../../engine/known/Recognition";
import { count, number, saidOf, say, sayBy, sayThis } from "../../texts/Speech";
import { isOnLite, type OpenBundle, type Playing, type RuntimeChoice } from "../../worker/Messages";
import { type Ahead, hasRuntime, keepRuntime } from "../bundles/Ahead";
import type { Client } from "../bundles/Client";
import { showDoubt } from "../bundles/Doubt";
import * as controls from "../choices/Controls";
import * as memory from "../choices/Memory";
import { displayChances } from "../display/Display";
import { complain } from "../dom/Complaint";
import { byId, put } from "../dom/Dom";
import { hideLoading, showLoading } from "../dom/Loading";
import type { GameRecord } from "../game/GameRecord";
import { isShared } from "../game/Session";
import type { Library } from "../library/Library";
import { isBegun, lastGameOf, shelve, unshelve } from "../library/Shelving";
import { fits, plays } from "../records/Settings";
import { clearSelfTest, prepareSelfTest } from "../self-test/SelfTestPanel";
import type { ShelvedGame } from "../sitting/Sitting";
import { Table } from "../table/Table";
import { nameOf, sayUnplayable, titleOf } from "../words/Words";

/** What the page is called where it shows no game. */
const APP = document.title;

/** Which game is wanted with a bundle: a record, its last one, or a new one. */
export type Wanted = GameRecord | "last" | "new";

export class Room {
  table: Table | null = null;
  entry: Entry | null = null;
  /** What is known of the open bundle; null until it is loaded. */
  private opened: OpenBundle | null = null;
  /** What came of LiteRT.js; null until it was tried. */
  private quickened: RuntimeChoice | null = null;
  /** The game and the settings of the present board, as one text. */
  private board = "";
  /** Goes up whenever a load that is under way is no longer wanted. */
  private load = 0;
  private wanted: Wanted = "last";

  constructor(
    private readonly client: Client,
    private readonly ahead: Ahead,
    private readonly base: string,
    private readonly library: Library,
    /** Hears which entry of the library is on the board; null if the game has none yet. */
    private readonly showsGame: (id: string | null) => void,
    private readonly entries: () => readonly Entry[],
  ) {}

  /** Open a bundle: show its board at once if the index has its settings, else the page's frame. */
  async open(entry: Entry, wanted: Wanted = "last"): Promise<void> {
    this.table?.stage.leaveThought();
    this.wanted = wanted;
    [this.table, this.entry, this.opened, this.board] = [null, entry, null, ""];
    const { game, settings } = entry;
    if (game !== null && settings !== null && memory.startOf(entry)) this.sit(game, settings);
    else this.frame(entry);
    this.tell();
    await this.fetch(entry);
  }

  /** Show a record that no bundle here plays: it is looked through, and nothing is thought about it. */
  read(record: GameRecord): void {
    this.close();
    this.wanted = record;
    this.sit(record.game, record.settings);
    displayChances(record.rates.length + record.seen.length > 0);
    this.tell();
  }

  /** Load a network that plays the board of two people's game, if there is one; the game stays as it is. */
  async invite(): Promise<void> {
    const { table } = this;
    const { game = "", settings = {} } = table?.open ?? {};
    const host = this.entries().find((entry) => plays(entry, game, settings));
    if (table && host) await this.replace(host);
  }

  /** Leave the open bundle without opening another. */
  close(): void {
    this.table?.stage.leaveThought();
    [this.table, this.entry, this.opened, this.board] = [null, null, null, ""];
    this.load++;
    byId("play").hidden = true;
    document.title = APP;
    hideLoading();
    this.ahead.resume();
  }

  /** Load the network of the open bundle again, on the backend that is chosen now. The game goes on. */
  async reopen(): Promise<void> {
    this.table?.unseat();
    if (this.entry) await this.fetch(this.entry);
  }

  /** Load another network for the same board in place of the open one. The game goes on. */
  async replace(entry: Entry): Promise<void> {
    this.table?.unseat();
    [this.entry, this.opened] = [entry, null];
    this.tell();
    await this.fetch(entry);
  }

  /** Read the board as a person says, from a new game on; null is the reading that is assumed. */
  async choose(reading: string | null): Promise<void> {
    const { entry, table } = this;
    if (!entry) return;
    memory.keepReading(entry, reading);
    table?.unseat();
    table?.restart();
    await this.fetch(entry);
  }

  private async fetch(asked: Entry): Promise<void> {
    const request = memory.openingOf(asked, this.base);
    const load = ++this.load;
    const title = (): string => titleOf(asked);
    complain(null);
    clearSelfTest();
    byId<HTMLButtonElement>("test").disabled = true;
    this.ahead.pause();
    this.quickened = null;
    showLoading(title, { received: 0, total: bytesOf(request.entry) });
    try {
      const opened = await this.client.ask("open", request, (loading) => {
        if (load === this.load) showLoading(title, loading);
      });
      if (load === this.load) this.show(opened);
    } catch (error) {
      if (load === this.load) this.fail(error);
    }
    if (load !== this.load) return;
    hideLoading();
    // Its megabytes come once a person has chosen it.
    this.ahead.resume(hasRuntime() ? () => this.quicken(load) : null);
  }

  /** Change to LiteRT.js if it is faster, a network is loaded and the page may choose its runtime. */
  private async quicken(load: number): Promise<void> {
    if (load !== this.load || !this.opened?.playing || controls.backend() !== "auto") return;
    const runtime = await this.client.ask("quicken", {}).catch(() => null);
    if (load !== this.load) return;
    this.quickened = runtime;
    if (runtime && isOnLite(runtime.backend)) void keepRuntime();
    this.tell();
  }

  /** A board for the game, with the game that was left there. */
  private sit(name: string, settings: Settings): void {
    const { entry } = this;
    const game = byName(name);
    this.board = JSON.stringify([name, settings]);
    this.lay(true);
    this.table = new Table({
      client: this.client,
      game: name,
      title: () => this.entry?.title ?? "",
      settings,
      isAlone: entry === null,
      start: (more) => begin(game, { ...settings, ...more }),
      kept: this.gameFor(name, settings),
      keep: (kept, isWanted) => this.keep(kept, isWanted, name, settings, entry),
      seat: async (side) => {
        const { client, base } = this;
        const { seat } = await import("./Seats");
        await seat(side, { client, base, entries: this.entries(), open: this.entry, game: name, settings });
      },
    });
    const { id } = this.table.now.identity;
    this.showsGame(this.library.has(id) ? id : null);
  }

  /** The game that is wanted, if it is one of this board. */
  private gameFor(name: string, settings: Settings): ShelvedGame | null {
    const { entry, wanted } = this;
    this.wanted = "last";
    const { now, stage } = this.table ?? {};
    // The manifest has another board than the index: the present game goes on.
    if (now?.game === name && stage && fits(allSettings(byName(name), stage.setup.settings), settings)) return now;
    const record = wanted === "last" && entry ? lastGameOf(this.library, entry) : wanted;
    if (record === null || typeof record === "string") return null;
    return record.game === name && fits(record.settings, settings)
      ? unshelve(this.library.get(record.id) ?? record)
      : null;
  }

  private keep(kept: ShelvedGame, isWanted: boolean, game: string, settings: Settings, entry: Entry | null): void {
    const { id } = kept.identity;
    if (!isWanted && !isBegun(kept) && !this.library.has(id)) {
      this.showsGame(null);
      return;
    }
    this.library.keep(shelve(kept, game, settings, entry));
    this.showsGame(id);
  }

  /** Show what is known before the manifest is loaded: why there is no board, or an empty one. */
  private frame({ problems }: Pick<Entry, "problems">): void {
    this.lay(problems.length === 0);
    byId("board").replaceChildren();
    for (const id of ["status", "notice", "summary"]) put(byId(id), "");
    prepareSelfTest(problems.length > 0, null);
  }

  /** Show a table with its controls, or what stands in their place. */
  private lay(isPlayed: boolean): void {
    byId("starting").hidden = true;
    byId("play").hidden = false;
    byId("play").classList.toggle("shown-alone", !isPlayed);
    for (const id of ["table", "controls"]) byId(id).hidden = !isPlayed;
    byId("unplayable").hidden = isPlayed;
    // All that a bundle has which cannot be played.
    byId(isPlayed ? "settings-test" : "unplayable").append(byId("self-test"));
  }

  private show(opened: OpenBundle): void {
    const { playing, problems, untestable, subjects } = opened;
    this.opened = opened;
    byId<HTMLButtonElement>("test").disabled = false;
    prepareSelfTest(playing === null, untestable, subjects);
    if (!playing) {
      this.table = null;
      this.frame({ problems });
      prepareSelfTest(true, untestable, subjects);
    } else this.seat(playing);
    this.tell();
  }

  /** Start using the loaded network at the board of its game. */
  private seat(playing: Playing): void {
    const { backend, precision, refused, hasPolicy, game, settings } = playing;
    controls.offerPolicy(hasPolicy);
    // The manifest is what counts: the index may be of an older azx.
    const { session, game: own } = this.table?.now ?? {};
    const isOfTwo = session && isShared(session) && own === game && fits(this.table?.open.settings ?? {}, settings);
    if (!isOfTwo && (!this.table || this.board !== JSON.stringify([game, settings]))) this.sit(game, settings);
    this.table?.seat(playing);
    if (isOnLite(backend)) void keepRuntime();
    if (refused) complain(() => say("runs_instead", sayThis(refused), nameOf(backend, precision)));
  }

  /** What is said of the bundle, but for its game. */
  private tell(): void {
    const { entry, opened } = this;
    this.tellTitle();
    byId("self-test").hidden = !entry;
    byId("new").hidden = !entry && !(this.table && isShared(this.table.now.session));
    if (!entry) {
      for (const id of ["about", "proof"]) put(byId(id), "");
      showDoubt(null);
      return;
    }
    const title = titleOf(entry);
    const problems = opened?.problems ?? entry.problems;
    put(byId("unplayable-title"), title);
    const canTest = opened !== null && opened.untestable === null;
    put(byId("why-not"), problems.length ? sayUnplayable(problems, canTest) : "");
    put(byId("about"), opened ? about(title, opened, this.quickened) : "");
    put(byId("proof"), opened ? proof(opened) : "");
    void showDoubt(opened?.doubt ?? null);
  }

  /** Name the game in the page's title; for other people's games, the players. */
  tellTitle(): void {
    const { entry, table } = this;
    const game = table && GAMES.has(table.open.game) ? sayBy(`game_${table.open.game}`) : "";
    const { names } = table?.now.session ?? {};
    const players = names?.some(Boolean) ? names.map((name) => name || say("unknown")).join(" – ") : "";
    const ofBoard = players ? `${players}, ${game}` : entry ? titleOf(entry) : game;
    const { classList } = document.body;
    const title = classList.contains("in-home") ? say("games") : classList.contains("away") ? say("library") : ofBoard;
    document.title = title ? `${title} · ${APP}` : APP;
  }

  retell(): void {
    this.tell();
    this.table?.stage.retell();
  }

  private fail(error: unknown): void {
    this.table?.stage.leaveThought();
    this.table = null;
    byId("play").hidden = true;
    complain(saidOf(error));
  }
}

/** What the bundle says about itself; this page has not checked it. */
function proof({ compared, calculation }: OpenBundle): string {
  if (calculation) return say("proof_said", sayThis(calculation));
  return compared === null ? say("proof_none") : say("proof_recorded", number(compared));
}

function about(title: string, { playing, parameters }: OpenBundle, quickened: RuntimeChoice | null): string {
  const size = count("parameters", parameters, number(parameters));
  if (!playing) return say("about", title, size);
  const { milliseconds, backend } = quickened ?? playing;
  const where = nameOf(backend, playing.precision);
  const speed = say("about_speed", title, size, milliseconds.toFixed(milliseconds < 1 ? 2 : 1), where);
  return quickened?.refused ? say("two_sentences", speed, sayThis(quickened.refused)) : speed;
}
