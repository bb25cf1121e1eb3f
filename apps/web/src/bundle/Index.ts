/** Which bundles are installed: azx/index.json, that `azx install` writes and `azx serve` answers with. */

export const FOLDER = "azx";

/** A file of a bundle, its path below the bundle's folder. */
export interface FileEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** One installed bundle. */
export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly game: string | null;
  readonly artifact: string | null;
  readonly format: string | null;
  readonly files: readonly FileEntry[];
}

/** The bundles that a browser can play, of the index `data`; Error with a sentence where it is none. */
export function bundlesOf(data: unknown): readonly Entry[] {
  const { schema_version: version, bundles } = (data ?? {}) as { schema_version?: unknown; bundles?: unknown };
  if (version !== 1 || !Array.isArray(bundles)) {
    throw new Error(
      `${FOLDER}/index.json is not an index of version 1: install the bundles again with this app's azx.`,
    );
  }
  if (!bundles.every(isEntry)) {
    throw new Error(`${FOLDER}/index.json is damaged: install the bundles again.`);
  }
  return bundles.filter((entry) => entry.game !== null && (entry.format === "tfjs" || entry.format === null));
}

function isEntry(data: unknown): data is Entry {
  const { name, title, game, files } = (data ?? {}) as Partial<Record<keyof Entry, unknown>>;
  const named = typeof name === "string" && typeof title === "string" && (typeof game === "string" || game === null);
  return (
    named &&
    Array.isArray(files) &&
    files.every((file) => typeof (file as Partial<FileEntry> | null)?.path === "string")
  );
}
