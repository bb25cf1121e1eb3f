/** Two people at one page, and positions that they set up: whatever they do in whichever order, drawn by a seed. */

import type { BrowserContext, Page } from "playwright-core";
import { drawing } from "../engine/drawing";
import { BOARDS, stored } from "./person";

/** Runs in the page: what is stored of one kind is refused from now on. */
function refuse(kind: string): void {
  const full = (): never => {
    throw new DOMException("no room", "QuotaExceededError");
  };
  if (kind === "database") IDBObjectStore.prototype.put = full;
  else Storage.prototype.setItem = full;
}

/** What the page shows of a game: its moves as they are listed, the pieces on its board, and who sits there. */
export interface Shown {
  readonly moves: readonly string[];
  readonly pieces: string;
  readonly names: readonly string[];
}

const GAMES = ["tictactoe", "connect4", "gomoku", "hex", "go", "dots_and_boxes"] as const;

export class People {
  readonly done: string[] = [];
  /** What was shown before a reload or in another tab, and after it: nothing of it may differ. */
  readonly compared: (readonly [string, unknown, unknown])[] = [];
  page!: Page;
  private readonly draw: (limit: number) => number;
  private readonly game: (typeof GAMES)[number];

  constructor(
    private readonly context: BrowserContext,
    private readonly home: string,
    seed: number,
  ) {
    this.draw = drawing(seed);
    this.game = GAMES[seed % GAMES.length] as (typeof GAMES)[number];
    this.done.push(this.game);
  }

  /** A game of two people on a board of chance, or from a position that is set up first. */
  async begin(): Promise<void> {
    this.page = await this.context.newPage();
    if (this.game !== "tictactoe" && this.draw(2)) await this.setUp();
    else await this.choose();
    await this.page.locator(`#board:visible ${BOARDS[this.game]}`).first().waitFor();
  }

  private async choose(): Promise<void> {
    const { page, draw } = this;
    this.done.push("two people");
    await page.goto(this.home);
    const name = { tictactoe: "Tic-tac-toe", connect4: "Connect4", gomoku: "Gomoku", hex: "Hex" } as const;
    const title = { ...name, go: "Go", dots_and_boxes: "Dots and Boxes" }[this.game];
    await page.locator(`.quiet[aria-label="Two people: ${title}"]`).click();
    await page.locator("#people-choice:visible").waitFor();
    for (const id of ["board-size", "board-rows", "board-columns"]) {
      const options = page.locator(`#${id} input`);
      const count = await options.count();
      if (count) await options.nth(draw(count)).check({ force: true });
    }
    if (draw(2)) await page.fill("#name-0", "Ann");
    await page.fill("#name-1", "Ben");
    await page.locator("#undo-kind input").nth(draw(2)).check({ force: true });
    await page.locator("#minutes input").nth(draw(4)).check({ force: true });
    await page.click("#new-play");
  }

  private async setUp(): Promise<void> {
    const { page, draw } = this;
    this.done.push("set up");
    await page.goto(`${this.home}#/set-up/${this.game}`);
    const places = page.locator(`#setup-board ${BOARDS[this.game]}`);
    await places.first().waitFor();
    const count = await places.count();
    for (let press = 0; press < 4; press++) {
      await page
        .locator("#setup-tool input")
        .nth(press % 2)
        .check({ force: true });
      await places.nth(draw(count)).click();
    }
    const before = page.url();
    await page.reload();
    await places.first().waitFor();
    this.compared.push(["a sketch", before, page.url()]);
    if (await page.locator("#setup-play").isDisabled()) await page.click("#setup-first");
    const people = page.locator('#setup-against input[value="people"]');
    await people.check({ force: true });
    await page.click("#setup-play");
  }

  /** Do one thing, whichever chance says; a reload in between shows what was shown before. */
  async act(): Promise<void> {
    const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
      move: () => this.move(),
      "two moves": () => this.move().then(() => this.move()),
      "three moves": () =>
        this.move()
          .then(() => this.move())
          .then(() => this.move()),
      undo: () => this.undo(),
      reload: () => this.reload(),
      "another tab": () => this.open(),
      "home and back": () => this.page.click("h1 a").then(() => this.page.goBack()),
      library: () => this.page.click("#to-library").then(() => this.page.goBack()),
      kill: () => this.kill(),
      "no room in the database": () => this.refuse("database"),
      "no room in the journal": () => this.refuse("journal"),
    };
    const names = Object.keys(deeds);
    const name = names[this.draw(names.length)] as string;
    this.done.push(name);
    await deeds[name]?.();
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator("#board:visible").waitFor();
  }

  private async move(): Promise<void> {
    const { page } = this;
    await this.ready();
    if ((await page.locator("#status").getAttribute("data-phase")) !== "yours") return;
    const free = page.locator(`#board ${BOARDS[this.game]}[aria-disabled="false"]`);
    const count = await free.count();
    if (count) await free.nth(this.draw(count)).click();
  }

  private async undo(): Promise<void> {
    const { page } = this;
    if (!(await page.locator("#undo:enabled:visible").count())) return;
    const moves = await page.locator("#move-list li").count();
    await page.click("#undo");
    // A busy machine may take its time with either: the move is gone, or the other one is asked.
    await page.waitForFunction(
      (before) =>
        document.getElementById("question-yes")?.checkVisibility() ||
        document.querySelectorAll("#move-list li").length < before,
      moves,
    );
    // Who is asked agrees, where who asks has to.
    if (await page.locator("#question-yes").isVisible()) await page.click("#question-yes");
  }

  async shown(page = this.page): Promise<Shown> {
    await page.locator("#board:visible").waitFor();
    return page.evaluate(() => ({
      moves: [...document.querySelectorAll("#move-list button > span:nth-child(2)")].map(
        (each) => each.textContent ?? "",
      ),
      pieces: [...document.querySelectorAll("#board :is(.cell, .hole, .hexagon, .edge)")]
        .map((each) => (/\bdrawn\b|\bfirst\b/.test(each.className) ? 1 : each.classList.contains("second") ? 2 : 0))
        .join(""),
      names: [...document.querySelectorAll("#players .who")].map((each) => each.textContent ?? ""),
    }));
  }

  private async reload(): Promise<void> {
    const before = await this.shown();
    await this.page.reload();
    this.compared.push(["a reload", before, await this.shown()]);
  }

  /** Wait until the database has what is shown, if it is not refused: a busy machine takes its time. */
  private async written(): Promise<void> {
    const moves = (await this.shown()).moves.length;
    for (let wait = 0; wait < 100; wait++) {
      const id = this.page.url().split("/").at(-1);
      const found = (await stored(this.page)).find((each) => each.id === id);
      if (found && found.actions.length >= moves) return;
      await this.page.waitForTimeout(100);
    }
  }

  /** The same game in another tab, where it goes on. */
  private async open(): Promise<void> {
    const [before, address] = [await this.shown(), this.page.url()];
    this.page = await this.context.newPage();
    await this.page.goto(address);
    this.compared.push(["another tab", before, await this.shown()]);
  }

  /** The tab is closed in the moment after a move. */
  private async kill(): Promise<void> {
    await this.move();
    const [before, address, old] = [await this.shown(), this.page.url(), this.page];
    await old.close();
    this.page = await this.context.newPage();
    await this.page.goto(address);
    this.compared.push(["a kill", before, await this.shown()]);
  }

  /** What this tab does from now on is in one of both alone, in the database as soon as that has it; a reload ends that. */
  private async refuse(kind: string): Promise<void> {
    await this.reload();
    await this.page.evaluate(refuse, kind);
    await this.move();
    await this.written();
    await this.reload();
  }
}
