/** A finger on the board: it shows where its move would go, and plays where it is lifted; small points have a lens. */

import type { CDPSession, Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot, type Visit } from "./browser";
import { countPieces, inBrowser, openBundle, place, statusOf, waitForTurn } from "./person";

const PHONE: Visit = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Where a finger is, in pixels of the window. */
type Spot = readonly [number, number];

/** A finger of a person, which the browser takes for a real one. */
class Finger {
  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** One that has touched the page before: what a finger needs is there. */
  static async on(page: Page): Promise<Finger> {
    const finger = new Finger(page, await page.context().newCDPSession(page));
    await finger.tap([2, 2]);
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\/Touch-[^/]*\.js$/.test(name)),
    );
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    return finger;
  }

  private send(type: "touchStart" | "touchMove" | "touchEnd", ...spots: Spot[]): Promise<unknown> {
    const touchPoints = spots.map(([x, y], id) => ({ x, y, id }));
    return this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  press = (...spots: Spot[]): Promise<unknown> => this.send("touchStart", ...spots);
  move = (spot: Spot): Promise<unknown> => this.send("touchMove", spot);
  lift = (): Promise<unknown> => this.send("touchEnd");

  async tap(spot: Spot): Promise<void> {
    await this.press(spot);
    await this.lift();
  }

  async at(game: string, at: number): Promise<Spot> {
    const box = await place(this.page, game, at).boundingBox();
    if (!box) throw new Error(`${game} has no place ${at}`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
}

const ghosts = (page: Page): Promise<(string | undefined)[]> =>
  page.locator("#board [data-ghost]").evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.ghost));

/** A place and its ghost, or null: which place of the page's order has one. */
const haunted = (page: Page, place: string): Promise<number> =>
  page.locator(`#board ${place}`).evaluateAll((all) => all.findIndex((each) => each.hasAttribute("data-ghost")));

