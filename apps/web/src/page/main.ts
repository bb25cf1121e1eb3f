/** The page: the installed bundles, and the game that is open. */

import { bundlesOf, type Entry } from "../bundle/Index";
import { forgetOthers, readIndex } from "../bundle/Store";
import { GAMES } from "../engine/Catalogue";
import { begin } from "../engine/Game";
import { byName } from "../engine/Recognition";
import { Client } from "./Client";
import * as controls from "./Controls";
import { byId, element, say } from "./Dom";
import { clearSelfTest, runSelfTest } from "./SelfTestPanel";
import { Table } from "./Table";

const client = new Client();
const base = new URL(".", document.baseURI).href;
let table: Table | null = null;
let current: Entry | null = null;

function complain(sentence: string): void {
  const alert = byId("alert");
  alert.hidden = sentence === "";
  say(alert, sentence);
}

/** Open a bundle and begin a game. */
async function open(entry: Entry): Promise<void> {
  table?.leaveThought();
  [table, current] = [null, entry];
  complain("");
  byId("play").hidden = true;
  clearSelfTest();
  for (const link of byId("bundles").children)
    link.setAttribute("aria-pressed", String(link.id === `bundle-${entry.name}`));
  document.getElementById(`bundle-${entry.name}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  try {
    const opened = await client.ask("open", { entry, base, backend: controls.backend() });
    if (current !== entry) return;
    const game = byName(entry.game ?? "");
    byId("rule-label").hidden = game.name !== "gomoku";
    table = new Table({ client, opened, game: game.name, start: (settings) => begin(game, settings) }, complain);
    const speed = `${opened.milliseconds.toFixed(opened.milliseconds < 1 ? 2 : 1)} ms a position on ${opened.backend}`;
    say(byId("about"), `${entry.title}: ${opened.parameters.toLocaleString("en")} parameters, ${speed}.`);
    document.title = `${entry.title} · azx`;
    byId("play").hidden = false;
    if (opened.refused) complain(`${opened.refused} Until then it runs on ${opened.backend}.`);
  } catch (error) {
    if (current === entry) complain(error instanceof Error ? error.message : String(error));
  }
}

function list(entries: readonly Entry[]): void {
  const buttons = entries.map((entry) => {
    const button = element(
      "button",
      { type: "button", id: `bundle-${entry.name}`, "aria-pressed": "false" },
      entry.title,
    );
    button.addEventListener("click", () => {
      history.replaceState(null, "", `#${encodeURIComponent(entry.name)}`);
      void open(entry);
    });
    return button;
  });
  byId("bundles").replaceChildren(...buttons);
}

/** The bundle that the page's address names. */
function addressed(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ name }) => location.hash === `#${encodeURIComponent(name)}`);
}

function on(id: string, event: string, act: () => void): void {
  byId(id).addEventListener(event, act);
}

function connect(): void {
  on("new", "click", () => table?.restart());
  on("rule", "change", () => table?.restart());
  on("undo", "click", () => table?.undo());
  on("hint", "click", () => void table?.hint());
  on("heat", "change", () => table?.heatChanged());
  on("pass", "click", () => table?.pass());
  on("stop", "click", () => client.stop());
  on("mode-play", "click", () => table?.replay(false));
  on("mode-replay", "click", () => table?.replay(true));
  on("first", "click", () => table?.showAt(0));
  on("back", "click", () => table?.step(-1));
  on("forward", "click", () => table?.step(1));
  on("end", "click", () => table?.showAt(Infinity));
  on("ply", "input", () => table?.showAt(Number(byId<HTMLInputElement>("ply").value)));
  on("backend", "change", () => current && void open(current));
  on("test", "click", () => {
    table?.leaveThought();
    void runSelfTest(client).then(() => table?.resume());
  });
}

async function start(): Promise<void> {
  controls.remember();
  connect();
  try {
    const entries = bundlesOf(await readIndex(base));
    const first = addressed(entries) ?? entries.find(({ game }) => GAMES.has(game ?? "")) ?? entries[0];
    if (!first) throw new Error("No bundle is installed: run `azx install BUNDLE apps/web`, or `azx serve BUNDLE`.");
    list(entries);
    addEventListener("hashchange", () => {
      const other = addressed(entries);
      if (other && other !== current) void open(other);
    });
    await open(first);
    await forgetOthers(entries, base);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}

function register(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

register();
void start();
