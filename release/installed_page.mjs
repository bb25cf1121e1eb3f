/**
 * Plays a game of tic-tac-toe on a page of azx, until the network has answered two moves; complains of errors on its console and of requests
 * to other hosts.
 *
 *   node release/installed_page.mjs URL
 */

import { createRequire } from "node:module";

const [url] = process.argv.slice(2);
const { chromium } = createRequire(new URL("../apps/web/package.json", import.meta.url))("playwright-core");
/** An end that only a hang reaches. */
const PATIENCE = 300_000;
const MOVES = 2;
const faults = [];

const browser = await chromium.launch({ executablePath: process.env.AZX_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
page.setDefaultTimeout(PATIENCE);
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
page.on("pageerror", (error) => faults.push(error.message));
page.on("request", (request) => {
  if (request.url().startsWith("http") && new URL(request.url()).origin !== new URL(url).origin) faults.push(`a request to ${request.url()}`);
});
// The person begins.
await page.addInitScript(() => localStorage.setItem("azx begins", "you"));
await page.goto(`${url}#tictactoe`);
for (let move = 1; move <= MOVES; move++) {
  await page.locator('#status:visible:not([data-phase="theirs"])').waitFor();
  await page.locator('#board .cell:not([aria-disabled="true"])').first().click();
  await page.waitForFunction((pieces) => document.querySelectorAll("#board :is(.first, .second)").length >= pieces, 2 * move);
}
const title = await page.title();
await browser.close();

if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`its page '${title}' plays in Chromium, and asks no other host`);
