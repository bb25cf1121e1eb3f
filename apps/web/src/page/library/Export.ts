/** How an exported library is known: by the folder in which its games lie, the first member of its .zip. */

export const EXPORT_FOLDER = "azx-games/";
const NAME_AT = 30;

/** Whether a file is a .zip whose first member lies in that folder. */
export async function isExport(blob: Blob): Promise<boolean> {
  const head = await blob.slice(0, NAME_AT + EXPORT_FOLDER.length).text();
  return head.startsWith("PK\u0003\u0004") && head.endsWith(EXPORT_FOLDER);
}
