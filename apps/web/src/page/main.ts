/** The page: the bundles that are installed or were opened here, and the room where one of them is open. */

import { bytesOf } from "../bundle/Bundle";
import type { Given } from "../bundle/Given";
import { bundlesOf, type Entry, isWatched } from "../bundle/Index";
import { forgetOthers, readIndex } from "../bundle/Store";
import { RecordError } from "../engine/records/Record";
import { BundleError, sentence, sentenceOf } from "../texts/Sentence";
import { say, sayThis } from "../texts/Speech";
import { Ahead } from "./Ahead";
import { type Kept, list, mark, markKept } from "./BundleList";
import { Client } from "./Client";
import { complain } from "./Complaint";
import * as controls from "./Controls";
import { byId } from "./Dom";
import { connectDoubt } from "./Doubt";
import { connectOffer, follow, newsOf, offer } from "./Follow";
import { connectGraph } from "./Graph";
import { label, tell } from "./Labels";
import { connectLook } from "./Look";
import * as memory from "./Memory";
import { connectOpener } from "./Opener";
import { describeEnd } from "./Outcome";
import { listOwn } from "./OwnBundles";
import { presentationOf } from "./Presentation";
import { isSure } from "./Question";
import { Room } from "./Room";
import { fits, readGame } from "./records/Found";
import { isRecordFile, textOf } from "./records/RecordFile";
import { connectRecordOpener } from "./records/RecordOpener";
import { connectSharing } from "./records/Sharing";
import { connectKeys, connectShortcuts } from "./review/Keys";
import { retellSelfTest, runSelfTest } from "./SelfTestPanel";
import * as sessions from "./Session";
import type { Table } from "./Table";
import { type Said, whyNoRecord } from "./Words";

const client = new Client();
const base = new URL(".", document.baseURI).href;
const ahead = new Ahead(client, base);
const room = new Room(client, ahead, base);
let entries: readonly Entry[] = [];
/** What a server that is watched had last; null where none is. */
let latest: readonly Entry[] | null = null;

/** Say everything that is on the page in the language that it speaks now. */
function retell(): void {
  label();
  show();
  room.retell();
  retellSelfTest();
}

/** Show the list: which bundle is open, and of which a game was left under way. */
function show(): void {
  list(entries, choose);
  listOwn(entries, (entry) => void remove(entry));
  if (room.entry) mark(room.entry);
  remind();
}

function remind(): void {
  markKept(new Map(entries.filter((entry) => entry !== room.entry).flatMap(leftGameOf)));
}

/** What the list says of the game that was left at a bundle. */
function leftGameOf(entry: Entry): readonly (readonly [Entry, Kept])[] {
  const session = memory.sessionOf(entry);
  if (!session || entry.game === null) return [];
  const isOver = sessions.phase(session) === "over";
  if (!isOver && !sessions.isGoingOn(session)) return [];
  return [[entry, { isOver, about: isOver ? describeEnd(session, presentationOf(entry.game)) : say("resume_game") }]];
}

async function open(asked: Entry): Promise<void> {
  const entry = newest(asked);
  mark(entry);
  offer(null);
  const opening = room.open(entry);
  remind();
  await opening;
}

/** Open a bundle; the one that is open begins anew, unless its game is under way. */
function choose(entry: Entry): void {
  point(entry);
  if (entry !== room.entry || !room.table) void open(entry);
  else if (!sessions.isGoingOn(room.table.sitting.session)) room.table.restart();
}

/** A bundle as the server has it by now: one that was not taken while it was open is what is opened next time. */
function newest(asked: Entry): Entry {
  if (latest === null || asked.isGiven) return asked;
  entries = newsOf(entries, null, latest).entries;
  show();
  return entries.find(({ name, isGiven }) => name === asked.name && !isGiven) ?? asked;
}

/** The server has other networks than before: list them, and offer the one for the board that is there. */
function hear(found: readonly Entry[]): void {
  latest = found;
  const news = newsOf(entries, room.entry, found);
  entries = news.entries;
  show();
  offer(news.offer);
  const first = smallest(entries);
  if (!room.entry && first) void open(first);
}

/** Let the network that was offered play on. */
function take(entry: Entry): void {
  entries = entries.map((each) => (each === room.entry ? entry : each));
  const coming = room.replace(entry);
  show();
  void coming;
}

