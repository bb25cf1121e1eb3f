/** What a person may do to a page in any order, however odd; and what of it must be in the library afterwards. */

import type { BrowserContext, Page } from "playwright-core";

import { beginNew } from "./person";

const GAME = "gomoku";
const CELLS = "#board .cell";

/** A game as a tab has shown it: its moves, by the numbers of their cells. */
export type Witnessed = readonly number[];

/** Numbers that look drawn by chance, the same ones for the same seed. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761 + 1) >>> 0;
  }

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of<Each>(all: readonly Each[]): Each {
    return all[this.below(all.length)] as Each;
  }
}

/** The actions of all games that the browser keeps: those of its database, and those on their way there. */
export const kept = (page: Page): Promise<readonly Witnessed[]> =>
  page.evaluate(
    () =>
      new Promise<number[][]>((resolve, reject) => {
        const opening = indexedDB.open("azx-games", 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction("games").objectStore("games").getAll();
          all.onsuccess = () => resolve(all.result.map(({ actions }: { actions: number[] }) => actions));
          all.onerror = () => reject(all.error);
        };
      }),
  );

/** Runs in the page: the moves of the game on the board, by the numbers of their cells. */
function movesOnBoard(): number[] {
  const cells = [...document.querySelectorAll("#board .cell")];
  const names = new Map(cells.map((cell, at) => [(cell.getAttribute("aria-label") ?? "").split(",")[0], at]));
  const listed = [...document.querySelectorAll("#move-list button > span:nth-child(2)")];
  return listed.map((each) => names.get(each.textContent ?? "") ?? -1);
}

/** Runs in the page: what is stored of one kind is refused from now on. */
function refuse(kind: string): void {
  const full = (): never => {
    throw new DOMException("no room", "QuotaExceededError");
  };
  if (kind === "database") IDBObjectStore.prototype.put = full;
  else Storage.prototype.setItem = full;
}

/** One person's tabs and deeds; `witnessed` has each game as it was seen last, by its address and tab. */
export class Person {
  readonly witnessed: Witnessed[] = [];
  readonly done: string[] = [];
  private tabs: Page[] = [];
  private now = 0;
  /** The tabs in which the journal is refused: what they play is in the database alone. */
  private readonly unjournaled = new Set<Page>();

  constructor(
    private readonly context: BrowserContext,
    private readonly home: string,
    private readonly chance: Chance,
  ) {}

  get page(): Page {
    return this.tabs[this.now] as Page;
  }

  async begin(): Promise<void> {
    await this.openTab(`${this.home}#${GAME}`);
    await this.move();
  }

