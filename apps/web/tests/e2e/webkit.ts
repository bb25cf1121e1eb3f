/** WebKit, the engine of Safari, as Linux has it: Debian's webkit2gtk-driver and xvfb, by WebDriver (w3.org/TR/webdriver2). */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Readable } from "node:stream";

const PATIENCE = 300_000;
/** How long a page may take until it is loaded, and then until something is on it. */
const STARTING = 30_000;
const PAUSE = 200;

/** Why the page cannot be tried in WebKit here; null if it can. */
export function whyNoWebKit(): string | null {
  const lacking = ["WebKitWebDriver", "Xvfb"].filter((name) => spawnSync(name, ["--help"]).error);
  return lacking.length ? `the page is not tried in WebKit: there is no ${lacking.join(" and no ")}.` : null;
}

/** A window of WebKit, on a screen of its own that nobody sees. */
export class WebKit {
  private driver: ChildProcess | null = null;
  private session = "";

  private constructor(
    private readonly screen: ChildProcess,
    private readonly display: string,
  ) {}

  static async launch(): Promise<WebKit> {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const display = await new Promise<string>((resolve, reject) => {
      (screen.stdio[3] as Readable).once("data", (said) => resolve(`:${String(said).trim()}`));
      screen.once("exit", () => reject(new Error("Xvfb has ended")));
    });
    const webkit = new WebKit(screen, display);
    await webkit.begin();
    return webkit;
  }

  /** Start the browser; in a group of processes of its own, which ends whole. */
  private async begin(): Promise<void> {
    const port = await freePort();
    const env = { ...process.env, DISPLAY: this.display };
    this.driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      stdio: "ignore",
      env,
      detached: true,
    });
    const sessions = `http://127.0.0.1:${port}/session`;
    this.session = sessions;
    await this.until(async () => {
      const { sessionId } = (await this.ask("POST", "", { capabilities: {} })) as { sessionId: string };
      this.session = `${sessions}/${sessionId}`;
      return true;
    });
  }

  /** Load the page, and once more where nothing comes, as it tells its visitor to do; that is said. */
  async visit(url: string): Promise<void> {
    await this.load(url).catch(async (error: Error) => {
      // Seen once under load: WebKit answers no more, whatever it is asked.
      console.warn(`WebKit: ${url} was not loaded (${error.message}); the browser is started anew`);
      this.end();
      await this.begin();
      await this.load(url);
    });
    const isThere = (): Promise<unknown> => this.tell("document.querySelector('#starting')?.hidden !== false");
    await this.until(isThere, STARTING).catch(async () => {
      const loaded =
        "JSON.stringify(performance.getEntriesByType('resource').map((each) => [each.name, each.responseEnd]))";
      console.warn(`WebKit: ${url} did not start in ${STARTING} ms; it had loaded ${await this.tell(loaded)}`);
      await this.load(url);
    });
  }

  private async load(url: string): Promise<void> {
    // A change behind the # alone would load nothing.
    for (const each of ["about:blank", url]) await this.ask("POST", "/url", { url: each }, STARTING);
  }

  /** What an expression is in the page. */
  tell(expression: string): Promise<unknown> {
    return this.ask("POST", "/execute/sync", { script: `return ${expression}`, args: [] });
  }

  /** Wait until an expression is true in the page; Error with what the page says where it does not become so. */
  async wait(expression: string): Promise<void> {
    await this.until(() => this.tell(`Boolean(${expression})`)).catch(async () => {
      throw new Error(`not so in time: ${expression}\n${await this.tell("document.body.innerText")}`);
    });
  }

  async close(): Promise<void> {
    await this.ask("DELETE", "").catch(() => undefined);
    this.end();
    this.screen.kill();
  }

  private end(): void {
    if (this.driver?.pid) process.kill(-this.driver.pid);
  }

  private async until(isSo: () => Promise<unknown>, patience = PATIENCE): Promise<void> {
    for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, PAUSE))) {
      const found = await isSo().catch((error: Error) => error);
      if (found === true) return;
      if (Date.now() > end) throw found instanceof Error ? found : new Error("not so in time");
    }
  }

  private async ask(method: string, path: string, body?: object, patience = PATIENCE): Promise<unknown> {
    const how = body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
    const answer = await fetch(this.session + path, { method, signal: AbortSignal.timeout(patience), ...how });
    const { value } = (await answer.json()) as { value: { message?: string } };
    if (!answer.ok) throw new Error(`WebKitWebDriver: ${value.message}`);
    return value;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
