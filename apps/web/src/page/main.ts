/** The page: the bundles that are installed or were opened here, and the one that is open. */

import type { Given } from "../bundle/Given";
import { bundlesOf, type Entry } from "../bundle/Index";
import { told } from "../bundle/Playable";
import { forgetOthers, readIndex } from "../bundle/Store";
import { begin } from "../engine/Game";
import { byName } from "../engine/Recognition";
import type { Opened } from "../worker/Messages";
import { list, mark } from "./BundleList";
import { Client } from "./Client";
import * as controls from "./Controls";
import { byId, say } from "./Dom";
import { connectOpener } from "./Opener";
import { clearSelfTest, prepareSelfTest, runSelfTest } from "./SelfTestPanel";
import { Table } from "./Table";

const client = new Client();
const base = new URL(".", document.baseURI).href;
let table: Table | null = null;
let current: Entry | null = null;
let entries: readonly Entry[] = [];

function complain(sentence: string): void {
  const alert = byId("alert");
  alert.hidden = sentence === "";
  say(alert, sentence);
  if (sentence) started();
}

/** The page has something to show: a game, or what is wrong. */
function started(): void {
  byId("starting").hidden = true;
}

/** Open a bundle, and begin a game or say why there is none. */
async function open(entry: Entry): Promise<void> {
  table?.leaveThought();
  [table, current] = [null, entry];
  complain("");
  byId("play").hidden = true;
  clearSelfTest();
  mark(entry);
  try {
    const opened = await client.ask("open", { entry, base, backend: controls.backend() });
    if (current !== entry) return;
    show(entry, opened);
  } catch (error) {
    if (current === entry) complain(sentenceOf(error));
  }
}

/** Bring the page in line with a bundle that is open. */
function show(entry: Entry, { playing, problems, parameters, untestable }: Opened): void {
  const about = `${entry.title}: ${parameters.toLocaleString("en")} parameters`;
  document.title = `${entry.title} · azx`;
  started();
  byId("play").hidden = false;
  byId("play").classList.toggle("shown-alone", playing === null);
  for (const id of ["table", "controls"]) byId(id).hidden = playing === null;
  byId("unplayable").hidden = playing !== null;
  prepareSelfTest(playing === null, untestable);
  if (!playing) {
    say(byId("unplayable-title"), entry.title);
    say(byId("why-not"), told(problems));
    say(byId("about"), `${about}.`);
    return;
  }
  const game = byName(playing.game);
  const { backend, milliseconds, refused, hasPolicy } = playing;
  byId("rule-label").hidden = game.name !== "gomoku";
  controls.offerPolicy(hasPolicy);
  table = new Table({ client, playing, game: game.name, start: (settings) => begin(game, settings) }, complain);
  say(byId("about"), `${about}, ${milliseconds.toFixed(milliseconds < 1 ? 2 : 1)} ms a position on ${backend}.`);
  if (refused) complain(`${refused} Until then it runs on ${backend}.`);
}

function choose(entry: Entry): void {
  // What was given to this page is not there when the address is opened again.
  history.replaceState(null, "", entry.isGiven ? location.pathname + location.search : addressOf(entry));
  void open(entry);
}

/** Put the bundle that a person has given to the page into the list, and open it. */
async function openGiven(reading: Promise<readonly Given[]>): Promise<void> {
  table?.leaveThought();
  complain("");
  const opening = byId("opening");
  opening.hidden = false;
  try {
    const given = await reading;
    say(opening, `Checking ${given[0]?.path.split("/")[0] ?? "what was dropped"} …`);
    const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
    const entry = await client.ask("take", { given, names });
    entries = [...entries.filter(({ name }) => name !== entry.name), entry];
    list(entries, choose);
    choose(entry);
  } catch (error) {
    complain(sentenceOf(error));
    table?.resume();
  } finally {
    opening.hidden = true;
    say(opening, "");
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const addressOf = ({ name }: Entry): string => `#${encodeURIComponent(name)}`;

/** The bundle that the page's address names. */
function addressed(): Entry | undefined {
  return entries.find((entry) => !entry.isGiven && location.hash === addressOf(entry));
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
  byId("graph").addEventListener("click", ({ clientX }) => {
    const { left, width } = byId("graph").getBoundingClientRect();
    table?.showInGraph((clientX - left) / width);
  });
  on("backend", "change", () => current && void open(current));
  on("test", "click", () => {
    table?.leaveThought();
    void runSelfTest(client).then(() => table?.resume());
  });
  connectOpener((given) => void openGiven(given));
}

async function start(): Promise<void> {
  controls.remember();
  connect();
  try {
    const installed = bundlesOf(await readIndex(base));
    // A bundle may have been dropped meanwhile.
    entries = [...installed, ...entries];
    list(entries, choose);
    if (current) mark(current);
    const first = addressed() ?? installed.find(({ problems }) => problems.length === 0) ?? installed[0];
    if (!first)
      throw new Error("No bundle is installed here: open one with the button above, or drop it on this page.");
    addEventListener("hashchange", () => {
      const other = addressed();
      if (other && other !== current) void open(other);
    });
    if (!current) await open(first);
    await forgetOthers(installed, base);
  } catch (error) {
    complain(sentenceOf(error));
  }
}

function register(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

register();
void start();
