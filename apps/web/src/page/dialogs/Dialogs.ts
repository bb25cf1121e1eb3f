/** The dialogs in which a bundle or a record is opened: they come behind the first board, or once one is wanted. */

import type { Entry } from "../../bundle/Index";
import { connectOpener } from "../bundles/Opener";
import { listOwn } from "../bundles/OwnBundles";
import { label } from "../dom/Labels";
import { connectRecordOpener } from "../records/RecordOpener";
import dialogs from "./dialogs.html?raw";
import { type Listing, remove, take } from "./Giving";
import "texts:dialogs";

/** Put the dialogs there; the answer lists the bundles that were opened from this computer. */
export function connectDialogs(house: Listing): (entries: readonly Entry[]) => void {
  document.body.insertAdjacentHTML("beforeend", dialogs);
  label();
  connectOpener((given) => void take(given, house));
  connectRecordOpener((text) => house.desk.openRecord(text, "opened"));
  return (entries) => listOwn(entries, (entry) => void remove(entry, house));
}
