/** Files with records of games: read, and written. */

import { LARGEST } from "../../engine/records/Record";

/** Whether what was dropped is to be read as a record, and not as a bundle. */
export const isRecordFile = (path: string): boolean => /^[^/]*\.(sgf|txt)$/i.test(path);

/** A file's text; of one that is too large as much as tells that it is. */
export const textOf = (file: Blob): Promise<string> => file.slice(0, LARGEST + 1).text();

/** Let the browser save a text as a file. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
  URL.revokeObjectURL(address);
}
