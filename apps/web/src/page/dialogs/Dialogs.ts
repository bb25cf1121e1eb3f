/** The dialogs in which a bundle or a record is opened: they come behind the first board, or once one is wanted. */

import type { Given } from "../../bundle/given/Given";
import type { Entry } from "../../bundle/Index";
import { connectOpener } from "../bundles/Opener";
import { listOwn } from "../bundles/OwnBundles";
import { label } from "../dom/Labels";
import { connectRecordOpener, type Open } from "../records/RecordOpener";
import dialogs from "./dialogs.html?raw";
import "../../texts/parts/Dialogs";

/** What is done with what a person opens. */
export interface Acts {
  readonly given: (given: Promise<readonly Given[]>) => void;
  readonly record: Open;
  readonly remove: (entry: Entry) => void;
}

/** Put the dialogs there; the answer lists the bundles that were opened from this computer. */
export function connectDialogs({ given, record, remove }: Acts): (entries: readonly Entry[]) => void {
  document.body.insertAdjacentHTML("beforeend", dialogs);
  label();
  connectOpener(given);
  connectRecordOpener(record);
  return (entries) => listOwn(entries, remove);
}
