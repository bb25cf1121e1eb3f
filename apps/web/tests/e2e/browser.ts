/** Chromium, and the page in it. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const CHROMIUM = process.env.AZX_CHROMIUM ?? "/usr/bin/chromium";
const INDEX = fileURLToPath(new URL("../../dist/azx/index.json", import.meta.url));
const SCREENSHOTS = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Why the page cannot be tested here; null where it can. */
export function whyNot(): string | null {
  if (!existsSync(CHROMIUM)) return `the page is not tested: there is no Chromium at ${CHROMIUM} (AZX_CHROMIUM names another).`;
  if (!existsSync(INDEX)) return "the page is not tested: dist/azx holds no bundles, run `make web` first.";
  return null;
}

/** The game of each installed bundle, by the bundle's name; none where there is no index. */
export function installed(): ReadonlyMap<string, string> {
  if (!existsSync(INDEX)) return new Map();
  const { bundles } = JSON.parse(readFileSync(INDEX, "utf8")) as { bundles: { name: string; game: string }[] };
  return new Map(bundles.map(({ name, game }) => [name, game]));
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
}

/** A page, and what it should not have done: errors on its console, requests to other origins. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export async function visit(browser: Browser, url: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(new URL(url).origin)) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, complaints };
}

export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
}
