/**
 * All games that were played, watched or opened here. Nothing but a person's own word removes one.
 *
 * Each change is in a journal at once, which outlives a killed page, and in the database soon. If another tab has changed
 * an entry meanwhile, neither change is lost: a game that does not continue the other becomes an entry of its own.
 */

import { isFull } from "../../bundle/Database";
import { membersOf } from "../../engine/Data";
import { readStored, store, storedNames } from "../dom/Storage";
import { freshId, type GameRecord, goesOn, readGameRecord } from "../game/GameRecord";
import { Database } from "./Database";

const DRAFT = "draft ";

/** What is heard of the library. */
export interface Ear {
  /** The list has changed: here, or in another tab. */
  changed(): void;
  /** Another tab has continued this game, so the game here becomes a record of its own. */
  branched(old: string, record: GameRecord): void;
  /** The browser keeps nothing, or has no room: said once. */
  refused(isFull: boolean): void;
}

/** A change on its way to the database: the record, and the revision that it was made from. */
interface Draft {
  readonly base: string | null;
  readonly record: GameRecord;
}

export class Library {
  private readonly records = new Map<string, GameRecord>();
  /** The revision of each entry that this page has read or written last. */
  private readonly known = new Map<string, string>();
  /** The new name of the game on the board here, if another tab has continued its entry. */
  private readonly renamed = new Map<string, string>();
  private database: Database | null = null;
  /** Whatever is to be written, one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private isRefused = false;
  /** Tells this page's drafts from those of another tab, which may have one of the same game. */
  private readonly page = freshId();
  private readonly channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("azx-games") : null;

