/** Loads while the page is idle: the app itself and other bundles, for offline use, and a faster runtime. */

import type { Entry } from "../../bundle/Index";
import { bytesOf } from "../../bundle/Needed";
import { readStored, store } from "../dom/Storage";
import type { Client } from "./Client";

// The same message as in offline/Shell.ts, which is a program of its own.
const LATER = "later";
// What the browser remembers by.
const RUNTIME = "litert";

// Nobody has asked for what comes here: with the app itself it is a megabyte at most. Other bundles are kept when they are
// opened.
const MOST_BYTES = 0.6e6;
const IDLE_MILLISECONDS = 5000;

export class Ahead {
  private app: (() => Promise<void>) | null = null;
  private faster: (() => Promise<void>) | null = null;
  private left: readonly Entry[] = [];
  private isPaused = true;
  /** Goes up with every load that is wanted. */
  private pauses = 0;
  private isBusy = false;

  constructor(
    private readonly client: Client,
    private readonly base: string,
  ) {}

  /** Keep the app, by `app`, and then these, the smallest first; what is kept already costs nothing. */
  take(app: () => Promise<void>, entries: readonly Entry[]): void {
    this.app = app;
    const sorted = [...entries].sort((one, two) => bytesOf(one) - bytesOf(two));
    const upTo = (at: number): number => sorted.slice(0, at + 1).reduce((sum, entry) => sum + bytesOf(entry), 0);
    this.left = isSparing() ? [] : sorted.filter((_, at) => upTo(at) <= MOST_BYTES);
    void this.go();
  }

  /** A load is wanted: it ends what is fetched ahead. */
  pause(): void {
    this.isPaused = true;
    this.pauses++;
  }

  /** The page is idle again; then `faster` may load the open network into a faster runtime. */
  resume(faster: (() => Promise<void>) | null = null): void {
    this.isPaused = false;
    this.faster = isSparing() ? null : faster;
    void this.go();
  }

  private async go(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    await idle();
    while (!this.isPaused && (await this.bringNext()));
    this.isBusy = false;
  }

  /** Load what is first in the list now, which `take` and `resume` may have changed; false at its end. */
  private async bringNext(): Promise<boolean> {
    const { app, faster } = this;
    const [entry] = this.left;
    if (app) {
      this.app = null;
      await app();
    } else if (faster) {
      this.faster = null;
      await faster();
    } else if (entry) {
      const { pauses } = this;
      await this.client.ask("keep", { entry, base: this.base }).catch(() => null);
      // One that was cut off comes again; one that cannot be had says so when it is opened.
      if (pauses === this.pauses) this.left = this.left.filter((each) => each !== entry);
    } else return false;
    return true;
  }
}

/** Whether LiteRT.js has run here: then a person has chosen it, and it is kept. */
export const hasRuntime = (): boolean => readStored(RUNTIME) !== null;

/** Let the service worker keep LiteRT.js once it runs here: the next visit may be offline. */
export async function keepRuntime(): Promise<void> {
  store(RUNTIME, "on");
  if (!("serviceWorker" in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(LATER);
}

/** Whether the person pays for every byte, or has asked for as few as possible. */
function isSparing(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (!("requestIdleCallback" in globalThis)) setTimeout(resolve, 500);
    else requestIdleCallback(() => resolve(), { timeout: IDLE_MILLISECONDS });
  });
}
