/**
 * `npm run bench:runtimes`: LiteRT.js beside TF.js in the built page, in Chromium: playouts in a second of the processor's
 * time, and what they are of TF.js's on wasm.
 *
 *     npm run bench:runtimes connect4 7        # a bundle of dist/azx, and how many rounds
 *
 * The backends take turns with the same searches in one page, the share is the median of the rounds', and only the time
 * counts that the page had the processor: so it holds on a machine that does something else as well.
 */

import { chromium } from "playwright-core";
import { preview } from "vite";

const [bundle = "connect4", rounds = "7"] = process.argv.slice(2);
const CHROMIUM = process.env.AZX_CHROMIUM ?? "/usr/bin/chromium";
// WebGL and plain JavaScript are far behind, and slow to measure.
const BACKENDS = ["wasm", "litert", "litert-int8"];
const [WARMING, PLAYOUTS] = [30, 300];

const median = (numbers) => numbers.sort((one, two) => one - two)[numbers.length >> 1];

/** Runs in the page: start its worker once more, and leave `ask(kind, request)` behind. */
function prepare() {
  const script = performance.getEntriesByType("resource").find(({ name }) => /assets\/worker-/.test(name));
  const worker = new Worker(script.name, { type: "module" });
  let last = 0;
  globalThis.ask = (kind, request) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const hear = ({ data }) => {
        if (data.id !== id || data.kind === "progress") return;
        worker.removeEventListener("message", hear);
        if (data.kind === "done") resolve(data.answer);
        else reject(new Error(data.sentence));
      };
      worker.addEventListener("message", hear);
      worker.postMessage({ id, kind, request });
    });
}

/** Runs in the page: open a bundle on a backend and search a little, so that all is compiled; what is playing then. */
async function open({ name, backend, warming }) {
  const { bundles } = await (await fetch("azx/index.json")).json();
  const entry = { problems: [], ...bundles.find((each) => each.name === name), isGiven: false, isKept: true };
  const base = new URL(".", document.baseURI).href;
  const { playing } = await globalThis.ask("open", { entry, base, backend });
  if (playing.backend !== backend) return null;
  globalThis.settings = playing.settings;
  await globalThis.search(warming);
  return playing;
}

/** Runs in the page: leave `search(count)` behind, of the empty board. */
function prepareSearch() {
  globalThis.search = (count) =>
    globalThis.ask("think", {
      position: { settings: globalThis.settings, actions: [] },
      limit: { kind: "simulations", count },
    });
}

/** The seconds that the browser's pages have had the processor. */
async function processorSeconds(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Playouts in a second of the processor's time; null where the bundle has nothing for the backend. */
async function speed(page, session, backend) {
  if (!(await page.evaluate(open, { name: bundle, backend, warming: WARMING }))) return null;
  const before = await processorSeconds(session);
  await page.evaluate((count) => globalThis.search(count), PLAYOUTS);
  return PLAYOUTS / ((await processorSeconds(session)) - before);
}

const server = await preview({ preview: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});
try {
  const session = await browser.newBrowserCDPSession();
  const page = await browser.newPage();
  // The page's own network stays on TF.js: nothing else may come while something is measured.
  await page.addInitScript(() => localStorage.setItem("azx backend", "wasm"));
  await page.goto(`${server.resolvedUrls.local[0]}#tictactoe`);
  await page.locator("#about", { hasText: "wasm" }).waitFor({ timeout: 60_000 });
  await page.evaluate(prepare);
  await page.evaluate(prepareSearch);
  const runs = [];
  for (let round = 0; round < Number(rounds); round++) {
    const run = {};
    for (const backend of BACKENDS) run[backend] = await speed(page, session, backend);
    runs.push(run);
  }
  if (process.env.AZX_ROUNDS) console.table(runs);
  const measured = BACKENDS.filter((backend) => runs.every((run) => run[backend] !== null));
  console.table(
    measured.map((backend) => ({
      backend,
      "playouts in a processor second": Math.round(median(runs.map((run) => run[backend]))),
      "of wasm": median(runs.map((run) => run[backend] / run.wasm)).toFixed(2),
    })),
  );
} finally {
  await browser.close();
  await new Promise((resolve) => server.httpServer.close(resolve));
}