/** Have the page's address name a bundle that the next visit has. */
function point(entry: Entry): void {
  history.replaceState(null, "", entry.isKept ? addressOf(entry) : location.pathname + location.search);
}

/** Put the bundle that a person has given to the page into the list, and open it. */
async function openGiven(reading: Promise<readonly Given[]>): Promise<void> {
  room.table?.sitting.leaveThought();
  complain(null);
  const opening = byId("opening");
  opening.hidden = false;
  try {
    const given = await reading;
    const [first] = given;
    if (given.length === 1 && first && isRecordFile(first.path)) {
      complain(await openRecord(await textOf(first.blob)));
      return;
    }
    const what = given[0]?.path.split("/")[0];
    tell("opening", () => (what === undefined ? say("checking_dropped") : say("checking", what)));
    const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
    const { entry, unkept } = await client.ask("take", { given, names });
    entries = [...entries.filter(({ name }) => name !== entry.name), entry];
    show();
    choose(entry);
    if (unkept) complain(() => sayThis(unkept));
  } catch (error) {
    complainOf(error);
    room.table?.opponent.resume();
  } finally {
    opening.hidden = true;
    tell("opening", null);
  }
}

/** Have the bundles in the list that were given to the page on earlier visits. */
async function recall(): Promise<void> {
  const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
  const found = await client.ask("recall", { names }).catch((): readonly Entry[] => []);
  const isNew = ({ name }: Entry): boolean => !entries.some((entry) => entry.name === name);
  entries = [...entries, ...found.filter(isNew)];
  if (found.length) show();
}

/** Forget a bundle that was given to the page, and its game. */
async function remove(entry: Entry): Promise<void> {
  try {
    await client.ask("remove", { name: entry.name });
  } catch (error) {
    complainOf(error);
    return;
  }
  entries = entries.filter((each) => each !== entry);
  show();
  if (entry === room.entry) {
    const next = smallest(entries);
    if (next) choose(next);
    else {
      room.close();
      history.replaceState(null, "", location.pathname + location.search);
      complain(() => say("no_games"));
    }
  }
  memory.forget(entry);
}

/** Show the game of a record, with a bundle that plays it; null where there is one, else why there is none. */
async function openRecord(text: string): Promise<Said | null> {
  try {
    const record = readGame(text, room.table?.open ?? null);
    // Of a bundle that does not tell its board in the index the manifest does, once it is open.
    const mayPlay = ({ game, settings, problems }: Entry): boolean =>
      game === record.game.name && problems.length === 0 && (settings === null || fits(record, settings));
    for (const entry of [room.entry, addressedBundle(), ...entries]) {
      if (!entry || !mayPlay(entry)) continue;
      if (entry !== room.entry || !room.table) await open(entry);
      if (!room.table?.plays(record)) continue;
      room.table.lay(record);
      point(entry);
      return null;
    }
    throw new RecordError("record_no_network", null, record.game.name);
  } catch (error) {
    if (error instanceof RecordError) return () => whyNoRecord(error);
    throw error;
  }
}

const complainOf = (error: unknown): void => complain(() => sayThis(sentenceOf(error)));

const addressOf = ({ name }: Entry): string => `#${encodeURIComponent(name)}`;

function addressedBundle(): Entry | undefined {
  const [name] = location.hash.split("/moves=");
  return entries.find((entry) => entry.isKept && name === addressOf(entry));
}

async function openLinked(): Promise<void> {
  if (!location.hash.includes("/moves=")) return;
  const said = await openRecord(location.hash);
  if (said) complain(said);
}

/** A new game, unless a person would rather go on with the one that is under way. */
async function beginAnew(): Promise<void> {
  const { table } = room;
  const [title, about, yes, no] = [say("new_game_title"), say("new_game_about"), say("new_game"), say("go_on")];
  const isMeant =
    !table || !sessions.isUnderWay(table.sitting.session) || (await isSure({ title, about, yes, no, suggested: "no" }));
  if (table !== room.table) return;
  if (isMeant) table?.restart();
  else if (table) controls.showSettings(table.sitting.settings);
}

