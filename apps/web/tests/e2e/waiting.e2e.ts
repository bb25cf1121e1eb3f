/** What the page waits for, and what it says meanwhile: an opponent that cannot come, one that gives no move, a hint; and the figures of an end. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot, waitForStillness } from "./browser";
import { click, inBrowser, openBundle, place, press, statusOf, stored, textOf } from "./person";

const PHONE = { width: 390, height: 844 };
const SGF = "(;GM[1]FF[4]SZ[19]KM[6.5]PB[Ann]PW[Ben];B[pd];W[dp];B[dd])";

async function openRecord(page: Page, text: string): Promise<void> {
  await page.locator("#status:visible").waitFor();
  await press(page, "open-game");
  await page.fill("#record-text", text);
  await page.click("#record-open");
  await page.locator("#replay:visible").waitFor();
}

/** The cell of a board of 19 lines, by its column and row from the upper left corner. */
const at = (column: number, row: number): number => row * 19 + column;

/** Runs in the page: keep back what the worker is asked of one kind; `release` lets it go there. */
function keepBack(kind: string): void {
  const send = Worker.prototype.postMessage as (this: Worker, message: unknown) => void;
  const waiting: (() => void)[] = [];
  Worker.prototype.postMessage = function (this: Worker, message: { readonly kind: string }): void {
    if (message.kind === kind) waiting.push(() => send.call(this, message));
    else send.call(this, message);
  };
  const release = (): void => {
    for (const each of waiting.splice(0)) each();
  };
  Object.assign(globalThis, { release });
}

const release = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as { release: () => void }).release());

/** Runs in the page: the next thought fails in the worker, as where memory has run out. */
function failOnce(): void {
  const send = Worker.prototype.postMessage as (this: Worker, message: unknown) => void;
  Worker.prototype.postMessage = function (
    this: Worker,
    message: { readonly kind: string; readonly id: number },
  ): void {
    if (message.kind !== "think") {
      send.call(this, message);
      return;
    }
    Worker.prototype.postMessage = send as typeof Worker.prototype.postMessage;
    const data = { id: message.id, kind: "failed", sentence: { key: "error_unexpected", places: ["no room"] } };
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
  };
}

inBrowser("a table whose opponent cannot come", (bench) => {
  it.each([["desktop"], ["phone"]] as const)("is one of two people, and says so, on a %s", (size) =>
    bench.visit(
      async ({ page }) => {
        await openRecord(page, SGF);
        await expect
          .poll(() => textOf(page, "alert"))
          .toMatch(/^No network here plays Go on the board of this record\.$/);
        await page.click("#play-from-here");
        await expect
          .poll(() => textOf(page, "notice"))
          .toBe("No network here plays this board: two people play on at this device.");
        await expect.poll(() => statusOf(page)).toBe("White to move");
        await screenshot(page, `two-people-${size}`);
        await place(page, "go", at(15, 15)).click();
        await expect.poll(() => statusOf(page)).toBe("Black to move");
        await place(page, "go", at(2, 5)).click();
        await expect.poll(() => statusOf(page)).toBe("White to move");
        expect(await page.locator('#bundles [aria-pressed="true"]').count()).toBe(0);
        // Nothing is offered that would take a network.
        for (const id of ["hint", "stop", "thought"]) expect(await page.locator(`#${id}`).isVisible(), id).toBe(false);
        await page.click("#undo");
        await expect.poll(() => statusOf(page)).toBe("Black to move");
        await expect.poll(() => page.locator("#board .first, #board .second").count()).toBe(4);
        // It is a game of its own, and continues on the next visit.
        await page.reload();
        await expect.poll(() => statusOf(page)).toBe("Black to move");
        await place(page, "go", at(2, 5)).click();
        await expect.poll(() => statusOf(page)).toBe("White to move");
        await page.click("#pass");
        await page.click("#pass");
        await page.click("#agree");
        await expect.poll(() => page.locator("#result").innerText()).toMatch(/^The winner is (black|white)$/);
        await expect.poll(async () => (await stored(page)).length).toBe(2);
      },
      size === "phone" ? { viewport: PHONE } : {},
    ),
  );

  it("can be looked through, and no more, where a network played there that is gone", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await click(page, "tictactoe", [4]);
      await page.route("**/azx/index.json", async (route) => {
        const index = (await (await route.fetch()).json()) as { bundles: { name: string }[] };
        const left = index.bundles.filter(({ name }) => name !== "tictactoe");
        await route.fulfill({ json: { ...index, bundles: left } });
      });
      await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/games\//);
      await page.reload();
      await page.locator("#alert", { hasText: "No network here plays Tic-tac-toe" }).waitFor();
      await expect.poll(() => page.locator("#replay").isVisible()).toBe(true);
      await expect.poll(() => page.locator("#modes").isVisible()).toBe(false);
      await page.click("#back");
      await expect.poll(() => statusOf(page)).toBe("AI’s turn");
      await page.click("#play-from-here");
      await expect.poll(() => statusOf(page)).toBe("O to move");
      await place(page, "tictactoe", 0).click();
      await expect.poll(() => statusOf(page)).toBe("X to move");
    }));
});

