/**
 * `npm run bench:runtimes`: the built page's self-test in Chromium, several times, and what each backend's playouts a
 * second are of TF.js's on wasm: the median of the rounds, as each round is one run of the page.
 *
 *     npm run bench:runtimes connect4 5        # a bundle of dist/azx, and how many rounds
 */

import { chromium } from "playwright-core";
import { preview } from "vite";

const [bundle = "connect4", rounds = "5"] = process.argv.slice(2);
const CHROMIUM = process.env.AZX_CHROMIUM ?? "/usr/bin/chromium";
const MINUTES = 60_000;

const median = (numbers) => numbers.sort((one, two) => one - two)[numbers.length >> 1];

/** What one run of the self-test finds, by backend. */
async function selfTest(page) {
  await page.click("#test");
  await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 5 * MINUTES });
  const found = await page
    .locator("#results [data-tested]")
    .evaluateAll((heads) => heads.map(({ dataset }) => dataset.tested));
  return new Map(found.filter(Boolean).map((text) => [JSON.parse(text).backend, JSON.parse(text)]));
}

/** A row a backend: the median time of a position, playouts a second, and the median share of wasm's playouts. */
function table(runs) {
  const shareOf = (run, backend) => run.get(backend).playoutsPerSecond / run.get("wasm").playoutsPerSecond;
  return [...runs[0].keys()].map((backend) => {
    const tests = runs.map((run) => run.get(backend));
    return {
      backend,
      passed: tests.every(({ passed }) => passed),
      "ms a position": median(tests.map(({ milliseconds }) => milliseconds)).toFixed(2),
      "playouts a second": Math.round(median(tests.map(({ playoutsPerSecond }) => playoutsPerSecond))),
      "of wasm": median(runs.map((run) => shareOf(run, backend))).toFixed(2),
    };
  });
}

const server = await preview({ preview: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});
try {
  const page = await browser.newPage();
  // Nothing else may come while something is measured.
  await page.addInitScript(() => localStorage.setItem("azx backend", "wasm"));
  await page.goto(`${server.resolvedUrls.local[0]}#${bundle}`);
  await page.locator("#self-test summary").click({ timeout: 2 * MINUTES });
  const runs = [];
  for (let round = 0; round < Number(rounds); round++) runs.push(await selfTest(page));
  console.table(table(runs));
} finally {
  await browser.close();
  await new Promise((resolve) => server.httpServer.close(resolve));
}
