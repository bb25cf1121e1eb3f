/** What a network does for the page: it is opened, thinks, advises, and is tested. TF.js comes with it, LiteRT.js later. */

import type { Bundle, Graph, Playing } from "../bundle/Bundle";
import { calculationOf } from "../bundle/Calculation";
import type { Limits } from "../bundle/Lite";
import { countCompared } from "../bundle/Manifest";
import type { State } from "../engine/State";
import { BundleError, type Sentence, sentence, sentenceOf } from "../texts/Sentence";
import { use } from "./Backends";
import { judge } from "./Gate";
import {
  type Advice,
  type Analysis,
  type Answers,
  type BackendName,
  isOnLite,
  isSmall,
  LITE_BACKENDS,
  type LiteBackendName,
  type OpenBundle,
  PRECISION_OF,
  type Progress,
  type Requests,
  type RuntimeChoice,
  type Subject,
  type TestResult,
  TF_BACKENDS,
  type Thought,
} from "./Messages";
import { answers, type Model } from "./Model";
import { Network } from "./Network";
import { answerSpeed, compare, evaluations, playouts, type Speed } from "./SelfTest";
import type { FetchedBundle } from "./Shelf";
import { TfModel } from "./TfModel";
import { Thinker } from "./Thinker";

// Where an evaluation takes longer than this on wasm, a graphics card may pay for the way to it and back.
const SLOW_MILLISECONDS = 15;
const MEASURED_SECONDS = 0.06;
// Below this nothing is gained that a person would notice, and LiteRT.js's 2.8 MB are not worth it.
const QUICK_MILLISECONDS = 1;
// How much less of the time it has to take: what is as fast would change with every measurement.
const FASTER = 0.9;

/** A bundle whose files are here, and its network on a backend. */
interface LoadedBundle {
  readonly bundle: Bundle;
  readonly playing: Playing;
  readonly graph: Graph;
  readonly network: Network;
  readonly thinker: Thinker;
  readonly backend: BackendName;
  readonly milliseconds: number;
}

/** A backend that may be faster than the one that plays, with its file loaded and its runtime started; or why it is not. */
export interface Faster {
  readonly than: LoadedBundle;
  readonly backend: LiteBackendName;
  readonly refused: Sentence | null;
}

/** A bundle that is not played: its self-test reads what it needs. */
interface ShownBundle {
  readonly bundle: Bundle;
  readonly playing: null;
}

type StartedNetwork = Pick<LoadedBundle, "network" | "backend" | "milliseconds">;
type Playable = Pick<LoadedBundle, "bundle" | "playing" | "graph">;

export class Engine {
  private loaded: LoadedBundle | ShownBundle | null = null;
  /** A second one, which plays against the one that is open. */
  private guest: LoadedBundle | null = null;

  /** Start the backend that is most likely to be needed. */
  async prepare(backend: BackendName | "auto"): Promise<void> {
    if (backend !== "auto" && isOnLite(backend)) await (await lite()).start();
    else await use(backend === "auto" ? "wasm" : backend);
  }

  /** Take a bundle whose files are here, in place of the one before it. */
  async open(
    { bundle, problems, playable: found, untestable }: FetchedBundle,
    backend: BackendName | "auto",
  ): Promise<OpenBundle> {
    if (this.loaded?.playing) this.loaded.network.model.dispose();
    this.loaded = null;
    this.dismiss();
    const { manifest } = bundle;
    const [{ parameters }, compared] = [manifest.checkpoint, countCompared(manifest)];
    const calculation = calculationOf(manifest, manifest.recommended.web);
    const about = { parameters, compared, calculation };
    const small = bundle.small ? [bundle.small.precision] : [];
    const subjects = [...TF_BACKENDS, ...small, ...litesOf(bundle)];
    if (!found) {
      this.loaded = { bundle, playing: null };
      return { ...about, problems, subjects, playing: null, doubt: null, untestable };
    }
    const [loaded, refused] = await load(backend, { bundle, ...found });
    this.loaded = loaded;
    const { hasValue, hasPolicy } = loaded.network;
    const { game, settings } = found.playing.reading;
    const { backend: inUse, milliseconds } = loaded;
    const { precision } = bundle.played;
    const playing = {
      game: game.name,
      settings,
      hasValue,
      hasPolicy,
      backend: inUse,
      precision,
      refused,
      milliseconds,
    };
    return { ...about, problems, subjects, playing, doubt: bundle.doubt, untestable: null };
  }

