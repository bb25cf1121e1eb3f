/** What a network does for the page: it is opened, thinks, advises, and is tested. TF.js comes with it. */

import type { Bundle, Graph, Playing } from "../bundle/Bundle";
import { comparedIn } from "../bundle/Manifest";
import type { State } from "../engine/State";
import { english } from "../texts/Fill";
import { Analyst } from "./Analyst";
import { use } from "./Backends";
import type { Advice, Analysis, BackendName, Opened, Progress, Requests, Tested, Thought } from "./Messages";
import { Model } from "./Model";
import { Network } from "./Network";
import { answering, compare, evaluations, playouts, type Speed } from "./SelfTest";
import type { Fetched } from "./Shelf";
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

  /** Start the backend that is wanted most probably. */
  prepare(backend: BackendName | "auto"): Promise<void> {
    return use(backend === "auto" ? "wasm" : backend);
  }

  /** Take a bundle whose files are here, in place of the one before it. */
  async open(
    { bundle, problems, playable: found, untestable }: Fetched,
    backend: BackendName | "auto",
  ): Promise<Opened> {
    if (this.loaded?.playing) this.loaded.network.model.dispose();
    this.loaded = null;
    const [{ parameters }, compared] = [bundle.manifest.checkpoint, comparedIn(bundle.manifest)];
    if (!found) {
      this.loaded = { bundle, playing: null };
      return { parameters, compared, problems, playing: null, untestable };
    }
    const playable = { bundle, ...found };
    const [made, refused] = await chosen(backend, playable);
    const thinker = new Thinker(found.playing.reading, made.network);
    this.loaded = { ...playable, ...made, thinker };
    const { hasValue, hasPolicy } = made.network;
    const { game, settings } = found.playing.reading;
    const { backend: inUse, milliseconds } = made;
    const playing = { game: game.name, settings, hasValue, hasPolicy, backend: inUse, refused, milliseconds };
    return { parameters, compared, problems, playing, untestable: null };
  }

  think(
    { position, limit, passes }: Requests["think"],
    isStopped: () => boolean,
    tell: (progress: Progress) => void,
  ): Promise<Thought> {
    return this.current().thinker.think(position, limit, isStopped, tell, passes);
  }

  analyse(request: Requests["analyse"], isStopped: () => boolean): Promise<Analysis> {
    const { playing, network } = this.current();
    return new Analyst(playing.reading, network).analyse(request, isStopped);
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
}

function nothing(): never {
  throw new Error(english("error_nothing_open"));
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
