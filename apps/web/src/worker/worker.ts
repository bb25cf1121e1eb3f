/** The worker's door: requests are answered one after the other, a stop is heard at once. */

import { Engine } from "./Engine";
import type { Answers, FromWorker, Kind, Progress, ToWorker } from "./Messages";

const engine = new Engine();
let last: Promise<void> = Promise.resolve();

type Request = Exclude<ToWorker, { readonly kind: "stop" }>;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "stop") engine.stop();
  else last = last.then(() => serve(data));
});

async function serve(request: Request): Promise<void> {
  const { id } = request;
  try {
    send({ id, kind: "done", answer: await answer(request) });
  } catch (error) {
    send({ id, kind: "failed", sentence: error instanceof Error ? error.message : String(error) });
  }
}

function answer(given: Request): Promise<Answers[Kind]> {
  switch (given.kind) {
    case "open":
      return engine.open(given.request);
    case "think":
      return engine.think(given.request, (progress: Progress) => send({ id: given.id, kind: "progress", progress }));
    case "advise":
      return engine.advise(given.request);
    case "test":
      return engine.test(given.request);
  }
}

function send(message: FromWorker): void {
  self.postMessage(message);
}
