/** The worker's door: requests are answered one after the other, a stop is heard at once. */

import { english } from "../texts/Fill";
import { Engine } from "./Engine";
import type { Answers, FromWorker, Kind, Progress, ToWorker } from "./Messages";
import { Queue } from "./Queue";

const engine = new Engine();
const queue = new Queue();
/** The bundle that was asked for last. */
let opened: string | null = null;

type Request = Exclude<ToWorker, { readonly kind: "stop" }>;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "stop") queue.stop();
  else queue.add((isStopped) => serve(data, isStopped));
});

async function serve(request: Request, isStopped: () => boolean): Promise<void> {
  const { id } = request;
  try {
    send({ id, kind: "done", answer: await answer(request, isStopped) });
  } catch (error) {
    send({ id, kind: "failed", sentence: sentenceOf(error) });
  }
}

/** What went wrong; a slip of the program itself names the bundle by which it came to light. */
function sentenceOf(error: unknown): string {
  const isSlip = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (!isSlip) return error instanceof Error ? error.message : String(error);
  return opened === null ? english("error_some_file") : english("error_file", opened);
}

function answer(given: Request, isStopped: () => boolean): Promise<Answers[Kind]> {
  switch (given.kind) {
    case "take":
      return engine.take(given.request);
    case "open":
      opened = given.request.entry.name;
      return engine.open(given.request);
    case "think":
      return engine.think(given.request, isStopped, (progress: Progress) =>
        send({ id: given.id, kind: "progress", progress }),
      );
    case "advise":
      return engine.advise(given.request);
    case "test":
      return engine.test(given.request);
  }
}

function send(message: FromWorker): void {
  self.postMessage(message);
}
