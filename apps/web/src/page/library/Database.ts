/** The browser's own database of records, an entry each. */

import { inTime, openDatabase, within } from "../../bundle/Database";
import type { GameRecord } from "../game/GameRecord";

export class Database {
  private constructor(private readonly database: IDBDatabase) {}

  /** Rejected where the browser forbids it, or does not answer in time. */
  static async open(): Promise<Database> {
    return new Database(await inTime(openDatabase("azx-games", "games", "id")));
  }

  /** All entries; one may be damaged, or of a later azx. Rejected if they do not come in time. */
  all(): Promise<readonly unknown[]> {
    return inTime(within(this.database, "readonly", (games) => games.getAll()));
  }

  get(id: string): Promise<unknown> {
    return within(this.database, "readonly", (games) => games.get(id));
  }

  delete(id: string): Promise<unknown> {
    return within(this.database, "readwrite", (games) => games.delete(id));
  }

  /**
   * Put what `decide` makes of the entry that is there by now, in one transaction: no other tab comes between. Resolved
   * with what was put.
   */
  async replace(id: string, decide: (stored: unknown) => GameRecord): Promise<GameRecord> {
    let put: GameRecord | null = null;
    await within(this.database, "readwrite", (games) => {
      const reading = games.get(id);
      reading.addEventListener("success", () => {
        put = decide(reading.result);
        games.put(put);
      });
      return reading;
    });
    if (!put) throw new Error("The database has not answered, this is a bug.");
    return put;
  }
}
