/** The page: the bundles that are installed or were opened here, and the room where one of them is open. */

import { bundlesOf, type Entry, hasRun, isWatched } from "../bundle/Index";
import { bytesOf } from "../bundle/Needed";
import { forgetOthers, readIndex } from "../bundle/Store";
import { BundleError, sentence } from "../texts/Sentence";
import { saidOf, say } from "../texts/Speech";
import { Begin } from "./begin/Begin";
import { presentationOf } from "./boards/Presentation";
import { Ahead } from "./bundles/Ahead";
import { type LastGame, list, mark, markGames } from "./bundles/BundleList";
import { Client } from "./bundles/Client";
import { connectDoubt } from "./bundles/Doubt";
import { connectOffer, newsOf, offer } from "./bundles/Offer";
import * as controls from "./choices/Controls";
import { connectLook } from "./choices/Look";
import { complain } from "./dom/Complaint";
import { byId, element } from "./dom/Dom";
import { label } from "./dom/Labels";
import { OF_TAB, OPENING, readStored, store } from "./dom/Storage";
import type { GameRecord } from "./game/GameRecord";
import * as sessions from "./game/Session";
import { bundleAddress, gameAddress, goTo, isLeaving, readAddress } from "./library/Address";
import { Library } from "./library/Library";
import { adopt, lastGameOf } from "./library/Shelving";
import { Places } from "./places/Places";
import { Desk } from "./room/Desk";
import type { House } from "./room/House";
import { Room, type Wanted } from "./room/Room";
import { retellSelfTest, runSelfTest } from "./self-test/SelfTestPanel";
import type { Sheet } from "./sheet/Sheet";
import { rename } from "./sitting/Sitting";
import { connectButtons } from "./table/Buttons";
import type { Table } from "./table/Table";
import { describeEnd } from "./words/Outcome";
import { sideNames } from "./words/Words";

const client = new Client();
const base = new URL(".", document.baseURI).href;
const ahead = new Ahead(client, base);
const library = new Library({
  changed: () => {
    remind();
    places.refresh();
    begin.lookAtSeries();
  },
  branched: branchOff,
  refused: (isFull) => complain(() => say(isFull ? "library_full" : "library_refused")),
});
const room = new Room(client, ahead, base, library, showsGame, () => entries);
const desk: Desk = new Desk({
  room,
  library,
  entries: () => entries,
  open,
  shows: showsGame,
  go: (place) => places.show(place),
  setUp: (text) => places.setUp(text),
  puzzle: () => places.puzzle(),
  hasHome: () => entries.filter(({ problems }) => problems.length === 0).length > 1,
  first: () => smallest(entries),
});
const house: House = { client, room, desk, library, ahead, entries: () => entries, replace, clear, choose };
const begin = new Begin(house);
const places: Places = new Places({ ...house, begin });
/** The dialogs in which something is opened, and what lists the bundles there, once they were wanted. */
let dialogs: Promise<(entries: readonly Entry[]) => void> | null = null;
let entries: readonly Entry[] = [];
/** What a server that is watched had last; null if none is. */
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
  void places.tellHome();
  list(entries, choose);
  void dialogs?.then((list) => list(entries));
  if (room.entry) mark(room.entry);
  remind();
}

/** Have these entries in the list from now on. */
function relist(next: readonly Entry[]): void {
  entries = next;
  show();
}

function remind(): void {
  markGames(new Map(entries.filter((entry) => entry !== room.entry).flatMap(leftGameOf)));
}

/** What the list says of the game that was left at a bundle. */
function leftGameOf(entry: Entry): readonly (readonly [Entry, LastGame])[] {
  const record = lastGameOf(library, entry);
  if (!record || entry.game === null) return [];
  const { over: isOver, players } = record;
  const { pieces } = presentationOf(entry.game);
  const named = { pieces, called: sideNames(players, entry.game, pieces) };
  return [[entry, { isOver, about: isOver ? describeEnd(record, named) : say("resume_game") }]];
}

/** An entry of the library is on the board, or a game that is none yet. */
function showsGame(id: string | null): void {
  room.tellTitle();
  // What no bundle here plays is read, or played by two people.
  if (!room.entry) mark(null);
  remind();
  begin.lookAtSeries();
  // The address is the board's while that is shown.
  if (id === null || isLeaving() || places.now !== "board") return;
  // From one game to another is a step that Back takes back.
  goTo(gameAddress(id), readAddress(location.hash).kind === "game");
}