  constructor(private readonly ear: Ear) {
    this.channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => void this.hear(String(data)));
  }

  /** Load what was kept on earlier visits. Never rejected: the library is empty if nothing can be read. */
  async open(): Promise<void> {
    try {
      this.database = await Database.open();
      for (const data of await this.database.all()) this.take(readGameRecord(data));
    } catch {
      this.database = null;
    }
    // What pages that were killed have left, in the order in which they did.
    const left = storedNames(DRAFT).map((name) => [name, draftIn(readStored(name))] as const);
    const when = (draft: Draft | null): number => Date.parse(draft?.record.changed ?? "") || 0;
    for (const [name, draft] of left.sort(([, one], [, two]) => when(one) - when(two))) {
      if (!draft || this.isOld(draft)) store(name, null);
      else this.recover(draft, name);
    }
  }

  /** Whether the entry has all of it already: a later change may not have found room in the journal. */
  private isOld({ record }: Draft): boolean {
    const there = this.records.get(record.id);
    return !!there && (there.revision === record.revision || hasAllOf(there, record));
  }

  /** A draft that continues its entry replaces it; any other becomes an entry of its own. */
  private recover(draft: Draft, name: string): void {
    const { base, record } = draft;
    const there = this.records.get(record.id);
    if (there?.revision === base || (there && goesOn(there, record))) this.records.set(record.id, record);
    this.write(draft, name, true);
  }

  /** All of them, the one that was changed last first. */
  list(): readonly GameRecord[] {
    return [...this.records.values()].sort((one, two) => (one.changed < two.changed ? 1 : -1));
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  /** The record of an entry, to be shown or continued; null if the library has none. */
  get(id: string): GameRecord | null {
    const record = this.records.get(id) ?? null;
    this.renamed.delete(id);
    if (record) this.known.set(id, record.revision);
    return record;
  }

  /** Keep a record, in place of what was kept of it before. */
  keep(given: GameRecord): void {
    const record = this.called(given);
    const draft = { base: this.known.get(record.id) ?? null, record };
    const name = `${DRAFT}${record.id} ${this.page}`;
    this.records.set(record.id, record);
    store(name, JSON.stringify(draft));
    // What it was made from, or has all of, need not stay beside it.
    if (readStored(name))
      for (const each of draftNames(record.id)) {
        const other = each === name ? null : draftIn(readStored(each))?.record;
        if (other && (other.revision === draft.base || hasAllOf(record, other))) store(each, null);
      }
    this.write(draft, name);
    this.ear.changed();
  }

  /** Take a record out of the library; `keep` brings it back. */
  remove(id: string): void {
    this.records.delete(id);
    this.known.delete(id);
    for (const name of draftNames(id)) store(name, null);
    this.queue = this.queue
      .then(() => this.database?.delete(id))
      .then(() => this.channel?.postMessage(id))
      .catch(() => this.refuse(false));
    this.ear.changed();
  }

  /** Resolved once everything until now is on the disk, or was refused. */
  async settled(): Promise<void> {
    await this.queue;
  }

  private take(record: GameRecord | null): void {
    if (!record) return;
    this.records.set(record.id, record);
    this.known.set(record.id, record.revision);
  }

  /** A record under the name that its entry has now. */
  private called(record: GameRecord): GameRecord {
    const id = this.renamed.get(record.id);
    return id === undefined ? record : { ...record, id };
  }

  /**
   * `name` is the change's in the journal. `isRecovered` if a page that is gone has made it: then what this page has read
   * of the entry says nothing about it.
   */
  private write({ base, record: given }: Draft, name: string, isRecovered = false): void {
    if (!this.records.has(given.id)) this.records.set(given.id, given);
    this.queue = this.queue.then(async () => {
      const record = this.called(given);
      if (!this.database) {
        this.refuse(false);
        return;
      }
      try {
        const { id } = record;
        const put = await this.database.replace(id, (stored) => {
          const known = isRecovered ? undefined : this.known.get(id);
          return decide(stored, [base, known], record);
        });
        if (draftIn(readStored(name))?.record.revision === record.revision) store(name, null);
        this.channel?.postMessage(put.id);
        if (put.id === id) this.known.set(id, put.revision);
        else if (!isRecovered) await this.branch(id, put);
        else {
          // The board shows the entry that was there, which stays.
          this.take(put);
          this.ear.changed();
        }
      } catch (error) {
        this.refuse(isFull(error));
      }
    });
  }

  private async branch(old: string, record: GameRecord): Promise<void> {
    const there = readGameRecord(await this.database?.get(old));
    if (there) this.records.set(old, there);
    this.known.delete(old);
    this.renamed.set(old, record.id);
    this.take(record);
    this.ear.branched(old, record);
    this.ear.changed();
  }

  private refuse(isFull: boolean): void {
    if (this.isRefused) return;
    this.isRefused = true;
    this.ear.refused(isFull);
  }

  /** Another tab has changed an entry. */
  private async hear(id: string): Promise<void> {
    await this.queue;
    const record = readGameRecord(await this.database?.get(id).catch(() => null));
    // The game on the board stays: its next move finds out whether it continues that entry.
    if (record) this.records.set(id, record);
    else this.records.delete(id);
    this.ear.changed();
  }
}

/** The record to store, under another name if it does not continue what is there. */
function decide(stored: unknown, bases: readonly (string | null | undefined)[], record: GameRecord): GameRecord {
  const there = readGameRecord(stored);
  return !there || bases.includes(there.revision) || goesOn(there, record) ? record : { ...record, id: freshId() };
}

/** Whether a record has all that was played in another one, and is not older. */
const hasAllOf = (record: GameRecord, other: GameRecord): boolean =>
  record.changed >= other.changed && goesOn(other, record);

/** The journal's drafts of an entry: one for each page; pages of an earlier azx shared one. */
const draftNames = (id: string): readonly string[] =>
  storedNames(DRAFT + id).filter((name) => name.split(" ")[1] === id);

function draftIn(text: string | null): Draft | null {
  try {
    const { base, record } = membersOf(JSON.parse(text ?? "null"));
    const sound = readGameRecord(record);
    return sound && { base: typeof base === "string" ? base : null, record: sound };
  } catch {
    return null;
  }
}
