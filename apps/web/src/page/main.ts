/** The page: the bundles that are installed or were opened here, and the room where one of them is open. */

import type { Given } from "../bundle/given/Given";
import { bundlesOf, type Entry, hasRun, isWatched } from "../bundle/Index";
import { bytesOf } from "../bundle/Needed";
import { forgetOthers, readIndex } from "../bundle/Store";
import type { Settings } from "../engine/Game";
import { BundleError, sentence, sentenceOf } from "../texts/Sentence";
import { type Said, say, sayThis } from "../texts/Speech";
import { presentationOf } from "./boards/Presentation";
import { Ahead } from "./bundles/Ahead";
import { type Kept, list, mark, markKept } from "./bundles/BundleList";
import { Client } from "./bundles/Client";
import { connectDoubt } from "./bundles/Doubt";
import { connectOffer, newsOf, offer } from "./bundles/Offer";
import * as controls from "./choices/Controls";
import { connectLook } from "./choices/Look";
import * as memory from "./choices/Memory";
import { askedGame, askForNewGame, connectNewGame, showStrength } from "./choices/NewGame";
import { connectGraph } from "./display/Graph";
import { complain } from "./dom/Complaint";
import { byId, element } from "./dom/Dom";
import { label, tell } from "./dom/Labels";
import { OF_TAB, readStored, store } from "./dom/Storage";
import { type GameRecord, newIdentity } from "./game/GameRecord";
import * as sessions from "./game/Session";
import {
  bundleAddress,
  gameAddress,
  goTo,
  isLeaving,
  LIBRARY_ADDRESS,
  newAddress,
  readAddress,
  setUpAddress,
} from "./library/Address";
import { isExport } from "./library/Export";
import { Library } from "./library/Library";
import type { LibraryView } from "./library/list/LibraryView";
import { adopt, lastGameOf } from "./library/Shelving";
import { isRecordFile, textOf } from "./records/RecordFile";
import { fits } from "./records/Settings";
import { connectKeys, connectShortcuts } from "./review/Keys";
import { Desk, type Place } from "./room/Desk";
import { Room, type Wanted } from "./room/Room";
import { retellSelfTest, runSelfTest } from "./self-test/SelfTestPanel";
import type { Arena } from "./series/Arena";
import type { Sheet } from "./sheet/Sheet";
import { rename, shown } from "./sitting/Sitting";
import type { Table } from "./table/Table";
import { describeEnd } from "./words/Outcome";
import { sayUnlisted, sideNames } from "./words/Words";

const OPENING = "opening";
const client = new Client();
const base = new URL(".", document.baseURI).href;
const ahead = new Ahead(client, base);
const library = new Library({
  changed: () => {
    remind();
    void view?.then((each) => each.refresh());
    lookAtSeries();
  },
  branched: branchOff,
  refused: (isFull) => complain(() => say(isFull ? "library_full" : "library_refused")),
});
const room = new Room(client, ahead, base, library, showsGame, () => entries);
const desk = new Desk({
  room,
  library,
  entries: () => entries,
  open,
  shows: showsGame,
  go: goToPlace,
  setUp,
  puzzle,
  hasHome: () => entries.filter(({ problems }) => problems.length === 0).length > 1,
  first: () => smallest(entries),
});
/** The dialogs in which something is opened, and what lists the bundles there, once they were wanted. */
let dialogs: Promise<(entries: readonly Entry[]) => void> | null = null;
/** Where networks play each other, once somebody has wanted that, or looks at a game of a series. */
let arena: Arena | null = null;
/** What the page shows: a board, the list of all games, or the games that can be played. */
let place: Place = "board";
/** It comes beside the list of bundles where it is what a visit begins with. */
let home = location.hash ? null : import("./home/Home");
/** What the sheet offers two people, once somebody has wanted that. */
let people: Promise<typeof import("./people/Choice")> | null = null;
/** The list of all games, once somebody has wanted it. */
let view: Promise<LibraryView> | null = null;
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
  if (place === "home") void tellHome();
  list(entries, choose);
  void dialogs?.then((list) => list(entries));
  if (room.entry) mark(room.entry);
  remind();
}

function remind(): void {
  markKept(new Map(entries.filter((entry) => entry !== room.entry).flatMap(leftGameOf)));
}

