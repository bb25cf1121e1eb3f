/** Files with records of games: read, and written. */

import { LARGEST } from "../../engine/records/Record";

/** Whether what was dropped is to be read as a record, and not as a bundle. */
export const isRecordFile = (path: string): boolean => /^[^/]*\.(sgf|txt)$/i.test(path);

/** A file's text, in the encoding that an SGF names; cut just beyond the largest size of a record. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = await file.slice(0, LARGEST + 1).arrayBuffer();
  // Names of encodings are plain, and stand near the beginning.
  const head = new TextDecoder("latin1").decode(bytes.slice(0, 1000));
  const isSgf = /^(\u00ef\u00bb\u00bf)?\s*\(/.test(head);
  const named = isSgf ? decoderFor(/\bCA\s*\[\s*([\w.:-]+)\s*\]/.exec(head)?.[1]) : null;
  if (named && named.encoding !== "utf-8") return named.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: isSgf }).decode(bytes);
  } catch {
    // SGF that says nothing is in ISO 8859-1.
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** null if no encoding is named, or none that the browser knows. */
function decoderFor(name: string | undefined): TextDecoder | null {
  try {
    return name === undefined ? null : new TextDecoder(name);
  } catch {
    return null;
  }
}

/** Let the browser save a text, or bytes, as a file. */
export function save(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
  URL.revokeObjectURL(address);
}
