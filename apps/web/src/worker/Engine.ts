/** What the worker does for the page: open a bundle, think, advise, test itself. */

import { Bundle, type Graph, type Playing } from "../bundle/Bundle";
import { take } from "../bundle/Given";
import type { Entry } from "../bundle/Index";
import { type Read, reader } from "../bundle/Store";
import type { State } from "../engine/State";
import { english } from "../texts/Fill";
import { use } from "./Backends";
import type { Advice, BackendName, Opened, Progress, Requests, Tested, Thought } from "./Messages";
import { Model } from "./Model";
import { Network } from "./Network";
import { answering, compare, evaluations, playouts, type Speed } from "./SelfTest";
import { Thinker } from "./Thinker";

// Where an evaluation takes longer than this on wasm, a graphics card may pay for the way to it and back.
const SLOW_MILLISECONDS = 15;
const MEASURED_SECONDS = 0.06;

/** A bundle whose files are here, and its network on a backend. */
interface Loaded {
  readonly bundle: Bundle;
  readonly playing: Playing;
  readonly graph: Graph;
  readonly network: Network;
  readonly thinker: Thinker;
  readonly backend: BackendName;
  readonly milliseconds: number;
}

/** A bundle that is not played: its self-test reads what it needs. */
interface Shown {
  readonly bundle: Bundle;
  readonly playing: null;
}

type Made = Pick<Loaded, "network" | "backend" | "milliseconds">;
type Playable = Pick<Loaded, "bundle" | "playing" | "graph">;

export class Engine {
  private loaded: Loaded | Shown | null = null;
  private readonly taken = new Map<string, Read>();

  /** Keep a bundle that a person has given to the page, in place of one of the same name. */
  async take({ given, names }: Requests["take"]): Promise<Entry> {
    const { entry, read } = await take(given, names);
    this.taken.set(entry.name, read);
    return entry;
  }

  async open({ entry, base, backend }: Requests["open"]): Promise<Opened> {
    if (this.loaded?.playing) this.loaded.network.model.dispose();
    this.loaded = null;
    const read = entry.isGiven ? this.readTaken(entry.name) : reader(entry, base);
    const bundle = await Bundle.open(entry.name, manifestEntry(entry), read);
    const { parameters } = bundle.manifest.checkpoint;
    // What azx has found at the installation holds as well, unless it was an older one that knew of less.
    const isTold = entry.problems.length >= bundle.problems.length;
    const problems = isTold ? entry.problems : bundle.problems;
    if (problems.length || !bundle.playing) {
      this.loaded = { bundle, playing: null };
      return { parameters, problems, playing: null, untestable: await whyUntestable(bundle) };
    }
    const playable = { bundle, playing: bundle.playing, graph: await bundle.graph() };
    const [made, refused] = await chosen(backend, playable);
    const thinker = new Thinker(bundle.playing.reading, made.network);
    this.loaded = { ...playable, ...made, thinker };
    const { hasValue, hasPolicy } = made.network;
    const { game, settings } = bundle.playing.reading;
    const { backend: inUse, milliseconds } = made;
    const playing = { game: game.name, settings, hasValue, hasPolicy, backend: inUse, refused, milliseconds };
    return { parameters, problems, playing, untestable: null };
  }

  think(
    { position, limit }: Requests["think"],
    isStopped: () => boolean,
    tell: (progress: Progress) => void,
  ): Promise<Thought> {
    return this.current().thinker.think(position, limit, isStopped, tell);
  }

  advise({ position }: Requests["advise"]): Promise<Advice> {
    return this.current().thinker.advise(position);
  }

  /** The self-test on one backend; afterwards the chosen one is in use again. */
  async test({ backend, seconds }: Requests["test"]): Promise<Tested> {
    const opened = this.loaded ?? nothing();
    const { bundle } = opened;
    const golden = await bundle.golden();
    const graph = opened.playing ? opened.graph : await bundle.graph();
    try {
      await use(backend);
      const model = await Model.load(bundle.manifest, graph);
      try {
        const rows = golden.map(({ inputs }) => inputs);
        const found = compare(golden, bundle.manifest, await model.answers(rows));
        const speed = opened.playing
          ? await playingSpeed(new Network(model, bundle.manifest, opened.playing), opened.playing, seconds)
          : { ...(await answering(model, rows, seconds)), playoutsPerSecond: null };
        const { perSecond: evaluationsPerSecond, milliseconds, playoutsPerSecond } = speed;
        return { backend, ...found, milliseconds, evaluationsPerSecond, playoutsPerSecond };
      } finally {
        model.dispose();
      }
    } finally {
      if (opened.playing) await use(opened.backend);
    }
  }

  private current(): Loaded {
    return this.loaded?.playing ? this.loaded : nothing();
  }

  private readTaken(name: string): Read {
    const read = this.taken.get(name);
    if (read) return read;
    throw new Error(english("error_forgotten", name));
  }
}

function nothing(): never {
  throw new Error(english("error_nothing_open"));
}

/** Why the self-test of a bundle cannot run; null where its files are there. */
async function whyUntestable(bundle: Bundle): Promise<string | null> {
  try {
    await bundle.graph();
    await bundle.golden();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function playingSpeed(
  network: Network,
  { reading }: Playing,
  seconds: number,
): Promise<Speed & { readonly playoutsPerSecond: number }> {
  const states = line(reading.start());
  const bare = await evaluations(network, states, seconds);
  return { ...bare, playoutsPerSecond: await playouts(network, states[0], seconds) };
}

function manifestEntry(entry: Entry): Entry["files"][number] {
  const found = entry.files.find(({ path }) => path === "manifest.json");
  if (found) return found;
  throw new Error(english("error_index_manifest", entry.name));
}

/** A network on one backend, after a first evaluation that proves that it runs, and a short measurement. */
async function make(backend: BackendName, { bundle, playing, graph }: Playable): Promise<Made> {
  await use(backend);
  const network = new Network(await Model.load(bundle.manifest, graph), bundle.manifest, playing);
  const states = [playing.reading.start()] as const;
  await network.evaluate(states);
  const { least } = await evaluations(network, states, MEASURED_SECONDS);
  return { network, backend, milliseconds: least };
}

/** On the backend that was asked for, or on what works and why. */
async function chosen(backend: BackendName | "auto", playable: Playable): Promise<[Made, string | null]> {
  if (backend === "auto") return [await fastest(playable), null];
  try {
    return [await make(backend, playable), null];
  } catch (error) {
    return [await fastest(playable), error instanceof Error ? error.message : String(error)];
  }
}

/** On wasm, or on webgl where that is faster for a slow network, or on what works. */
async function fastest(playable: Playable): Promise<Made> {
  const wasm = await make("wasm", playable).catch(() => null);
  if (wasm && wasm.milliseconds < SLOW_MILLISECONDS) return wasm;
  const webgl = await make("webgl", playable).catch(() => null);
  if (webgl && (!wasm || webgl.milliseconds < wasm.milliseconds)) {
    wasm?.network.model.dispose();
    return webgl;
  }
  webgl?.network.model.dispose();
  if (!wasm) return make("cpu", playable);
  await use("wasm");
  return wasm;
}

/** The first states of a game in which the middle one of the legal moves is played. */
function line(start: State): readonly [State, ...State[]] {
  const states: [State, ...State[]] = [start];
  for (let state = start; states.length < 8; states.push(state)) {
    const legal = state.legalActions();
    const middle = legal[legal.length >> 1];
    if (middle === undefined) break;
    state = state.apply(middle);
    if (state.isTerminal) break;
  }
  return states;
}