/** What the list says of the game that was left at a bundle. */
function leftGameOf(entry: Entry): readonly (readonly [Entry, Kept])[] {
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
  lookAtSeries();
  // The address is the board's while that is shown.
  if (id === null || isLeaving() || place !== "board") return;
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

/** Show the list of all games, or the games that can be played, in place of the board, or the board again. */
function goToPlace(wanted: Place): void {
  if (wanted !== place) {
    place = wanted;
    byId("library").hidden = place !== "library";
    document.body.classList.toggle("away", place !== "board");
    document.body.classList.toggle("in-home", place === "home");
    document.body.dataset.place = place;
    byId("to-library").setAttribute("aria-pressed", String(place === "library"));
    room.table?.opponent.attend(place === "board");
    room.tellTitle();
    if (place === "library") {
      view ??= import("./library/list/LibraryView").then(({ LibraryView }) => new LibraryView(library));
      void view.then((each) => each.refresh());
    }
  }
  if (place !== "home") return;
  // Nothing is on its way here.
  if (!room.entry) ahead.resume();
  void tellHome();
}

async function tellHome(): Promise<void> {
  home ??= import("./home/Home");
  const { showHome } = await home;
  byId("starting").hidden = true;
  showHome(entries, library.list(), askPeople);
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
  const isOpen = entry === room.entry && room.table !== null;
  goToPlace("board");
  if (isOpen && room.table && !sessions.isGoingOn(room.table.now.session)) desk.beginAnew();
  else if (isOpen && room.table) showsGame(room.table.now.identity.id);
  else {
    goTo(entry.isKept ? bundleAddress(entry.name) : "", true);
    void open(entry);
  }
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
  if (!room.entry && first && place === "board") void open(first);
}

/** Let the network that was offered play on. */
function take(entry: Entry): void {
  entries = entries.map((each) => (each === room.entry ? entry : each));
  void replace(entry);
}

/** Let another network play on the board that is there. */
async function replace(entry: Entry): Promise<void> {
  const coming = room.replace(entry);
  show();
  await coming;
}

async function findArena(): Promise<Arena> {
  const { Arena } = await import("./series/Arena");
  arena ??= new Arena({ room, library, entries: () => entries, replace, clear });
  return arena;
}

/** Have the series be told of that the game on the board belongs to, if any. */
function lookAtSeries(): void {
  if (arena) arena.look();
  else if (room.table?.now.identity.series) void findArena().then((found) => found.look());
}

/** What the sheet offers where networks play each other, or two people, comes when that is chosen. */
async function offerSides(): Promise<void> {
  const how = controls.chosen("begins");
  showStrength();
  if (how === "watch" && room.entry) (await findArena()).offer();
  people ??= how === "both" ? import("./people/Choice") : null;
  const choice = await people;
  if (how === "both") choice?.offer(askedGame(), room.table?.open.game === askedGame() ? room.table.open.settings : {});
  choice?.lay();
}

/** Ask two people how they want to play a game, whatever is open. */
function askPeople(game: string): void {
  controls.offerKomi();
  controls.offerRule(game);
  askForNewGame(game, true);
  void offerSides();
}

async function beginGame(): Promise<void> {
  const game = askedGame();
  if (controls.chosen("begins") === "both") {
    const [choice, { newRecord }] = await Promise.all([people ?? import("./people/Choice"), import("./people/People")]);
    await begin(newRecord(game, choice.take(game)));
    return;
  }
  const playing = entries.find((each) => each.game === game && each.isKept && each.problems.length === 0);
  if (!room.entry && playing) {
    goTo(newAddress(playing.name), true);
    await desk.follow();
    return;
  }
  if (controls.chosen("begins") === "watch") {
    // Where it does not come the network that is open plays alone.
    if (!arena) await offerSides().catch(() => undefined);
    if (arena?.begin()) return;
  }
  desk.beginAnew();
}

/** Put a game there that begins now: two people's, or one from a position that was set up. */
async function begin(record: GameRecord): Promise<void> {
  clear();
  library.keep(record);
  await desk.show(record);
}

/** Show a position that is being set up. */
async function setUp(text: string): Promise<void> {
  const { showSetUp } = await import("./setup/SetUpView");
  byId("starting").hidden = true;
  if (!room.entry) ahead.resume();
  showSetUp(text, { playing, begin });
}

/** Show the puzzles from one's own mistakes. */
async function puzzle(): Promise<void> {
  const { showPuzzles } = await import("./puzzles/PuzzleView");
  byId("starting").hidden = true;
  await showPuzzles({
    records: () => library.list(),
    isPlayed: ({ game, settings }) => playing(game, settings) !== null,
    solve: (wanted) => void import("./puzzles/Solving").then(({ solve }) => solve(wanted, room, desk, clear)),
  });
}

/** A bundle that plays a game on the board of these settings. */
const playing = (game: string, board: Settings): Entry | null =>
  entries.find((each) => each.game === game && !each.problems.length && each.settings && fits(board, each.settings)) ??
  null;

/** Set up a position that begins as the one that is shown. */
async function setUpFrom(): Promise<void> {
  const { now, open: board } = room.table ?? {};
  if (!now || !board) return;
  const { sketchOf, textOf: written } = await import("./setup/Sketch");
  goTo(setUpAddress(written(sketchOf(board.game, board.settings, sessions.visible(shown(now))))), true);
  await desk.follow();
}

/** The same two again with the sides changed, or the same person against the network. */
async function playAgain(table: Table): Promise<void> {
  if (!sessions.isShared(table.now.session)) {
    if (room.entry) goTo(room.entry.isKept ? newAddress(room.entry.name) : "", true);
    table.swapSides();
    return;
  }
  const { rematch } = await import("./people/People");
  table.lay({ ...table.now, session: rematch(table.now.session), identity: newIdentity("played") });
  table.stage.keep(true);
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
  goToPlace("board");
  complain(null);
}

/** Note what is being opened in this tab; null once that is over. */
const noteOpening = (name: string | null): void => store(OPENING, name, OF_TAB);

/** Put the bundle that a person has given to the page into the list, and open it. */
async function openGiven(reading: Promise<readonly Given[]>): Promise<void> {
  room.table?.stage.leaveThought();
  complain(null);
  const opening = byId("opening");
  opening.hidden = false;
  reading.catch(() => undefined);
  try {
    // What is wrong with files is said in words of their own.
    await import("../texts/parts/Given");
    const given = await reading;
    const [first] = given;
    if (given.length === 1 && first && isRecordFile(first.path)) {
      complain(await desk.openRecord(await textOf(first.blob), "opened"));
      return;
    }
    if (given.length === 1 && first && (await isExport(first.blob))) {
      complain(await takeIn(first.blob));
      return;
    }
    const what = given[0]?.path.split("/")[0];
    noteOpening(what ?? null);
    tell("opening", () => (what === undefined ? say("checking_dropped") : say("checking", what)));
    const names = entries.filter(({ isGiven }) => !isGiven).map(({ name }) => name);
    const { entry, unkept, unlisted } = await client.ask("take", { given, names });
    entries = [...entries.filter(({ name }) => name !== entry.name), entry];
    show();
    choose(entry);
    if (unkept) complain(() => sayThis(unkept));
    else if (unlisted.length) complain(() => sayUnlisted(entry, unlisted));
  } catch (error) {
    complainOf(error);
    room.table?.opponent.resume();
  } finally {
    noteOpening(null);
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
  await adopt(library, entries);
  if (found.length) show();
}

/** Forget a bundle that was given to the page; its games stay. */
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
      goTo("", false);
      complain(() => say("no_games"));
    }
  }
  memory.forget(entry);
}

