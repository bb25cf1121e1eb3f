/** The browser's own database of records: an entry each, in IndexedDB, which takes an entry whole or not at all. */

import { inTime } from "../../bundle/InTime";
import type { GameRecord } from "../game/GameRecord";

const DATABASE = "azx-games";
const GAMES = "games";

export class Database {
  private constructor(private readonly database: IDBDatabase) {}

  /** Rejected where the browser forbids it, or does not answer in time. */
  static async open(): Promise<Database> {
    const opening = new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.addEventListener("upgradeneeded", () => request.result.createObjectStore(GAMES, { keyPath: "id" }));
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
    return new Database(await inTime(opening));
  }

  /** Whatever is there: an entry may be damaged, or of a later azx. Rejected where it does not come in time. */
  all(): Promise<readonly unknown[]> {
    return inTime(this.within("readonly", (games) => games.getAll()));
  }

  get(id: string): Promise<unknown> {
    return this.within("readonly", (games) => games.get(id));
  }

  delete(id: string): Promise<unknown> {
    return this.within("readwrite", (games) => games.delete(id));
  }

  /**
   * Put what `decide` makes of the entry that is there by now, in one transaction: no other tab comes between. Resolved
   * with what was put.
   */
  replace(id: string, decide: (stored: unknown) => GameRecord): Promise<GameRecord> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(GAMES, "readwrite");
      const games = transaction.objectStore(GAMES);
      let put: GameRecord | null = null;
      const reading = games.get(id);
      reading.addEventListener("success", () => {
        put = decide(reading.result);
        games.put(put);
      });
      transaction.addEventListener("complete", () => put && resolve(put));
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
  }

  /** What a request answers, once all of its transaction is on the disk. */
  private within<Answer>(
    mode: IDBTransactionMode,
    act: (games: IDBObjectStore) => IDBRequest<Answer>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(GAMES, mode);
      const request = act(transaction.objectStore(GAMES));
      transaction.addEventListener("complete", () => resolve(request.result));
      transaction.addEventListener("abort", () => reject(transaction.error ?? request.error));
    });
  }
}