  /** Take a second bundle whose files are here, in place of the second one before it. */
  async invite({ bundle, playable }: FetchedBundle, backend: BackendName | "auto"): Promise<Answers["invite"]> {
    this.dismiss();
    if (!playable) return null;
    [this.guest] = await load(backend, { bundle, ...playable });
    const { game, settings } = playable.playing.reading;
    return { game: game.name, settings };
  }

  private dismiss(): void {
    this.guest?.network.model.dispose();
    this.guest = null;
  }

  /** Fetch what may be faster, beside whatever else is done: its file, and LiteRT.js. null if there is nothing. */
  async fetchFaster(): Promise<Faster | null> {
    const than = this.loaded;
    if (!than?.playing || isOnLite(than.backend) || than.milliseconds < QUICK_MILLISECONDS) return null;
    // 8 bits before 32.
    const backend = litesOf(than.bundle).at(-1);
    if (!backend) return null;
    try {
      await (await lite()).start();
      await than.bundle.liteFile(PRECISION_OF[backend]);
      return { than, backend, refused: null };
    } catch (error) {
      return { than, backend, refused: sentenceOf(error) };
    }
  }

  /** Play on with what was fetched if it is faster here; null if another bundle has been opened meanwhile. */
  async quicken({ than, backend, refused }: Faster): Promise<RuntimeChoice | null> {
    if (this.loaded !== than) return null;
    const stays = { backend: than.backend, milliseconds: than.milliseconds };
    if (refused !== null) return { ...stays, refused };
    try {
      const made = await make(backend, than);
      await this.one();
      const { least } = await evaluations(than.network, [than.playing.reading.start()], MEASURED_SECONDS);
      if (made.milliseconds > FASTER * least) {
        made.network.model.dispose();
        return { ...stays, refused: null };
      }
      than.network.model.dispose();
      this.loaded = { ...than, ...made, thinker: new Thinker(than.playing.reading, made.network, than.playing.search) };
      return { backend, milliseconds: made.milliseconds, refused: null };
    } catch (error) {
      return { ...stays, refused: sentenceOf(error) };
    }
  }

  async think(
    { position, limit, passes, by }: Requests["think"],
    isStopped: () => boolean,
    tell: (progress: Progress) => void,
  ): Promise<Thought> {
    return (await this.one(by)).thinker.think(position, limit, isStopped, tell, passes);
  }

  async analyse(
    request: Requests["analyse"],
    isStopped: () => boolean,
    tell: (found: Analysis) => void,
  ): Promise<Analysis> {
    return (await this.one()).thinker.analyse(request, isStopped, tell);
  }

  async advise({ position, by }: Requests["advise"]): Promise<Advice> {
    return (await this.one(by)).thinker.advise(position);
  }

  /** The self-test on one backend; afterwards the chosen one is in use again. */
  async test({ backend, seconds }: Requests["test"]): Promise<TestResult> {
    const opened = this.loaded ?? nothing();
    const { bundle } = opened;
    const golden = await bundle.golden();
    try {
      const model = await modelToTest(backend, opened);
      try {
        const rows = golden.map(({ inputs }) => inputs);
        const limits = limitsOf(bundle, backend);
        const answered = await answers(model, bundle.manifest, rows);
        const comparison = limits
          ? judge(golden, bundle.manifest, answered, limits)
          : compare(golden, bundle.manifest, answered);
        const speed = opened.playing
          ? await playingSpeed(new Network(model, bundle.manifest, opened.playing), opened.playing, seconds)
          : { ...(await answerSpeed(model, bundle.manifest, rows, seconds)), playoutsPerSecond: null };
        const { perSecond: evaluationsPerSecond, milliseconds, playoutsPerSecond } = speed;
        return { backend, ...comparison, milliseconds, evaluationsPerSecond, playoutsPerSecond };
      } finally {
        model.dispose();
      }
    } finally {
      if (opened.playing && !isOnLite(opened.backend)) await use(opened.backend);
    }
  }

