/** Bundles from this computer: dropped on the page, or chosen in the dialog behind the button "Open a bundle". */

import type { GivenFile } from "../../bundle/given/Given";
import { byId } from "../dom/Dom";

// One more than a bundle may have: a whole disk that is dropped is not walked through.
const MOST_FILES = 2001;

/** Hand what a person drops or chooses to `open`, the files of one drop together. */
export function connectOpener(open: (given: Promise<readonly GivenFile[]>) => void): void {
  connectDialog(open);
  const page = document.documentElement;
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    page.classList.add("dropping");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) page.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    page.classList.remove("dropping");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    byId<HTMLDialogElement>("opener").close();
    open(readDrop(event.dataTransfer));
  });
}

function connectDialog(open: (given: Promise<readonly GivenFile[]>) => void): void {
  const dialog = byId<HTMLDialogElement>("opener");
  byId("open-cancel").addEventListener("click", () => dialog.close());
  byId("open-folder-label").hidden = !("webkitdirectory" in HTMLInputElement.prototype);
  for (const id of ["open-file", "open-folder"]) {
    const input = byId<HTMLInputElement>(id);
    input.addEventListener("change", () => {
      const given = Array.from(input.files ?? [], (blob) => ({ path: blob.webkitRelativePath || blob.name, blob }));
      // So that the same one can be chosen again.
      input.value = "";
      dialog.close();
      if (given.length) open(Promise.resolve(given));
    });
  }
}

/** The files of a drop. What was dropped has to be asked for at once: it is gone when the event is over. */
async function readDrop({ items, files }: DataTransfer): Promise<readonly GivenFile[]> {
  const entries = Array.from(items, (item) => (item.kind === "file" ? item.webkitGetAsEntry() : null));
  const plain = Array.from(files, (blob) => ({ path: blob.name, blob }));
  const dropped: GivenFile[] = [];
  // A script may have made the drop: its files are in no file system.
  if (!entries.some((entry) => entry !== null)) return plain;
  for (const entry of entries) if (entry) await walk(entry, dropped);
  return dropped;
}

/** Add the files below `entry`, until there are too many of them. */
async function walk(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (found.length >= MOST_FILES) return;
  if (entry.isFile) {
    const blob = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), blob });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives its entries in parts, and an empty one at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || found.length >= MOST_FILES) return;
    for (const each of part) await walk(each, found);
  }
}