/** Another tab has continued the game on the board, so the game here becomes a record of its own. */
function branchOff(old: string, { id }: GameRecord): void {
  const { table } = room;
  if (table?.now.identity.id !== old) return;
  table.stage.change(rename, id);
  goTo(gameAddress(id), false);
  complain(() => say("library_branched"));
}

async function open(asked: Entry, wanted: Wanted = "last"): Promise<void> {
  const entry = newest(asked);
  mark(entry);
  offer(null);
  const opening = room.open(entry, wanted);
  remind();
  await opening;
}

/** Open a bundle; the one that is open begins anew, unless its game is under way. */
function choose(entry: Entry): void {
  const table = entry === room.entry ? room.table : null;
  places.show("board");
  if (table && !sessions.isGoingOn(table.now.session)) desk.beginAnew();
  else if (table) showsGame(table.now.identity.id);
  else {
    goTo(entry.isKept ? bundleAddress(entry.name) : "", true);
    void open(entry);
  }
}

/** A bundle as the server has it by now: one that was not taken while it was open is what is opened next time. */
function newest(asked: Entry): Entry {
  if (latest === null || asked.isGiven) return asked;
  relist(newsOf(entries, null, latest).entries);
  return entries.find(({ name, isGiven }) => name === asked.name && !isGiven) ?? asked;
}

/** The server has other networks than before: list them, and offer the one for the board that is there. */
function hear(found: readonly Entry[]): void {
  latest = found;
  const news = newsOf(entries, room.entry, found);
  relist(news.entries);
  offer(news.offer);
  const first = smallest(entries);
  if (!room.entry && first && places.now === "board") void open(first);
}

/** Let another network play on the board that is there. */
async function replace(entry: Entry): Promise<void> {
  const coming = room.replace(entry);
  show();
  await coming;
}

/** Look at a game that is over: where two people have played it, with a network that plays its board. */
async function review(table: Table): Promise<void> {
  table.review.replay(true);
  table.review.showAt(0);
  if (!room.entry) await room.invite();
}

/** Put the record of a run's game on the board. */
async function replay(record: string): Promise<void> {
  clear();
  complain(await desk.openRecord(record, "opened"));
}

function clear(): void {
  places.show("board");
  complain(null);
}

/** Have the bundles in the list that were given to the page on earlier visits. */
async function recall(): Promise<void> {
  const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
  const recalled = await client.ask("recall", { names }).catch((): readonly Entry[] => []);
  const isNew = ({ name }: Entry): boolean => !entries.some((entry) => entry.name === name);
  entries = [...entries, ...recalled.filter(isNew)];
  await adopt(library, entries);
  if (recalled.length) show();
}

const complainOf = (error: unknown): void => complain(saidOf(error));

function connect(): void {
  begin.connect();
  places.connect();
  connectButtons(() => room.table, { swap: (table) => begin.again(table), "see-replay": review });
  for (const id of ["backend", "full"]) byId(id).addEventListener("change", () => void room.reopen());
  byId("test").addEventListener("click", () => {
    room.table?.stage.leaveThought();
    void runSelfTest(client, room.entry).then(() => room.table?.opponent.resume());
  });
  for (const [id, dialog] of Object.entries({ open: "opener", "open-game": "record-opener" }))
    byId(id).addEventListener("click", async () => {
      await findDialogs();
      byId<HTMLDialogElement>(dialog).showModal();
    });
  connectOffer((entry) => {
    // Let the network that was offered play on.
    entries = entries.map((each) => (each === room.entry ? entry : each));
    void replace(entry);
  });
  connectDoubt((reading) => void room.choose(reading));
  // What is loaded when it is wanted may not come, and who wanted it waits for nothing.
  addEventListener("unhandledrejection", ({ reason }) => complainOf(reason));
}

async function findDialogs(): Promise<void> {
  dialogs ??= import("./dialogs/Dialogs").then(({ connectDialogs }) =>
    connectDialogs({ ...house, list: relist, first: () => smallest(entries) }),
  );
  (await dialogs)(entries);
}

