/** Chromium, and the page in it. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const CHROMIUM = process.env.AZX_CHROMIUM ?? "/usr/bin/chromium";
const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
const SCREENSHOTS = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why the page cannot be tested here; null where it can. */
export function whyNot(): string | null {
  if (!existsSync(CHROMIUM))
    return `the page is not tested: there is no Chromium at ${CHROMIUM} (AZX_CHROMIUM names another).`;
  if (!existsSync(INDEX)) return "the page is not tested: dist/azx holds no bundles, run `make web` first.";
  return null;
}

/** The game of each installed bundle, by the bundle's name; none where there is no index. */
export function installed(): ReadonlyMap<string, string> {
  if (!existsSync(INDEX)) return new Map();
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: { name: string; game: string }[] };
  return new Map(bundles.map(({ name, game }) => [name, game]));
}

export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...more] });
}

/** A page, and what it should not have done: errors on its console, requests to other origins. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export type Visit = NonNullable<Parameters<Browser["newContext"]>[0]>;

export async function visit(browser: Browser, url: string, options: Visit = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(new URL(url).origin))
      complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, complaints };
}

/** Let the network's next moves be these, in place of its own thoughts. */
export function prescribe(page: Page, moves: readonly number[]): Promise<void> {
  return page.evaluate(answerWith, moves);
}

/** Runs in the page. */
function answerWith(moves: readonly number[]): void {
  const left = [...moves];
  const send = Worker.prototype.postMessage as (this: Worker, message: unknown) => void;
  Worker.prototype.postMessage = function (
    this: Worker,
    message: { readonly kind: string; readonly id: number },
  ): void {
    const action = message.kind === "think" ? left.shift() : undefined;
    if (action === undefined) {
      send.call(this, message);
      return;
    }
    const answer = { action, simulations: 0, depth: 0, winRate: 0.5, seconds: 0, shares: [] };
    queueMicrotask(() =>
      this.dispatchEvent(new MessageEvent("message", { data: { id: message.id, kind: "done", answer } })),
    );
  };
}

export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
}