  /** The one of the two whose bundle has this name, the one that is open if none is said; its backend is in use. */
  private async one(by?: string): Promise<LoadedBundle> {
    const { guest } = this;
    const own = this.loaded?.playing ? this.loaded : nothing();
    const loaded = [own, guest].find((each) => each && (by === undefined || each.bundle.name === by)) ?? nothing();
    // It costs nothing if both are on one backend.
    if (guest && !isOnLite(loaded.backend)) await use(loaded.backend);
    return loaded;
  }
}

function nothing(): never {
  throw new BundleError(sentence("error_nothing_open"));
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

/** LiteRT.js, which is loaded only when it is asked for. */
async function lite(): Promise<typeof import("./Lite")> {
  return import("./Lite").catch((error) => {
    throw new BundleError(sentence("error_lite_missing"), { cause: error });
  });
}

/** The backends on which a bundle's `.tflite` files run, those with 8 bits last. */
function litesOf(bundle: Bundle): readonly LiteBackendName[] {
  return LITE_BACKENDS.filter((name) => bundle.lite.some(({ precision }) => precision === PRECISION_OF[name]));
}

/** What an approximation may differ by; null for what has to be equal. */
function limitsOf({ lite, small, played }: Bundle, backend: Subject): Limits | null {
  // Where nothing was made in full precision, what there is may differ as well.
  if (!isOnLite(backend)) return small && !isSmall(backend) ? null : played.limits;
  return lite.find(({ precision }) => precision === PRECISION_OF[backend])?.limits ?? null;
}

/** What is tested, where it runs: in full precision, or what plays on its own backend. */
async function modelToTest(subject: Subject, opened: LoadedBundle | ShownBundle): Promise<Model> {
  const { bundle } = opened;
  if (isOnLite(subject)) return liteModel(subject, bundle);
  const own = opened.playing && !isOnLite(opened.backend) ? opened.backend : "wasm";
  if (isSmall(subject)) return modelOn(own, bundle, opened.playing ? opened.graph : await bundle.graph());
  const isHere = opened.playing && bundle.small === null;
  return modelOn(subject, bundle, isHere ? opened.graph : await bundle.fullGraph());
}

async function modelOn(backend: BackendName, bundle: Bundle, graph: Graph): Promise<Model> {
  if (isOnLite(backend)) return liteModel(backend, bundle);
  await use(backend);
  return TfModel.load(bundle.manifest, graph);
}

async function liteModel(backend: LiteBackendName, bundle: Bundle): Promise<Model> {
  const bytes = await bundle.liteFile(PRECISION_OF[backend]);
  return (await lite()).LiteModel.load(bundle.manifest, bytes);
}

/** A network on one backend, after a first evaluation that proves that it runs, and a short measurement. */
async function make(backend: BackendName, { bundle, playing, graph }: Playable): Promise<StartedNetwork> {
  const network = new Network(await modelOn(backend, bundle, graph), bundle.manifest, playing);
  const states = [playing.reading.start()] as const;
  await network.evaluate(states);
  const { least } = await evaluations(network, states, MEASURED_SECONDS);
  return { network, backend, milliseconds: least };
}

/** A bundle's network with the search above it, on the backend that was asked for, or on what works and why. */
async function load(backend: BackendName | "auto", playable: Playable): Promise<[LoadedBundle, Sentence | null]> {
  const [made, refused] = await makeChosen(backend, playable);
  const thinker = new Thinker(playable.playing.reading, made.network, playable.playing.search);
  return [{ ...playable, ...made, thinker }, refused];
}

/** A network on the backend that was asked for; else on one that works, with the reason. */
async function makeChosen(
  backend: BackendName | "auto",
  playable: Playable,
): Promise<[StartedNetwork, Sentence | null]> {
  if (backend === "auto") return [await fastest(playable), null];
  try {
    return [await make(backend, playable), null];
  } catch (error) {
    return [await fastest(playable), sentenceOf(error)];
  }
}

/** On wasm, or on webgl if that is faster for a slow network, or on what works. */
async function fastest(playable: Playable): Promise<StartedNetwork> {
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
