/** WebKit, the engine of Safari, as Linux has it: Debian's webkit2gtk-driver and xvfb, by WebDriver (w3.org/TR/webdriver2). */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Readable } from "node:stream";

const PATIENCE = 60_000;
/** How long a page may take until something is on it. */
const STARTING = 30_000;
const PAUSE = 200;

/** Why the page cannot be tried in WebKit here; null where it can. */
export function whyNoWebKit(): string | null {
  const lacking = ["WebKitWebDriver", "Xvfb"].filter((name) => spawnSync(name, ["--help"]).error);
  return lacking.length ? `the page is not tried in WebKit: there is no ${lacking.join(" and no ")}.` : null;
}

/** A window of WebKit, on a screen of its own that nobody sees. */
export class WebKit {
  private session = "";

  private constructor(
    private readonly processes: readonly ChildProcess[],
    private readonly driver: string,
  ) {}

  static async launch(): Promise<WebKit> {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const display = await new Promise<string>((resolve, reject) => {
      (screen.stdio[3] as Readable).once("data", (said) => resolve(`:${String(said).trim()}`));
      screen.once("exit", () => reject(new Error("Xvfb has ended")));
    });
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display };
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore", env });
    const webkit = new WebKit([driver, screen], `http://127.0.0.1:${port}/session`);
    await webkit.until(async () => {
      const { sessionId } = (await webkit.ask("POST", "", { capabilities: {} })) as { sessionId: string };
      webkit.session = `/${sessionId}`;
      return true;
    });
    return webkit;
  }

  /** Load the page, and once more where nothing comes, as it tells its visitor to do; that is said. */
  async visit(url: string): Promise<void> {
    await this.load(url);
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
    await this.ask("POST", "/url", { url: "about:blank" });
    await this.ask("POST", "/url", { url });
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
    for (const each of this.processes) each.kill();
  }

  private async until(isSo: () => Promise<unknown>, patience = PATIENCE): Promise<void> {
    for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, PAUSE))) {
      const found = await isSo().catch((error: Error) => error);
      if (found === true) return;
      if (Date.now() > end) throw found instanceof Error ? found : new Error("not so in time");
    }
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const how = body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
    const answer = await fetch(this.driver + this.session + path, { method, ...how });
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