  /** Do one thing, whichever chance says, and see what is on the board then. */
  async act(): Promise<void> {
    const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
      move: () => this.move(),
      "move again": () => this.move(),
      "two moves": () => this.move().then(() => this.move()),
      reload: () => this.page.reload(),
      back: () => this.goBack(),
      forward: () => this.page.goForward(),
      "new game": () => this.beginAnew(),
      home: () => this.page.click("h1 a"),
      library: () => this.page.click("#to-library"),
      "another tab": () => this.openTab(this.page.url()),
      "the other tab": () => this.turnTo(this.chance.below(this.tabs.length)),
      link: () => this.goTo(`#${GAME}/moves=${this.chance.of(["H8.J9.G7", "A1", "D4.E5.F6.G8"])}`),
      sgf: () => this.drop("(;GM[4]SZ[15]PB[A]PW[B];B[hh];W[ii];B[gg])"),
      "another game": () => this.goTo("#tictactoe"),
      kill: () => this.kill(),
      crash: () => this.crash(),
      "no room in the database": () => this.refuse("database"),
      "no room in the journal": () => this.refuse("journal"),
    };
    const name = this.chance.of(Object.keys(deeds));
    this.done.push(name);
    await deeds[name]?.();
    await this.witness();
  }

  /** All tabs are gone, and a new one has the library. */
  async comeBack(): Promise<Page> {
    for (const tab of this.tabs) {
      await this.settle(tab);
      await tab.close();
    }
    const page = await this.context.newPage();
    await page.goto(`${this.home}#/games`);
    await page.locator("#library-count:not(:empty)").waitFor();
    return page;
  }

  private async openTab(url: string): Promise<void> {
    const page = await this.context.newPage();
    await page.goto(url);
    this.tabs.push(page);
    this.now = this.tabs.length - 1;
    await this.ready();
  }

  private async turnTo(at: number): Promise<void> {
    this.now = at;
    await this.page.bringToFront();
  }

  /** The page has answered to its address. */
  private async ready(): Promise<void> {
    await this.page.locator("#board:visible, #home:visible, #library:visible").first().waitFor();
  }

  private async goTo(hash: string): Promise<void> {
    await this.page.evaluate((address) => {
      location.hash = address;
    }, hash);
  }

  private async goBack(): Promise<void> {
    await this.page.goBack();
    // Before its first address a tab was empty.
    if (this.page.url() === "about:blank") await this.page.goForward();
  }

  private async beginAnew(): Promise<void> {
    if (await this.page.locator("#new").isVisible()) await beginNew(this.page);
  }

  /** A stone on some free cell where it is the person's turn, as soon as it is. */
  private async move(): Promise<void> {
    const { page } = this;
    // Where the board is not, or is a record's or another game's, nobody moves.
    if (!(await page.locator("#board:visible").count()) || !(await this.isGomoku())) return;
    const isOurs = page.locator('#status:visible[data-phase="yours"]');
    const waiting = page.locator('#status:visible[data-phase="theirs"]');
    if (await waiting.count()) await isOurs.waitFor({ timeout: 3000 }).catch(() => undefined);
    if (!(await isOurs.count())) return;
    const free = page.locator(`${CELLS}[aria-disabled="false"]`);
    const count = await free.count();
    if (count > 0)
      await free
        .nth(this.chance.below(count))
        .click({ timeout: 3000 })
        .catch(() => undefined);
    await this.witness();
  }

  private async drop(text: string): Promise<void> {
    await this.page.evaluate((sgf) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([sgf], "game.sgf"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, text);
  }

  private async refuse(kind: string): Promise<void> {
    // Where nothing at all can be stored the page says so, and a game ends with its tab.
    if (kind === "journal") this.unjournaled.add(this.page);
    await this.page.reload();
    await this.ready();
    await this.page.evaluate(refuse, kind);
    await this.move();
  }

  /** The tab is closed in the moment after a move. */
  private async kill(): Promise<void> {
    await this.move();
    await this.leave((page) => page.close());
  }

  /** Its process ends in the moment after a move. */
  private async crash(): Promise<void> {
    await this.move();
    await this.leave(async (page) => {
      await page.goto("chrome://crash").catch(() => undefined);
      await page.close();
    });
  }

  private async leave(end: (page: Page) => Promise<void>): Promise<void> {
    const { page } = this;
    await this.settle(page);
    const address = page.url();
    this.tabs.splice(this.now, 1);
    await end(page);
    await this.openTab(address);
  }

  /** A tab without a journal has written to the database what it shows. */
  private async settle(page: Page): Promise<void> {
    if (!this.unjournaled.has(page)) return;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  }

  /** Note down what the tab shows: none of it may be lost from now on. */
  private async witness(): Promise<void> {
    await this.ready();
    const moves = await this.page.evaluate(movesOnBoard);
    if (moves.length && !moves.includes(-1) && (await this.isGomoku())) this.witnessed.push(moves);
  }

  private isGomoku(): Promise<boolean> {
    return this.page.evaluate(() => document.querySelectorAll("#board .cell").length === 225);
  }
}

/** The games that were seen and that no kept one begins with. */
export const lostOf = (witnessed: readonly Witnessed[], all: readonly Witnessed[]): readonly Witnessed[] =>
  witnessed.filter((moves) => !all.some((actions) => moves.every((move, at) => actions[at] === move)));