function connect(): void {
  const act = (id: string, event: string, what: (table: Table) => void): void =>
    byId(id).addEventListener(event, () => room.table && what(room.table));
  act("new", "click", () => void beginAnew());
  act("strength", "change", (table) => table.sitting.retell());
  act("swap", "click", (table) => table.swapSides());
  act("see-replay", "click", (table) => {
    table.review.replay(true);
    table.review.showAt(0);
  });
  act("pause", "click", (table) => table.opponent.pause(!table.sitting.isPaused));
  act("one-move", "click", (table) => void table.opponent.step());
  act("rule", "change", () => void beginAnew());
  act("undo", "click", (table) => table.undo());
  act("hint", "click", (table) => void table.help.hint());
  act("agree", "click", (table) => table.scoring.agree());
  act("play-on", "click", (table) => table.playOn());
  act("estimate", "click", (table) => table.help.estimate());
  act("resign", "click", (table) => confirm(say("resign_ask")) && table.resign());
  act("heat", "change", (table) => table.help.heatChanged());
  act("pass", "click", (table) => table.pass());
  act("stop", "click", () => client.stop());
  act("mode-play", "click", (table) => table.review.replay(false));
  act("mode-replay", "click", (table) => table.review.replay(true));
  act("first", "click", (table) => table.review.showAt(0));
  act("back", "click", (table) => table.review.step(-1));
  act("forward", "click", (table) => table.review.step(1));
  act("end", "click", (table) => table.review.showAt(Infinity));
  act("ply", "input", (table) => table.review.showAt(Number(byId<HTMLInputElement>("ply").value)));
  connectGraph(byId<SVGElement>("graph"), (place) => room.table?.review.showInGraph(place));
  connectKeys((moves) => room.table?.review.stepByKey(moves) ?? false);
  connectShortcuts({ u: byId("undo"), h: byId("hint") });
  act("analyse", "click", (table) => void table.review.analyse());
  act("analysis-stop", "click", (table) => table.review.stopAnalysis());
  act("next-mistake", "click", (table) => table.review.showNextMistake());
  act("take-back", "click", (table) => table.review.takeBack());
  act("to-game", "click", (table) => table.review.toGame());
  act("play-from-here", "click", (table) => void table.review.playFromHere());
  byId("backend").addEventListener("change", () => void room.reopen());
  byId("test").addEventListener("click", () => {
    room.table?.sitting.leaveThought();
    void runSelfTest(client).then(() => room.table?.opponent.resume());
  });
  document.addEventListener("visibilitychange", () => room.table?.opponent.attend(!document.hidden));
  connectOpener((given) => void openGiven(given));
  connectOffer(take);
  connectDoubt((reading) => void room.choose(reading));
  connectRecordOpener(openRecord);
  connectSharing(() => {
    const { table, entry } = room;
    if (!table || !entry) return null;
    // What was given to this page is known nowhere else: there any bundle of the game is as good.
    return { bundle: entry.isGiven ? table.writtenGame.game.name : entry.name, game: table.writtenGame };
  });
}

/** The bundle that is played soonest; where none is played, any. */
function smallest(installed: readonly Entry[]): Entry | undefined {
  const played = installed.filter(({ problems }) => problems.length === 0);
  return played.sort((one, two) => bytesOf(one) - bytesOf(two))[0] ?? installed[0];
}

async function start(): Promise<void> {
  controls.remember();
  connectLook(retell);
  connect();
  let installed: readonly Entry[] = [];
  try {
    const index = await readIndex(base);
    installed = bundlesOf(index);
    if (isWatched(index)) follow(base, hear);
    // A bundle may have been dropped meanwhile.
    entries = [...installed, ...entries];
    show();
    // The address may name one of an earlier visit, or there may be no other.
    const isElsewhere = !addressedBundle() && (location.hash !== "" || !installed.length);
    if (isElsewhere) await recall();
    const first = addressedBundle() ?? smallest(installed) ?? smallest(entries);
    if (!first) throw new BundleError(sentence("no_games"));
    addEventListener("hashchange", () => {
      const other = addressedBundle();
      if (location.hash.includes("/moves=")) void openLinked();
      else if (other && other !== room.entry) void open(other);
    });
    const opening = room.entry ? null : open(first);
    if (!isElsewhere) await recall();
    await opening;
    await openLinked();
    await forgetOthers(installed, base);
  } catch (error) {
    complainOf(error);
    if (!room.entry) ahead.resume();
    await recall();
  }
  ahead.take(register, installed);
}

/** Keep the app itself for offline use. */
async function register(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

void start();
