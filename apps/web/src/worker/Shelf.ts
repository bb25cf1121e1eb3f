/** Where the bundles' files come from: the host, the browser's memory of it, or a person. TF.js is not needed here. */

import { Bundle, type Graph, type Playing } from "../bundle/Bundle";
import { forgetGiven, keepGiven, keptBundles, keptReader } from "../bundle/given/StoredBundles";
import type { Entry, FileEntry } from "../bundle/Index";
import { isNeeded, MANIFEST } from "../bundle/Needed";
import { type Problem, uniteProblems } from "../bundle/Problem";
import { type How, keep, type Read, reader } from "../bundle/Store";
import { BundleError, type Sentence, sentence, sentenceOf } from "../texts/Sentence";
import type { Answers, Requests } from "./Messages";

/** A bundle whose files are here: its network, or why it has none that is played. */
export interface FetchedBundle {
  readonly bundle: Bundle;
  /** Why it cannot be played; empty if it can. */
  readonly problems: readonly Problem[];
  /** null if it cannot be played. */
  readonly playable: { readonly playing: Playing; readonly graph: Graph } | null;
  /** Of what cannot be played, why its self-test cannot run either; null if it can. */
  readonly untestable: Sentence | null;
}

export class Shelf {
  /** Of what a person has given and the browser does not keep. */
  private readonly taken = new Map<string, Read>();

  /** Keep a bundle that a person has given to the page, in place of one of the same name: else for this visit. */
  async take({ given, names }: Requests["take"]): Promise<Answers["take"]> {
    // Only a person who gives a bundle needs the reader of .zip files.
    const { take, readerOf } = await import("../bundle/given/Given");
    const { entry, files, unlisted } = await take(given, names);
    const unkept = await keepGiven(entry, files);
    if (unkept === null) this.taken.delete(entry.name);
    else this.taken.set(entry.name, readerOf(files, entry.name));
    return { entry: { ...entry, isKept: unkept === null }, unkept, unlisted };
  }

  /** What was given on earlier visits. One that is damaged is listed as it was, and says so when it is opened. */
  async recall({ names }: Requests["recall"]): Promise<readonly Entry[]> {
    const entries = await keptBundles(names);
    if (!entries.length) return entries;
    const { judgeAnew } = await import("../bundle/given/Given");
    return Promise.all(entries.map((entry) => judgeAnew(entry, keptReader(entry)).catch(() => entry)));
  }

  async remove({ name }: Requests["remove"]): Promise<null> {
    await forgetGiven(name);
    this.taken.delete(name);
    return null;
  }

  /** The files of a bundle that its game needs, read as a person has `chosen` where its own reading is only assumed. */
  async fetch(entry: Entry, base: string, how: How = {}, chosen: string | null = null): Promise<FetchedBundle> {
    const read = entry.isGiven ? this.readGiven(entry) : atOnce(entry, reader(entry, base, how));
    const paths = entry.files.map(({ path }) => path);
    const bundle = await Bundle.open(entry.name, manifestEntry(entry), read, paths, chosen, entry.artifact);
    // What azx found at the installation counts too.
    const problems = uniteProblems(entry.problems, bundle.problems);
    const { playing } = bundle;
    if (problems.length || !playing)
      return { bundle, problems, playable: null, untestable: await whyUntestable(bundle) };
    return { bundle, problems, playable: { playing, graph: await bundle.graph() }, untestable: null };
  }

  /** Fetch what is not kept of a bundle yet, behind all else, so that it is there without a network as well. */
  async keep(entry: Entry, base: string, signal: AbortSignal): Promise<void> {
    if (!entry.isGiven) await keep(entry, base, { signal, isLast: true });
  }

  private readGiven(entry: Entry): Read {
    const { name, isKept } = entry;
    const read = isKept ? keptReader(entry) : this.taken.get(name);
    if (read) return read;
    throw new BundleError(sentence("error_forgotten", name));
  }
}

/**
 * Reads as `read` does, with all that the index names on its way at once: on a slow line it would be a wait each for the
 * manifest, the network's description and its weights. The manifest's word counts, where it is another.
 */
function atOnce(entry: Entry, read: Read): Read {
  // Without an artifact the index tells no network from another.
  if (entry.problems.length || typeof entry.artifact !== "string") return read;
  const files = entry.files.filter((file) => isNeeded(entry, file));
  const coming = new Map(files.map((file) => [file.path, { file, bytes: read(file.path, file) }]));
  for (const { bytes } of coming.values()) bytes.catch(() => undefined);
  return (path, file) => {
    const ahead = coming.get(path);
    // Each file once, so that a network's bytes are not held longer than needed.
    coming.delete(path);
    return ahead && ahead.file.sha256 === file.sha256 && ahead.file.size === file.size ? ahead.bytes : read(path, file);
  };
}

/** Why the self-test of a bundle cannot run; null if its files are there. */
async function whyUntestable(bundle: Bundle): Promise<Sentence | null> {
  try {
    await bundle.graph();
    await bundle.golden();
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}

function manifestEntry(entry: Entry): FileEntry {
  const file = entry.files.find(({ path }) => path === MANIFEST);
  if (file) return file;
  throw new BundleError(sentence("error_index_manifest", entry.name));
}
