/** The page's end of the worker: requests as promises. */

import type { Answers, FromWorker, Kind, Progress, Requests } from "../worker/Messages";

interface Pending {
  readonly resolve: (answer: Answers[Kind]) => void;
  readonly reject: (error: Error) => void;
  readonly tell: (progress: Progress) => void;
}

export class Client {
  private readonly worker = new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" });
  private readonly pending = new Map<number, Pending>();
  private last = 0;

  constructor() {
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.hear(data));
    this.worker.addEventListener("error", ({ message }) => this.fail(message));
  }

  /** Ask the worker; rejected with an Error that has a sentence. `tell` hears of a thought's progress. */
  ask<K extends Kind>(
    kind: K,
    request: Requests[K],
    tell: (progress: Progress) => void = () => undefined,
  ): Promise<Answers[K]> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: (answer) => resolve(answer as Answers[K]), reject, tell });
      this.worker.postMessage({ id, kind, request });
    });
  }

  /** End the thought that is under way, if one is. */
  stop(): void {
    this.worker.postMessage({ kind: "stop" });
  }

  private hear(message: FromWorker): void {
    const waiting = this.pending.get(message.id);
    if (!waiting) return;
    if (message.kind === "progress") {
      waiting.tell(message.progress);
      return;
    }
    this.pending.delete(message.id);
    if (message.kind === "done") waiting.resolve(message.answer);
    else waiting.reject(new Error(message.sentence));
  }

  private fail(message: string): void {
    const error = new Error(
      `The part of this page that thinks has stopped (${message || "it did not start"}): load the page again.`,
    );
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}
