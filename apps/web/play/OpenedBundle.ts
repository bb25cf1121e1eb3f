/** A bundle opened by an app of your own: each file checked by its SHA-256, errors as sentences in English. */

import english from "../../texts/en.json";
import { Bundle } from "../src/bundle/Bundle";
import { MANIFEST } from "../src/bundle/Needed";
import { check, type Read } from "../src/bundle/Store";
import type { Evaluator } from "../src/engine/Evaluator";
import type { Game, Settings } from "../src/engine/Game";
import type { SearchSettings } from "../src/engine/SearchSettings";
import type { State } from "../src/engine/State";
import { type Argument, type Forms, fill, own } from "../src/texts/Fill";
import { BundleError } from "../src/texts/Sentence";
import { Network } from "../src/worker/Network";
import { TfModel } from "../src/worker/TfModel";

/** Reads a file of the bundle by its path in it, such as `manifest.json`. */
export type ReadFile = (path: string) => Promise<ArrayBuffer | Uint8Array>;

export interface OpenOptions {
  /** One of `OpenedBundle.readings`: how the network sees the board, if that is only assumed. */
  readonly reading?: string;
}

/** The network as a search asks it; its answers are float32. `dispose` frees what TF.js holds. */
export interface PlayingNetwork extends Evaluator {
  /** Whether it has a value; without one every evaluation's is 0. */
  readonly hasValue: boolean;
  /** Whether it has a policy; without one every evaluation's is null. */
  readonly hasPolicy: boolean;
  dispose(): void;
}

/** A bundle of a game that azx knows. */
export interface OpenedBundle {
  readonly name: string;
  readonly game: Game;
  /** Other ways in which the network may see the board; empty if its way is known, as for most. */
  readonly readings: readonly string[];
  /** How it is to be searched: `new Search(start, network, { proves: true, settings: bundle.search })`. */
  readonly search: SearchSettings;
  /** The first state on the board that the network plays, with more settings, such as `{ komi: 6.5 }`. */
  start(settings?: Settings): State;
  /** Load the network, on the backend of TF.js that is in use (`setBackend`). OpenError if TF.js cannot run it. */
  network(): Promise<PlayingNetwork>;
}

/** Why a bundle cannot be opened or run: one sentence. */
export class OpenError extends Error {
  override readonly name = "OpenError";
}

/**
 * Open a bundle that `azx export` wrote: `place` is its folder's address, or reads its files.
 *
 * OpenError if it is no bundle, is damaged, or is of no game that azx plays.
 */
export async function openBundle(place: string | URL | ReadFile, options: OpenOptions = {}): Promise<OpenedBundle> {
  const files = typeof place === "function" ? place : fetched(place);
  return inEnglish(async () => {
    const manifest = bytesOf(await files(MANIFEST));
    const named = nameIn(manifest);
    const read: Read = async (path, file) => {
      // The manifest has the hashes of all others, and nothing has its own.
      if (path === MANIFEST) return manifest;
      const bytes = bytesOf(await files(path));
      await check(bytes, file, named);
      return bytes;
    };
    const entry = { path: MANIFEST, sha256: "", size: manifest.byteLength };
    return opened(await Bundle.open(named, entry, read, [], options.reading ?? null), options.reading);
  });
}

function opened(bundle: Bundle, chosen: string | undefined): OpenedBundle {
  const { name, manifest, playing, doubt } = bundle;
  if (!playing) {
    const reasons = bundle.problems.map(({ code, places }) => say(`problem_${code}`, places, code));
    throw new OpenError(`Bundle '${name}' cannot be played: ${reasons.join("; ")}.`);
  }
  const readings = doubt?.others.map((other) => other.name) ?? [];
  if (chosen !== undefined && doubt?.chosen !== chosen) {
    const has = readings.length ? `it has ${readings.join(", ")}` : "its way to see the board is known";
    throw new OpenError(`Bundle '${name}' has no reading '${chosen}': ${has}.`);
  }
  return {
    name,
    game: playing.reading.game,
    readings,
    search: playing.search,
    start: (settings) => playing.reading.start(settings),
    network: () =>
      inEnglish(async () => {
        const network = new Network(await TfModel.load(manifest, await bundle.graph()), manifest, playing);
        return Object.assign(network, { dispose: () => network.model.dispose() });
      }),
  };
}

/** Files by their addresses below a folder's. */
function fetched(folder: string | URL): ReadFile {
  return async (path) => {
    const address = `${String(folder).replace(/\/$/, "")}/${path.split("/").map(encodeURIComponent).join("/")}`;
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) {
      const why = answer ? `the server answers ${answer.status}` : "nothing answers there";
      throw new OpenError(`'${address}' cannot be read, ${why}: give the folder that azx export wrote.`);
    }
    return answer.arrayBuffer();
  };
}

/** The bytes alone; a view may have others beside them. */
function bytesOf(read: ArrayBuffer | Uint8Array): ArrayBuffer {
  return read instanceof ArrayBuffer ? read : Uint8Array.from(read).buffer;
}

/** What the manifest calls the bundle, for sentences about it. */
function nameIn(manifest: ArrayBuffer): string {
  try {
    const { name } = JSON.parse(new TextDecoder().decode(manifest)) as { name?: unknown };
    return typeof name === "string" ? name : "bundle";
  } catch {
    return "bundle";
  }
}

/** What `work` gives; what it says in no language yet becomes English. */
async function inEnglish<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    throw new OpenError(say(error.sentence.key, error.sentence.places, error.message), { cause: error });
  }
}

const TEXTS = english as unknown as Readonly<Record<string, string | Forms | { readonly web: string | Forms }>>;

/** A text with its places filled; a code of a later azx, which has none here, is said as a reason that is not known. */
function say(key: string, places: readonly Argument[], code: string): string {
  const text = TEXTS[key];
  const found = text === undefined ? null : own<string | Forms>(text);
  return typeof found === "string" ? fill(found, places) : fill(english.problem_unknown, [code]);
}
