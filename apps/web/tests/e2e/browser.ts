/** Chromium, and the page in it. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

import { type Site, serve } from "./server";

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
  `--disable-features=${[
    // What Playwright leaves out itself, for the last such flag counts alone.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    // A process for the list below the address, and one for a page that may come: half of what a visit takes.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
  ].join()}`,
];

/** Why the page cannot be tested here; null if it can. */
export function whyNot(): string | null {
  if (!existsSync(CHROMIUM))
    return `the page is not tested: there is no Chromium at ${CHROMIUM} (AZX_CHROMIUM names another).`;
  if (!existsSync(INDEX)) return "the page is not tested: dist/azx holds no bundles, run `make web` first.";
  return null;
}

/** The game of each installed bundle, by the bundle's name; none if there is no index. */
export function installedGames(): ReadonlyMap<string, string> {
  if (!existsSync(INDEX)) return new Map();
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: { name: string; game: string }[] };
  return new Map(bundles.map(({ name, game }) => [name, game]));
}

export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...more] });
}

let shared: { readonly browser: Browser; readonly site: Site } | null = null;

/** The browser and the site of all files that one process tests; they end with it. */
export async function bench(): Promise<{ readonly browser: Browser; readonly site: Site }> {
  if (!shared?.browser.isConnected()) shared = { browser: await launch(), site: shared?.site ?? (await serve()) };
  return shared;
}

/** A page, and what it should not have done: errors on its console, requests to other origins. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export interface Visit extends NonNullable<Parameters<Browser["newContext"]>[0]> {
  /** Whether nothing comes ahead, as for a person who spares data: no other bundles, no LiteRT.js, no service worker's copy of the app. */
  readonly isSparing?: boolean;
  /** Whether it begins with the games to choose from, as for who comes without an address; else with a board. */
  readonly isHome?: boolean;
  /** Whether what only experts want stays hidden, as for most people; else the figures of the search are there. */
  readonly isPlain?: boolean;
  /** Whether a person has chosen LiteRT.js here before. */
  readonly hasRuntime?: boolean;
}

/** A visit in which all of it comes, as it does for most people. */
export const WHOLE: Visit = { isSparing: false };

/** An end for what a page is waited for, in milliseconds, that only a hang reaches. */
export const PATIENCE = 300_000;

// What Playwright says where a page wants a service worker and the test has forbidden it.
const FORBIDDEN = "Service Worker registration blocked by Playwright";

export async function visit(
  browser: Browser,
  url: string,
  { isSparing, isHome, isPlain, hasRuntime, ...options }: Visit = {},
): Promise<Watched> {
  const spared = isSparing ? ({ serviceWorkers: "block" } as const) : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...spared, ...options });
  context.setDefaultTimeout(PATIENCE);
  if (isSparing) await context.addInitScript(spare);
  if (!isPlain) await context.addInitScript(showFigures);
  if (hasRuntime) await context.addInitScript(() => localStorage.setItem("azx litert", "on"));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (isSparing && message.text() === FORBIDDEN) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(new URL(url).origin))
      complaints.push(`request to ${request.url()}`);
  });
  await page.goto(isHome || url.includes("#") || url === "about:blank" ? url : url + FIRST_BOARD);
  return { page, context, complaints };
}

/** The address of a board: the smallest bundle's, or, if it is not there, that of the smallest one that is. */
export const FIRST_BOARD = "#tictactoe";

// What the browser's own tools call a slow mobile line: 1.6 Mbit/s, and 150 ms until an answer begins.
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
/** A page on a slow line, with nothing kept; its worker is as slow. */
export async function slowly(browser: Browser, url: string, how: Visit = {}): Promise<Watched> {
  const watched = await visit(browser, "about:blank", how);
  const session = await watched.context.newCDPSession(watched.page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await watched.page.addInitScript(() => localStorage.setItem("azx begins", "you"));
  await watched.page.goto(url);
  return watched;
}

/** Runs in the page, before its scripts: the person wants the figures of the search. */
function showFigures(): void {
  try {
    localStorage.setItem("azx expert", "on");
  } catch {
    // What is stored is forbidden.
  }
}

/** Runs in the page, before its scripts: the person has asked for as few bytes as possible. */
function spare(): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

/** Wait until nothing moves on the page: a disc falls for half a second, and some things show only after a while. */
export async function waitForStillness(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** What a page has asked its worker, by kind, in order; and of which of it an answer has come. */
export interface Questions {
  readonly asked: readonly string[];
  readonly answered: readonly string[];
}

/** Load a page again with its worker's questions and answers noted down. */
export async function noteQuestions(page: Page): Promise<() => Promise<Questions>> {
  await page.addInitScript(noteInPage);
  await page.reload();
  return () => page.evaluate(() => (globalThis as unknown as { questions: Questions }).questions);
}

/** Runs in the page, before its scripts. */
function noteInPage(): void {
  const questions = { asked: [] as string[], answered: [] as string[] };
  Object.assign(globalThis, { questions });
  globalThis.Worker = class extends Worker {
    private readonly kinds = new Map<number, string>();

    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      this.addEventListener("message", ({ data }: MessageEvent<{ readonly id: number; readonly kind: string }>) => {
        if (data.kind !== "progress") questions.answered.push(this.kinds.get(data.id) ?? "");
      });
    }

    override postMessage(message: { readonly id: number; readonly kind: string }): void {
      questions.asked.push(message.kind);
      this.kinds.set(message.id, message.kind);
      super.postMessage(message);
    }
  };
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
