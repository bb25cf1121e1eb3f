/** Which bundles are installed: azx/index.json, that `azx install` writes and `azx serve` answers with. */

import { isCount, isData, membersOf } from "../engine/Data";
import type { Settings } from "../engine/Game";
import { GAMES } from "../engine/known/Catalogue";
import { BundleError, sentence } from "../texts/Sentence";
import { areProblems, type Problem, problem } from "./Problem";

export const FOLDER = "azx";
export const SCHEMA_VERSION = 2;

/** A file of a bundle, its path below the bundle's folder. */
export interface FileEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly game: string | null;
  /** The board's settings, before the manifest is there; null if the index does not have them. */
  readonly settings: Settings | null;
  readonly artifact: string | null;
  readonly format: string | null;
  readonly files: readonly FileEntry[];
  /** Why it cannot be played; empty if it can. */
  readonly problems: readonly Problem[];
  /** Whether a person has given it to this page, which alone has it. */
  readonly isGiven: boolean;
  /** Whether the next visit has it, too: all but what was given to a browser that does not keep it. */
  readonly isKept: boolean;
}

export const noIndex = (): Error => new BundleError(sentence("error_index"));

/** The bundles of the index `data`, those that cannot be played too; Error with a sentence if `data` is no index. */
export function bundlesOf(data: unknown): readonly Entry[] {
  const { schema_version: version, bundles } = membersOf(data);
  if (version !== SCHEMA_VERSION || !Array.isArray(bundles) || !bundles.every(isListed)) throw noIndex();
  return bundles.map((entry) => ({
    ...entry,
    settings: settingsOf(entry),
    problems: problemsOf(entry),
    isGiven: false,
    isKept: true,
  }));
}

/** Whether the server of this index may have other bundles at any time: `azx serve --watch` says so. */
export const isWatched = (data: unknown): boolean => membersOf(data).watched === true;

/** Whether the server follows a training run, of which run.json tells: `azx serve --watch RUN`. */
export const hasRun = (data: unknown): boolean => membersOf(data).run === true;

/** An entry as the file has it. */
type ListedEntry = Omit<Entry, "settings" | "problems" | "isGiven" | "isKept"> & {
  readonly settings?: unknown;
  readonly problems?: readonly Problem[];
};

function isListed(data: unknown): data is ListedEntry {
  const { name, title, game, files, problems = [] } = membersOf(data);
  const named = isFolder(name) && typeof title === "string" && (typeof game === "string" || game === null);
  return named && areProblems(problems) && Array.isArray(files) && files.every(isFileEntry);
}

/** Whether a bundle's name is that of a folder beside the index. */
function isFolder(name: unknown): boolean {
  return typeof name === "string" && isInside(name) && !name.includes("/");
}

/** Whether a path names something below a folder, and nothing else on any system. */
export function isInside(path: string): boolean {
  return !/^[a-z]:|[\\\0]/i.test(path) && path.split("/").every((part) => part && part !== "." && part !== "..");
}

export function isFileEntry(data: unknown): data is FileEntry {
  const { path, sha256, size } = membersOf(data);
  return typeof path === "string" && typeof sha256 === "string" && isCount(size);
}

/** Its settings, where they are what settings are; the manifest says what is wrong with others. */
function settingsOf({ settings }: ListedEntry): Settings | null {
  if (!isData(settings)) return null;
  const isValue = (value: unknown): boolean => typeof value === "string" || Number.isFinite(value);
  return Object.values(settings).every(isValue) ? (settings as Settings) : null;
}

/** The problems that the index lists, or that it shows: a later azx knows games that this app does not. */
function problemsOf({ game, format, problems = [] }: ListedEntry): readonly Problem[] {
  const listed = problems.length ? problems : gameProblems(game);
  // The TF.js artifact was installed, or all of them.
  return [null, "tfjs"].includes(format ?? null) ? listed : [...listed, problem("no_artifact")];
}

/** The problems that the name of a game shows already. */
export function gameProblems(game: string | null): readonly Problem[] {
  if (!game) return [problem("no_game")];
  return GAMES.has(game) ? [] : [problem("unknown_game", game)];
}
