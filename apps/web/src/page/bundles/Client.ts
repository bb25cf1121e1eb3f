/** The page's end of the worker: requests as promises. */

import { BundleError, reasonOf, sentence } from "../../texts/Sentence";
import type { Answers, FromWorker, Kind, Requests, Update, Updates } from "../../worker/Messages";

interface Pending {
  readonly resolve: (answer: Answers[Kind]) => void;
  readonly reject: (error: Error) => void;
  readonly tell: (progress: Update) => void;
}

export class Client {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private last = 0;
  /** Why nothing is answered any more; it may be known before the first question. */
  private failure: Error | null = null;

  constructor() {
    try {
      this.worker = new Worker(new URL("../../worker/worker.ts", import.meta.url), { type: "module" });
    } catch (error) {
      this.fail(reasonOf(error));
      return;
    }
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.hear(data));
    this.worker.addEventListener("error", ({ message }) => this.fail(message));
    this.worker.addEventListener("messageerror", () => this.fail(undefined));
  }

  /**
   * Ask the worker; rejected with a BundleError, at once where the worker has failed before. `tell`
   * hears how far a thought, an analysis or a load is.
   */
  ask<K extends Kind>(
    kind: K,
    request: Requests[K],
    tell: (progress: Updates[K]) => void = () => undefined,
  ): Promise<Answers[K]> {
    const id = ++this.last;
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      const waiting = { reject, tell: (progress: Update) => tell(progress as Updates[K]) };
      this.pending.set(id, { ...waiting, resolve: (answer) => resolve(answer as Answers[K]) });
      this.worker?.postMessage({ id, kind, request });
    });
  }

  /** End the thought that is under way, if one is. */
  stop(): void {
    this.worker?.postMessage({ kind: "stop" });
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
    else waiting.reject(new BundleError(message.sentence));
  }

  /** A script that does not come has no message. */
  private fail(message: string | undefined): void {
    const why = reasonOf(message ?? "");
    this.failure = new BundleError(why ? sentence("error_thinker", why) : sentence("error_thinker_unsaid"));
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.pending.clear();
  }
}