/** Have what nobody wants before the first board is there, which waits for nothing: how sheets look, a game shared. */
async function connectLater(): Promise<void> {
  void import("./later.css");
  // What has failed before its words were there is said again.
  void import("texts:errors").then(retell);
  void findDialogs();
  void import("./device/Device").then(({ connectDevice }) => connectDevice());
  // At the first touch, wherever it is: a board where none comes is tapped as it is clicked.
  const touch = (): unknown =>
    import("./touch/Touch").then(({ connectTouch }) => connectTouch(byId("board"))).catch(() => undefined);
  addEventListener("touchstart", touch, { once: true, passive: true });
  const from = element("button", { type: "button", id: "set-up-from", "data-text": "set_up" }, say("set_up"));
  from.addEventListener("click", () => void places.setUpFrom());
  byId("open-game").before(from);
  const { connectSharing } = await import("./records/Sharing");
  connectSharing(() => {
    const { table, entry } = room;
    if (!table || !entry) return null;
    // What was given to this page is known nowhere else: there any bundle of the game is as good.
    return { bundle: entry.isGiven ? table.writtenGame.game.name : entry.name, game: table.writtenGame };
  });
}

/** Have a sheet with tabs on a screen that is too small for all that stands beside a board. */
function connectSheet(): void {
  const isSmall = matchMedia("(max-width: 34rem), (min-aspect-ratio: 5/4) and (max-height: 32rem)");
  let sheet: Promise<Sheet> | null = null;
  const lay = (): void => {
    if (isSmall.matches) sheet ??= import("./sheet/Sheet").then(({ Sheet }) => new Sheet());
    void sheet?.then((each) => each.lay(isSmall.matches));
  };
  isSmall.addEventListener("change", lay);
  lay();
}

/** The bundle that is played soonest; if none is played, any. */
function smallest(installed: readonly Entry[]): Entry | undefined {
  const played = installed.filter(({ problems }) => problems.length === 0);
  return played.sort((one, two) => bytesOf(one) - bytesOf(two))[0] ?? installed[0];
}

/** Whether the page's address needs a bundle that is not among the installed ones. */
function isOfEarlierVisit(): boolean {
  const address = readAddress(location.hash);
  const isHere = (wanted: string): boolean => entries.some(({ name, isKept }) => isKept && name === wanted);
  if (!("bundle" in address || "id" in address)) return false;
  if (address.kind !== "game") return !isHere(address.bundle);
  const { bundle } = library.get(address.id) ?? {};
  return bundle?.given === true || (bundle ? !isHere(bundle.name) : false);
}

/** Open what the page's address names; else the bundle that is played soonest. */
async function openFirst(): Promise<void> {
  if ((await desk.follow()) || room.entry) return;
  const first = smallest(entries);
  if (!first) throw new BundleError(sentence("no_games"));
  const complaint = byId("alert").hidden ? null : byId("alert").textContent;
  await open(first);
  if (complaint) complain(() => complaint);
}

async function start(): Promise<void> {
  controls.remember();
  connectSheet();
  const looks = connectLook(retell);
  connect();
  await looks;
  void connectLater();
  let installed: readonly Entry[] = [];
  // Left there by a start whose browser has ended the page: what it was opening then took too much memory.
  const lost = readStored(OPENING, OF_TAB);
  store(OPENING, null, OF_TAB);
  try {
    const [index] = await Promise.all([readIndex(base), library.open()]);
    installed = bundlesOf(index);
    if (isWatched(index))
      void import("./bundles/Follow").then(({ follow }) => follow(base, "index.json", (data) => hear(bundlesOf(data))));
    const isOfRun = hasRun(index);
    if (isOfRun) void import("./run/RunPanel").then(({ showRun }) => showRun(base, (record) => void replay(record)));
    // A bundle may have been dropped meanwhile.
    entries = [...installed, ...entries];
    await adopt(library, installed);
    show();
    // The address may name one of an earlier visit, or there may be no other.
    const isElsewhere = isOfEarlierVisit() || !installed.length;
    if (isElsewhere) await recall();
    addEventListener("hashchange", () => void desk.follow());
    // A run has no network before its first generation has ended: the panel says so.
    const opening = room.entry || (isOfRun && !installed.length) ? null : openFirst();
    if (!isElsewhere) await recall();
    await opening;
    if (lost !== null) await import("texts:given").then(() => complain(() => say("opening_lost", lost)));
    await forgetOthers(installed, base);
  } catch (error) {
    complainOf(error);
    await library.open();
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
