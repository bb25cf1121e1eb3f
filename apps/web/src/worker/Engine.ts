/** What the worker does for the page: open a bundle, think, advise, test itself. */

import { Bundle, type Graph } from "../bundle/Bundle";
import type { Entry } from "../bundle/Index";
import { reader } from "../bundle/Store";
import type { State } from "../engine/State";
import { use } from "./Backends";
import type { Advice, BackendName, Opened, Progress, Requests, Tested, Thought } from "./Messages";
import { Network } from "./Network";
import { compare, evaluations, playouts } from "./SelfTest";
import { Thinker } from "./Thinker";

// Where an evaluation takes longer than this on wasm, a graphics card may pay for the way to it and back.
const SLOW_MILLISECONDS = 15;
const MEASURED_SECONDS = 0.06;

/** A bundle whose files are here, and its network on a backend. */
interface Loaded {
  readonly bundle: Bundle;
  readonly graph: Graph;
  readonly network: Network;
  readonly thinker: Thinker;
  readonly backend: BackendName;
  readonly milliseconds: number;
}

type Made = Pick<Loaded, "network" | "backend" | "milliseconds">;

export class Engine {
  private loaded: Loaded | null = null;

  async open({ entry, base, backend }: Requests["open"]): Promise<Opened> {
    this.loaded?.network.dispose();
    this.loaded = null;
    const bundle = await Bundle.open(entry.name, manifestEntry(entry), reader(entry, base));
    const graph = await bundle.graph();
    const [made, refused] = await chosen(backend, bundle, graph);
    this.loaded = { bundle, graph, ...made, thinker: new Thinker(bundle.reading, made.network) };
    const { parameters } = bundle.manifest.checkpoint;
    const {
      network: { hasValue },
      milliseconds,
    } = made;
    return { settings: bundle.reading.settings, parameters, hasValue, backend: made.backend, refused, milliseconds };
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
    const { bundle, graph, backend: chosen } = this.current();
    const golden = await bundle.golden();
    try {
      const { network } = await make(backend, bundle, graph);
      try {
        const found = await compare(golden, bundle.manifest, (data) => network.outputs(data));
        const states = line(bundle.reading.start());
        const bare = await evaluations(network, states, seconds);
        const playoutsPerSecond = await playouts(network, states[0], seconds);
        const { perSecond: evaluationsPerSecond, milliseconds } = bare;
        return { backend, ...found, milliseconds, evaluationsPerSecond, playoutsPerSecond };
      } finally {
        network.dispose();
      }
    } finally {
      await use(chosen);
    }
  }

  private current(): Loaded {
    if (this.loaded) return this.loaded;
    throw new Error("No bundle is open: choose one first.");
  }
}

function manifestEntry(entry: Entry): Entry["files"][number] {
  const found = entry.files.find(({ path }) => path === "manifest.json");
  if (found) return found;
  throw new Error(`Bundle '${entry.name}': the index does not list its manifest.json: install the bundle again.`);
}

/** A network on one backend, after a first evaluation that proves that it runs, and a short measurement. */
async function make(backend: BackendName, bundle: Bundle, graph: Graph): Promise<Made> {
  await use(backend);
  const network = await Network.load(bundle, graph);
  const states = [bundle.reading.start()] as const;
  await network.evaluate(states);
  const { least } = await evaluations(network, states, MEASURED_SECONDS);
  return { network, backend, milliseconds: least };
}

/** On the backend that was asked for, or on what works and why. */
async function chosen(backend: BackendName | "auto", bundle: Bundle, graph: Graph): Promise<[Made, string | null]> {
  if (backend === "auto") return [await fastest(bundle, graph), null];
  try {
    return [await make(backend, bundle, graph), null];
  } catch (error) {
    return [await fastest(bundle, graph), error instanceof Error ? error.message : String(error)];
  }
}

/** On wasm, or on webgl where that is faster for a slow network, or on what works. */
async function fastest(bundle: Bundle, graph: Graph): Promise<Made> {
  const wasm = await make("wasm", bundle, graph).catch(() => null);
  if (wasm && wasm.milliseconds < SLOW_MILLISECONDS) return wasm;
  const webgl = await make("webgl", bundle, graph).catch(() => null);
  if (webgl && (!wasm || webgl.milliseconds < wasm.milliseconds)) {
    wasm?.network.dispose();
    return webgl;
  }
  webgl?.network.dispose();
  if (!wasm) return make("cpu", bundle, graph);
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