inBrowser("a finger", ({ visit }) => {
  it("shows where its move would go, and plays where it is lifted", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      const finger = await Finger.on(page);
      await prescribe(page, [0, 1]);
      await finger.press(await finger.at("tictactoe", 4));
      await expect.poll(() => haunted(page, ".cell")).toBe(4);
      expect(await ghosts(page)).toEqual(["cross"]);
      await screenshot(page, "touch-ghost");
      await finger.move(await finger.at("tictactoe", 8));
      await expect.poll(() => haunted(page, ".cell")).toBe(8);
      // Nothing of it is magnified: the cells are larger than a finger.
      expect(await page.locator(".lens").count()).toBe(0);
      expect(await countPieces(page)).toBe(0);
      await finger.lift();
      await expect.poll(() => countPieces(page)).toBe(2);
      expect(await place(page, "tictactoe", 8).getAttribute("class")).toContain("first");
      expect(await ghosts(page)).toEqual([]);
    }, PHONE);
  });

  it("shows a disc in its column's lowest hole, a line between its dots, a stone of Hex and one of Reversi", async () => {
    await visit(async ({ page }) => {
      const finger = await Finger.on(page);
      const seen: Record<string, unknown> = {};
      for (const [game, at, part] of [
        ["connect4", 3, ".hole"],
        ["dots_and_boxes", 5, ".edge"],
        ["hex", 24, ".hexagon"],
        ["reversi", 19, ".cell"],
      ] as const) {
        await openBundle(page, game, "policy");
        await finger.press(await finger.at(game, at));
        await expect.poll(() => haunted(page, part)).toBeGreaterThan(-1);
        seen[game] = [await haunted(page, part), ...(await ghosts(page))];
        await screenshot(page, `touch-${game}`);
        // Off the board nothing is played.
        await finger.move([195, 4]);
        await expect.poll(() => ghosts(page)).toEqual([]);
        await finger.lift();
        await waitForTurn(page);
        expect(await page.locator('#status[data-phase="yours"]').count(), game).toBe(1);
      }
      // A hole of the page's order stands in its column: six a column, from above.
      expect(seen).toEqual({
        connect4: [3 * 6 + 5, "red"],
        dots_and_boxes: [5, "blue"],
        hex: [24, "red"],
        reversi: [19, "black"],
      });
    }, PHONE);
  });

  it("has small points in a lens above it, and aims at them", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      const finger = await Finger.on(page);
      await prescribe(page, [0]);
      const [x, y] = await finger.at("gomoku", 112);
      await finger.press([x, y]);
      const lens = page.locator(".lens");
      await lens.waitFor();
      const box = await lens.boundingBox();
      expect([box?.width, box?.height]).toEqual([144, 144]);
      expect(Math.abs((box?.x ?? 0) + 72 - x)).toBeLessThan(1);
      expect(Math.abs((box?.y ?? 0) + 72 - (y - 100))).toBeLessThan(1);
      await screenshot(page, "touch-lens");
      const magnified = page.locator('.lens [data-ghost="black"]');
      // The point that is meant is in the lens's middle, 44 pixels wide.
      const point = await magnified.boundingBox();
      expect(Math.abs((point?.x ?? 0) + (point?.width ?? 0) / 2 - x)).toBeLessThan(1);
      expect(Math.abs((point?.y ?? 0) + (point?.height ?? 0) / 2 - (y - 100))).toBeLessThan(1);
      expect(point?.width).toBeGreaterThan(43.9);
      await finger.move(await finger.at("gomoku", 3));
      await expect.poll(() => haunted(page, ".cell")).toBe(3);
      expect(await magnified.count()).toBe(1);
      await finger.lift();
      await expect.poll(() => countPieces(page)).toBe(2);
      expect(await place(page, "gomoku", 3).getAttribute("class")).toContain("first");
      expect(await lens.count()).toBe(0);
    }, PHONE);
  });

  it("plays nothing off the board, nor where two fingers are, and a double tap plays once", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      const finger = await Finger.on(page);
      await prescribe(page, [0, 1]);
      const [one, two] = [await finger.at("gomoku", 112), await finger.at("gomoku", 30)];
      await finger.press(one);
      await page.locator(".lens").waitFor();
      await finger.move([195, 4]);
      await expect.poll(() => ghosts(page)).toEqual([]);
      await finger.lift();
      await expect.poll(() => page.locator(".lens").count()).toBe(0);
      await finger.press(one);
      await finger.press(one, two);
      await expect.poll(() => page.locator(".lens").count()).toBe(0);
      await finger.lift();
      await page.waitForTimeout(400);
      expect(await countPieces(page)).toBe(0);
      // The network's answer is there between its halves, and the second one would be another move.
      const board = await finger.at("gomoku", 112);
      await finger.tap(board);
      await expect.poll(() => countPieces(page)).toBe(2);
      await finger.tap([board[0] + 24, board[1]]);
      await page.waitForTimeout(400);
      expect(await countPieces(page)).toBe(2);
      await page.waitForTimeout(400);
      await finger.tap([board[0] + 24, board[1]]);
      await expect.poll(() => countPieces(page)).toBe(4);
    }, PHONE);
  });

  it("says why where it is lifted on what cannot be played, and a first tap plays as a click does", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [0]);
      const box = await place(page, "tictactoe", 4).boundingBox();
      await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
      await expect.poll(() => countPieces(page)).toBe(2);
      await waitForTurn(page);
      const finger = await Finger.on(page);
      await finger.press(await finger.at("tictactoe", 4));
      await page.waitForTimeout(50);
      expect(await ghosts(page)).toEqual([]);
      await finger.lift();
      await page.locator("#notice", { hasText: "Not possible" }).waitFor();
      expect(await statusOf(page)).toBe("Tap the cell for your move");
    }, PHONE);
  });

  it("is needed for none of that: a mouse plays where it is pressed, and loads nothing", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "gomoku", "policy");
      await prescribe(page, [0]);
      await place(page, "gomoku", 112).hover();
      await page.mouse.down();
      expect(await page.locator(".lens, [data-ghost]").count()).toBe(0);
      await page.mouse.up();
      await expect.poll(() => countPieces(page)).toBe(2);
      const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      expect(loaded.filter((name) => /\/Touch-/.test(name))).toEqual([]);
    });
  });
});
