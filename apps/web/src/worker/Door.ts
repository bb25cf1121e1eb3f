/** The worker's door: files come at once, the network answers one request after the other, a stop is heard at once. */

import type { Entry } from "../bundle/Index";
import { bytesOf } from "../bundle/Needed";
import { BundleError, type Sentence, sentence, sentenceOf } from "../texts/Sentence";
import type { Engine } from "./Engine";
import type { Answers, FromWorker, Kind, OpenBundle, Requests, RuntimeChoice, ToWorker, Update } from "./Messages";
import { Queue } from "./Queue";
import { type FetchedBundle, Shelf } from "./Shelf";

const shelf = new Shelf();
const queue = new Queue();
// TF.js comes while the first bundle's files do.
const engine: Promise<Engine> = import("./Engine").then(({ Engine }) => new Engine());
engine.catch(() => undefined);
/** The load that is wanted, and what is fetched ahead while none is. */
let [wanted, ahead] = [new AbortController(), new AbortController()];
let isPrepared = false;
/** The bundle that was asked for last. */
let opened: string | null = null;
/** What was asked for as a second one beside it, and what came of that. */
let invited: { readonly key: string; readonly answer: Promise<Answers["invite"]> } | null = null;

type Request = Exclude<ToWorker, { readonly kind: "stop" }>;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "stop") queue.stop();
  else void serve(data);
});

async function serve(request: Request): Promise<void> {
  const { id } = request;
  try {
    send({ id, kind: "done", answer: await answer(request) });
  } catch (error) {
    send({ id, kind: "failed", sentence: failureOf(error) });
  }
}

/** What went wrong; a slip of the program itself names the bundle by which it came to light. */
function failureOf(error: unknown): Sentence {
  const isSlip = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (!isSlip) return sentenceOf(error);
  return opened === null ? sentence("error_some_file") : sentence("error_file", opened);
}

type Tell = (progress: Update) => void;

const ANSWERS: { readonly [K in Kind]: (request: Requests[K], tell: Tell) => Promise<Answers[K]> } = {
  take: (request) => shelf.take(request),
  recall: (request) => shelf.recall(request),
  remove: (request) => shelf.remove(request),
  open,
  invite,
  quicken,
  keep,
  think: (request, tell) => enqueue((network, isStopped) => network.think(request, isStopped, tell)),
  advise: (request) => enqueue((network) => network.advise(request)),
  analyse: (request, tell) => enqueue((network, isStopped) => network.analyse(request, isStopped, tell)),
  test: (request) => enqueue((network) => network.test(request)),
};

function answer({ id, kind, request }: Request): Promise<Answers[Kind]> {
  const act = ANSWERS[kind] as (request: Requests[Kind], tell: Tell) => Promise<Answers[Kind]>;
  return act(request, (progress) => send({ id, kind: "progress", progress }));
}

/** Open a bundle. One that was asked for before it and has not come yet is not wanted any more. */
function open(request: Requests["open"], tell: Tell): Promise<OpenBundle> {
  const { entry, backend } = request;
  opened = entry.name;
  invited = null;
  prepare(backend);
  wanted.abort();
  wanted = new AbortController();
  return bring(request, tell, (network, fetched) => network.open(fetched, backend));
}

/** Fetch a bundle, and let the network take it unless another one is wanted by then. */
async function bring<Answer>(
  { entry, base, reading }: Requests["open"],
  tell: Tell,
  take: (network: Engine, fetched: FetchedBundle) => Promise<Answer>,
): Promise<Answer> {
  ahead.abort();
  const { signal } = wanted;
  const fetched = await shelf.fetch(entry, base, { signal, tell: countingFor(entry, tell) }, reading);
  return enqueue((network) => {
    signal.throwIfAborted();
    return take(network, fetched);
  });
}

/** Load a second bundle beside the open one; one that is loaded already costs nothing. The next `open` ends it. */
function invite(request: Requests["invite"], tell: Tell): Promise<Answers["invite"]> {
  const key = JSON.stringify(request);
  if (invited?.key === key) return invited.answer;
  const answer = bring(request, tell, (network, fetched) => network.invite(fetched, request.backend));
  const mine = { key, answer };
  invited = mine;
  // What did not come may come when it is asked for again.
  mine.answer.catch(() => {
    if (invited === mine) invited = null;
  });
  return mine.answer;
}

/** Hears of bytes, and tells how many of a bundle's have come. */
function countingFor(entry: Entry, tell: Tell): (bytes: number) => void {
  const total = bytesOf(entry);
  let received = 0;
  return (bytes) => {
    received += bytes;
    tell({ received, total });
  };
}

/** Load the backend while the first bundle's files come; a failure is reported when a network needs the backend. */
function prepare(backend: Requests["open"]["backend"]): void {
  if (isPrepared) return;
  isPrepared = true;
  enqueue((network) => network.prepare(backend)).catch(() => undefined);
}

/** Have LiteRT.js come beside all else; the network changes to it between two requests. */
async function quicken(): Promise<RuntimeChoice | null> {
  const faster = await (await startEngine()).fetchFaster();
  return faster && enqueue((network) => network.quicken(faster));
}

async function keep({ entry, base }: Requests["keep"]): Promise<null> {
  ahead.abort();
  ahead = new AbortController();
  await shelf.keep(entry, base, ahead.signal);
  return null;
}

/** Let the network do something after everything that was asked of it before. */
function enqueue<Answer>(act: (network: Engine, isStopped: () => boolean) => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    queue.add(async (isStopped) => {
      try {
        resolve(await act(await startEngine(), isStopped));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function startEngine(): Promise<Engine> {
  return engine.catch((error) => {
    throw new BundleError(sentence("error_engine"), { cause: error });
  });
}

function send(message: FromWorker): void {
  self.postMessage(message);
}