/** Put the games of an exported library into this one, and say how many there were. */
async function takeIn(blob: Blob): Promise<Said> {
  const { importGames } = await import("./library/Archive");
  return importGames(library, blob);
}

const complainOf = (error: unknown): void => complain(() => sayThis(sentenceOf(error)));

function connect(): void {
  const act = (id: string, event: string, what: (table: Table) => void): void =>
    byId(id).addEventListener(event, () => room.table && what(room.table));
  byId("new").addEventListener("click", () => {
    if (!room.table) return;
    const { game } = room.table.open;
    askForNewGame(game, !entries.some((each) => each.game === game && each.problems.length === 0));
    void offerSides();
  });
  byId("begins").addEventListener("change", () => void offerSides());
  connectNewGame(() => void beginGame());
  byId("to-library").addEventListener("click", () => {
    if (place !== "library") goTo(LIBRARY_ADDRESS, true);
    else goTo(room.table ? gameAddress(room.table.now.identity.id) : "", true);
    void desk.follow();
  });
  act("strength", "change", (table) => {
    table.stage.retell();
    table.opponent.rethink();
  });
  act("swap", "click", (table) => void playAgain(table));
  act("see-replay", "click", (table) => void review(table));
  act("pause", "click", (table) => table.opponent.pause(!table.now.isPaused));
  act("one-move", "click", (table) => void table.opponent.step());
  const ask = (what: "resign" | "takeBack") => (table: Table) =>
    void import("./table/Asking").then((asking) => asking[what](table));
  act("undo", "click", (table) => (table.now.session.isUndoAsked ? ask("takeBack")(table) : table.undo()));
  act("ask-again", "click", (table) => table.opponent.askAgain());
  act("hint", "click", (table) => void table.help.hint());
  act("agree", "click", (table) => table.scoring.agree());
  act("play-on", "click", (table) => table.playOn());
  act("estimate", "click", (table) => void table.help.estimate());
  act("resign", "click", ask("resign"));
  act("heat", "change", (table) => table.help.heatChanged());
  act("pass", "click", (table) => table.pass());
  act("stop", "click", () => client.stop());
  act("mode-play", "click", (table) => table.review.replay(false));
  act("mode-replay", "click", (table) => table.review.replay(true));
  act("first", "click", (table) => table.review.showAt(0));
  act("back", "click", (table) => table.review.step(-1));
  act("forward", "click", (table) => table.review.step(1));
  act("end", "click", (table) => table.review.showAt(Infinity));
  connectGraph(byId("ply"), (place) => room.table?.review.showPart(place));
  connectGraph(byId("graph"), (place) => room.table?.review.showInGraph(place));
  connectKeys((moves) => room.table?.review.stepByKey(moves) ?? false);
  connectShortcuts({ u: byId("undo"), h: byId("hint") });
  act("analyse", "click", (table) => void table.review.analyse());
  act("analysis-stop", "click", (table) => table.review.stopAnalysis());
  act("next-mistake", "click", (table) => table.review.showNextMistake());
  act("live", "click", (table) => void table.review.watch());
  act("retry", "click", (table) => void table.review.retry());
  act("take-back", "click", (table) => table.review.takeBack());
  act("to-game", "click", (table) => table.review.toGame());
  act("play-from-here", "click", (table) => table.review.playFromHere());
  for (const id of ["backend", "full"]) byId(id).addEventListener("change", () => void room.reopen());
  byId("test").addEventListener("click", () => {
    room.table?.stage.leaveThought();
    void runSelfTest(client, room.entry).then(() => room.table?.opponent.resume());
  });
  document.addEventListener("visibilitychange", () => room.table?.opponent.attend(!document.hidden));
  for (const [id, dialog] of Object.entries({ open: "opener", "open-game": "record-opener" }))
    byId(id).addEventListener("click", async () => {
      await findDialogs();
      byId<HTMLDialogElement>(dialog).showModal();
    });
  connectOffer(take);
  connectDoubt((reading) => void room.choose(reading));
  // What is loaded when it is wanted may not come, and who wanted it waits for nothing.
  addEventListener("unhandledrejection", ({ reason }) => complainOf(reason));
}

