/** What the parts of the page share, and what they may ask of it. */

import type { Entry } from "../../bundle/Index";
import type { Ahead } from "../bundles/Ahead";
import type { Client } from "../bundles/Client";
import type { Library } from "../library/Library";
import type { Desk } from "./Desk";
import type { Room } from "./Room";

export interface House {
  readonly client: Client;
  readonly room: Room;
  readonly desk: Desk;
  readonly library: Library;
  readonly ahead: Ahead;
  /** The bundles of the list. */
  entries(): readonly Entry[];
  /** Open a bundle. */
  choose(entry: Entry): void;
  /** Let another network play on the board that is there, in place of the one that is open. */
  replace(entry: Entry): Promise<void>;
  /** Show the board, and no complaint. */
  clear(): void;
}
