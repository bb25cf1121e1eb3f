/** The dialog behind the button "Open a game": a field for the record of a game, or a file. It is emptied at each opening. */

import type { Said } from "../../texts/Speech";
import { byId, put } from "../dom/Dom";
import { textOf } from "./RecordFile";

/** Opens the game of a text; returns why it cannot, null if it is shown. */
export type Open = (text: string) => Promise<Said | null>;

export function connectRecordOpener(open: Open): void {
  const dialog = byId<HTMLDialogElement>("record-opener");
  const [field, file] = [byId<HTMLTextAreaElement>("record-text"), byId<HTMLInputElement>("record-file")];
  const take = async (reading: Promise<string>): Promise<void> => {
    put(byId("record-refused"), "");
    const refusal = await open(await reading);
    put(byId("record-refused"), refusal?.() ?? "");
    if (!refusal) dialog.close();
  };
  dialog.addEventListener("close", () => {
    put(byId("record-refused"), "");
    field.value = "";
  });
  byId("record-cancel").addEventListener("click", () => dialog.close());
  byId("record-open").addEventListener("click", () => void take(Promise.resolve(field.value)));
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    // So that the same one can be chosen again.
    file.value = "";
    if (chosen) void take(textOf(chosen));
  });
}