async function findDialogs(): Promise<void> {
  dialogs ??= import("./dialogs/Dialogs").then(({ connectDialogs }) =>
    connectDialogs({
      given: (given) => void openGiven(given),
      record: (text) => desk.openRecord(text, "opened"),
      remove: (entry) => void remove(entry),
    }),
  );
  (await dialogs)(entries);
}

/** Have what nobody wants before the first board is there, which waits for nothing: how sheets look, a game shared. */
async function connectLater(): Promise<void> {
  void import("./later.css");
  // What has failed before its words were there is said again.
  void import("../texts/parts/Errors").then(retell);
  void findDialogs();
  void import("./device/Device").then(({ connectDevice }) => connectDevice());
  // At the first touch, wherever it is: a board where none comes is tapped as it is clicked.
  const touch = (): unknown =>
    import("./touch/Touch").then(({ connectTouch }) => connectTouch(byId("board"))).catch(() => undefined);
  addEventListener("touchstart", touch, { once: true, passive: true });
  const from = element("button", { type: "button", id: "set-up-from", "data-text": "set_up" }, say("set_up"));
  from.addEventListener("click", () => void setUpFrom());
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
  const said = byId("alert").hidden ? null : byId("alert").textContent;
  await open(first);
  if (said) complain(() => said);
}

async function start(): Promise<void> {
  controls.remember();
  connectSheet();
  const looks = connectLook(retell);
  connect();
  await looks;
  void connectLater();
  let installed: readonly Entry[] = [];
  // A browser ends a page that takes too much memory: what it was opening then, only its next start can tell.
  const lost = readStored(OPENING, OF_TAB);
  noteOpening(null);
  try {
    const [index] = await Promise.all([readIndex(base), library.open()]);
    installed = bundlesOf(index);
    if (isWatched(index)) void import("./bundles/Follow").then(({ follow }) => follow(base, hear));
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
    if (lost !== null) await import("../texts/parts/Given").then(() => complain(() => say("opening_lost", lost)));
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
