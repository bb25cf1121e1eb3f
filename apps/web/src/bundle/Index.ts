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
    throw new Error(`${FOLDER}/index.json is not an index of version 1: install the bundles again with this app's azx.`);
  }
  return (bundles as Entry[]).filter((entry) => entry.game !== null && (entry.format === "tfjs" || entry.format === null));
}