inBrowser("a network that gives no move", (bench) => {
  it("is asked again by a person, and nobody waits for it until then", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await page.evaluate(failOnce);
      await place(page, "tictactoe", 4).click();
      await page.locator("#alert", { hasText: "This page has failed (no room): load it again." }).waitFor();
      await expect.poll(() => statusOf(page)).toBe("AI has not moved");
      await expect.poll(() => page.locator("#stop").isVisible()).toBe(false);
      await screenshot(page, "not-moved");
      await page.click("#ask-again");
      await page.locator("#board .second").waitFor();
      await expect.poll(() => page.locator("#alert").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#ask-again").isVisible()).toBe(false);
      await expect.poll(() => statusOf(page)).toBe("Tap the cell for your move");
    }));
});

inBrowser("a hint", (bench) => {
  it("says at once that it is on its way, can be ended, and comes", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.evaluate(keepBack, "analyse");
      await page.click("#hint");
      await expect.poll(() => textOf(page, "notice")).toBe("Looking for a hint …");
      expect(await page.locator("#notice").getAttribute("aria-live")).toBe("polite");
      expect(await textOf(page, "hint")).toBe("Stop");
      await screenshot(page, "hint-on-its-way");
      // Even where the worker says nothing any more.
      await page.click("#hint");
      await expect.poll(() => textOf(page, "notice")).toBe("");
      expect(await textOf(page, "hint")).toBe("Hint");
      await page.click("#hint");
      await expect.poll(() => textOf(page, "hint")).toBe("Stop");
      await release(page);
      await page.locator("#candidates:visible").waitFor();
      await expect.poll(() => textOf(page, "notice")).toMatch(/^Hint: .*, your chances \d+\s%\.$/);
      expect(await textOf(page, "hint")).toBe("Hint");
    }));

  it("is given up by a move, which waits for nothing", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.evaluate(keepBack, "analyse");
      await page.click("#hint");
      await expect.poll(() => textOf(page, "hint")).toBe("Stop");
      await click(page, "connect4", [3]);
      expect(await textOf(page, "hint")).toBe("Hint");
      await release(page);
      await waitForStillness(page);
      await expect.poll(() => page.locator("#candidates").isVisible()).toBe(false);
      await expect.poll(() => textOf(page, "notice")).toBe("");
    }));
});

/** The person's chances and the network's win rate, as the page says them: in percent. */
async function figures(page: Page): Promise<readonly number[]> {
  const percent = (text: string): number => Number(/(\d+)\s%/.exec(text)?.[1]);
  return [percent(await textOf(page, "chances")), percent(await textOf(page, "rate"))];
}

inBrowser("the figures of a game", (bench) => {
  it("make a hundred while it goes on", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      for (const column of [3, 3, 2]) {
        await click(page, "connect4", [column]);
        const [chances = 0, rate = 0] = await figures(page);
        expect(chances + rate).toBe(100);
      }
    }));

  it("are those of a lost game: 0 % and 100 %, in its bar as well", () =>
    bench.visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await prescribe(page, [35, 28, 21, 14]);
      await click(page, "connect4", [6, 6, 5, 5]);
      await expect.poll(() => statusOf(page)).toBe("AI won!");
      expect(await figures(page)).toEqual([0, 100]);
      expect(await page.locator("#evaluation span").evaluate((bar: HTMLElement) => bar.style.width)).toBe("0%");
      await screenshot(page, "lost-desktop");
      // What was thought of the end is not told of a board from which moves were taken back.
      await page.click("#undo");
      await expect.poll(() => textOf(page, "simulations")).toBe("–");
      const [chances = 0, rate = 0] = await figures(page);
      expect([chances, rate]).toEqual([50, 50]);
    }));
});
