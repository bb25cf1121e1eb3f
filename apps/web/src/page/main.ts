/** The page: the bundles that are installed or were opened here, and the one that is open. */

import type { Given } from "../bundle/Given";
import { bundlesOf, type Entry } from "../bundle/Index";
import { forgetOthers, readIndex } from "../bundle/Store";
import { begin } from "../engine/Game";
import { byName } from "../engine/Recognition";
import { english } from "../texts/Fill";
import { count, number, say } from "../texts/Speech";
import { told } from "../texts/Told";
import type { Opened } from "../worker/Messages";
import { list, mark } from "./BundleList";
import { Client } from "./Client";
import * as controls from "./Controls";
import { byId, say as put } from "./Dom";
import { label } from "./Labels";
import { connectLook } from "./Look";
import { connectOpener } from "./Opener";
import { clearSelfTest, prepareSelfTest, retellSelfTest, runSelfTest } from "./SelfTestPanel";
import { Table } from "./Table";
import { type Said, titleOf, unplayable } from "./Words";

const client = new Client();
const base = new URL(".", document.baseURI).href;
let table: Table | null = null;
let current: Entry | null = null;
let entries: readonly Entry[] = [];
/** What is known of the bundle that is open; null while there is none. */
let about: Opened | null = null;
let complaint: Said = () => "";
let checking: Said = () => "";

/** Show a sentence that was said in English below; "" takes away the one that is there. */
function complain(sentence: string): void {
  complainOf(() => told(sentence));
}

function complainOf(said: Said): void {
  complaint = said;
  const [alert, sentence] = [byId("alert"), said()];
  alert.hidden = sentence === "";
  put(alert, sentence);
  if (sentence) started();
}

/** Say everything that is on the page in the language that it speaks now. */
function retell(): void {
  label();
  complainOf(complaint);
  put(byId("opening"), checking());
  list(entries, choose);
  if (current) mark(current);
  if (current && about) tell(current, about);
  table?.retell();
  retellSelfTest();
}

/** The page has something to show: a game, or what is wrong. */
function started(): void {
  byId("starting").hidden = true;
}

/** Open a bundle, and begin a game or say why there is none. */
async function open(entry: Entry): Promise<void> {
  table?.leaveThought();
  [table, current, about] = [null, entry, null];
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
function show(entry: Entry, opened: Opened): void {
  const { playing, untestable } = opened;
  about = opened;
  started();
  byId("play").hidden = false;
  byId("play").classList.toggle("shown-alone", playing === null);
  for (const id of ["table", "controls"]) byId(id).hidden = playing === null;
  byId("unplayable").hidden = playing !== null;
  prepareSelfTest(playing === null, untestable);
  tell(entry, opened);
  if (!playing) return;
  const game = byName(playing.game);
  const { backend, refused, hasPolicy } = playing;
  byId("rule-label").hidden = game.name !== "gomoku";
  controls.offerPolicy(hasPolicy);
  table = new Table({ client, playing, game: game.name, start: (settings) => begin(game, settings) }, complain);
  if (refused) complainOf(() => say("runs_instead", told(refused), backend));
}

/** What is said of a bundle that is open, but for its game. */
function tell(entry: Entry, { playing, problems, parameters, untestable }: Opened): void {
  const [title, size] = [titleOf(entry), count("parameters", parameters, number(parameters))];
  document.title = `${title} · azx`;
  if (!playing) {
    put(byId("unplayable-title"), title);
    put(byId("why-not"), unplayable(problems, untestable === null));
    put(byId("about"), say("about", title, size));
    return;
  }
  const { backend, milliseconds } = playing;
  put(byId("about"), say("about_speed", title, size, milliseconds.toFixed(milliseconds < 1 ? 2 : 1), backend));
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
    const what = given[0]?.path.split("/")[0];
    checking = () => (what === undefined ? say("checking_dropped") : say("checking", what));
    put(opening, checking());
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
    checking = () => "";
    put(opening, "");
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
  connectLook(retell);
  connect();
  try {
    const installed = bundlesOf(await readIndex(base));
    // A bundle may have been dropped meanwhile.
    entries = [...installed, ...entries];
    list(entries, choose);
    if (current) mark(current);
    const first = addressed() ?? installed.find(({ problems }) => problems.length === 0) ?? installed[0];
    if (!first) throw new Error(english("no_games"));
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
