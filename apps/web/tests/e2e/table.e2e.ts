/** Who sits at the board, what is said at the end of a game, and a game that the network plays against itself. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { noteQuestions, prescribe, type Questions, screenshot } from "./browser";
import {
  beginNew,
  check,
  choose,
  click,
  countPieces,
  inBrowser,
  openBundle,
  place,
  statusOf,
  textOf,
  waitForNetwork,
  watchGame,
} from "./person";

/** Of a clock that stands still, in milliseconds. */
const STEP = 50;

const chips = (page: Page): Promise<string[]> => page.locator("#players .chip").allInnerTexts();
const chipTexts = async (page: Page): Promise<string[]> =>
  (await chips(page)).map((text) => text.split(/\s+/).join(" "));
const current = (page: Page): Promise<string[]> =>
  page.locator("#players .chip[aria-current=true] .who").allInnerTexts();
const moves = async (page: Page): Promise<number> => Number((await textOf(page, "ply-text")).match(/of (\d+)/)?.[1]);

/** How many moves the network is asked for while as much time goes by on the page as ten moves take at the fast pace. */
async function countMovesWanted(page: Page, questions: () => Promise<Questions>): Promise<number> {
  const count = async (): Promise<number> => (await questions()).asked.filter((kind) => kind === "think").length;
  const before = await count();
  await page.clock.runFor(2000);
  return (await count()) - before;
}

/** How many milliseconds go by on the page, whose clock stands still else, until the network is asked for a move. */
async function waitForThought(page: Page, questions: () => Promise<Questions>): Promise<number> {
  const count = async (of: "asked" | "answered"): Promise<number> =>
    (await questions())[of].filter((kind) => kind === "think").length;
  await expect.poll(async () => (await count("asked")) - (await count("answered"))).toBe(0);
  const before = await count("asked");
  let waited = 0;
  for (; waited < 10_000 && (await count("asked")) === before; waited += STEP) await page.clock.runFor(STEP);
  return waited;
}

async function winGame(page: Page): Promise<void> {
  await openBundle(page, "tictactoe", "policy");
  await prescribe(page, [3, 4]);
  await click(page, "tictactoe", [0, 1, 2]);
}

inBrowser("who sits at the board", ({ visit }) => {
  it("is told with the stone, the strength, what was captured and whose turn it is", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "go", "policy");
      await expect
        .poll(() => chipTexts(page))
        .toEqual(["You to move black 0 captured", "AI white, policy only 0 captured"]);
      await expect.poll(() => current(page)).toEqual(["You"]);
      await choose(page, "strength", "simulations 50");
      await expect.poll(async () => (await chipTexts(page))[1]).toBe("AI white, 50 simulations 0 captured");
      await choose(page, "strength", "seconds 10");
      await place(page, "go", 40).click();
      await page.locator('#status[data-phase="theirs"]').waitFor();
      await expect.poll(() => current(page)).toEqual(["AI"]);
      await expect.poll(async () => (await chipTexts(page))[1]).toBe("AI to move white, 10 seconds 0 captured");
      await choose(page, "language", "zh-CN");
      await expect.poll(async () => (await chipTexts(page))[0]).toBe("你 黑 提 0 子");
    });
  });

  it("has its boxes, and the stone that the person plays with on the left", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "dots_and_boxes", "policy");
      await prescribe(page, [3, 13, 23]);
      await click(page, "dots_and_boxes", [0, 3]);
      await expect.poll(() => chipTexts(page)).toEqual(["You to move blue 0 boxes", "AI orange, policy only 1 box"]);
      await choose(page, "begins", "ai");
      await beginNew(page);
      await page.locator("#board .drawn").first().waitFor();
      await expect.poll(() => page.locator("#players .stone").first().getAttribute("data-piece")).toBe("orange");
    });
  });
});

inBrowser("a result", ({ visit }) => {
  it("has its reason, and is told with the move that made it", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await expect
        .poll(async () => [await statusOf(page), await textOf(page, "result")])
        .toEqual(["You won!", "You won!"]);
      // The card says it to the eye, the status to a screen reader.
      const opacity = (): Promise<string> => page.locator("#status").evaluate((each) => getComputedStyle(each).opacity);
      await expect.poll(() => opacity()).toBe("0");
      await expect.poll(async () => (await page.locator("#table").ariaSnapshot()).match(/You won!/g)).toHaveLength(1);
      await expect.poll(() => textOf(page, "why")).toBe("3 in a row from row 1, column 1 to row 1, column 3");
      await expect
        .poll(() => textOf(page, "spoken"))
        .toBe("X, Row 1, column 3, 3 in a row from row 1, column 1 to row 1, column 3");
      await expect.poll(async () => (await chipTexts(page))[0]).toBe("You won X");
      await expect
        .poll(() => page.locator("#moves button:visible").allInnerTexts())
        .toEqual(["Undo", "Rematch", "Review", "New game"]);
      await screenshot(page, "result");
      await page.click("#undo");
      await expect.poll(() => page.locator("#result").isVisible()).toBe(false);
      await expect.poll(() => opacity()).toBe("1");
      await expect.poll(() => countPieces(page)).toBe(4);
    });
  });

  it("leads to a replay, to the other side, and to a new game", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await page.click("#see-replay");
      await expect
        .poll(async () => [await textOf(page, "ply-text"), await page.locator("#result").isVisible()])
        .toEqual(["Move 0 of 5", false]);
      await page.click("#mode-play");
      await page.click("#swap");
      await page.locator("#board .first").waitFor();
      await expect.poll(() => page.locator("#players .stone").first().getAttribute("data-piece")).toBe("nought");
      await expect.poll(() => page.locator("#begins input:checked").inputValue()).toBe("you");
      await beginNew(page);
      await page.locator("#board .first").waitFor({ state: "detached" });
      await expect.poll(() => page.locator("#players .stone").first().getAttribute("data-piece")).toBe("cross");
    });
  });

  it("stands in the list, also after another visit", async () => {
    await visit(async ({ page }) => {
      await winGame(page);
      await openBundle(page, "go", "policy");
      await click(page, "go", [40]);
      await page.click("#resign");
      await page.click("#question-yes");
      await expect.poll(() => textOf(page, "why")).toBe("You resigned.");
      await page.click("#bundle-connect4");
      await expect
        .poll(() => page.locator("#bundles .finished").allInnerTexts())
        .toEqual(["Finished: AI won", "Finished: you won"]);
      await page.reload();
      await page.click("#bundle-go");
      await expect
        .poll(async () => [await textOf(page, "result"), await textOf(page, "why")])
        .toEqual(["AI won!", "You resigned."]);
    });
  });
});

inBrowser("a game that is watched", ({ visit }) => {
  it("goes on by itself, stands still, and makes one move at a time", async () => {
    await visit(async ({ page }) => {
      await page.clock.install();
      const questions = await noteQuestions(page);
      await watchGame(page, "gomoku", "fast");
      await page.locator("#board .second").nth(1).waitFor();
      await expect.poll(() => page.locator("#players .who").allInnerTexts()).toEqual(["AI", "AI"]);
      for (const id of ["undo", "hint", "resign", "stop"])
        await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(false);
      await page.click("#pause");
      await expect.poll(() => statusOf(page)).toMatch(/^Paused: (black|white) to move$/);
      const before = await countPieces(page);
      expect(await countMovesWanted(page, questions)).toBe(0);
      expect(await countPieces(page)).toBe(before);
      await page.click("#one-move");
      await expect.poll(() => countPieces(page)).toBe(before + 1);
      expect(await countMovesWanted(page, questions)).toBe(0);
      expect(await countPieces(page)).toBe(before + 1);
      await screenshot(page, "watched");
      await page.click("#pause");
      await expect.poll(() => countPieces(page)).toBeGreaterThan(before + 1);
      await expect.poll(() => page.locator("#chances").innerText()).toMatch(/^Chances of black by move/);
    });
  });

  it("goes at three speeds", async () => {
    await visit(async ({ page }) => {
      await page.clock.install();
      const questions = await noteQuestions(page);
      await watchGame(page, "gomoku", "fast");
      await page.locator("#board .second").first().waitFor();
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
      for (const [pace, milliseconds] of Object.entries({ slow: 3000, usual: 1000, fast: 200 })) {
        await choose(page, "pace", pace);
        // The rest that has begun goes on at the pace of before.
        await waitForThought(page, questions);
        const waited = await waitForThought(page, questions);
        expect(waited, pace).toBeGreaterThanOrEqual(milliseconds - STEP);
        expect(waited, pace).toBeLessThanOrEqual(milliseconds + 4 * STEP);
      }
    });
  });

  it("is looked at in a replay, and stands still for one who comes back to it", async () => {
    await visit(async ({ page }) => {
      await page.clock.install();
      const questions = await noteQuestions(page);
      await watchGame(page, "connect4", "fast");
      await page.locator("#board .second").first().waitFor();
      await page.click("#mode-replay");
      const all = await moves(page);
      expect(await countMovesWanted(page, questions)).toBe(0);
      expect(await moves(page)).toBe(all);
      await page.click("#bundle-tictactoe");
      await waitForNetwork(page);
      await expect.poll(() => page.locator("#bundle-connect4 .resume").innerText()).toBe("Resume");
      await page.reload();
      await page.click("#bundle-connect4");
      await waitForNetwork(page);
      await expect.poll(() => statusOf(page)).toMatch(/^Paused: (red|yellow) to move$/);
      await expect.poll(() => countPieces(page)).toBe(all);
    });
  });

  it("keeps the screen on while it goes on, and no longer", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(countLocks);
      await page.reload();
      const locks = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { locks: number }).locks);
      await watchGame(page, "gomoku", "fast");
      await expect.poll(locks).toBe(1);
      await page.click("#pause");
      await expect.poll(locks).toBe(0);
      await page.click("#pause");
      await expect.poll(locks).toBe(1);
      await page.click("#mode-replay");
      await expect.poll(locks).toBe(0);
      await page.click("#mode-play");
      await page.click("#pause");
      await expect.poll(locks).toBe(1);
      await page.click("#to-library");
      await expect.poll(locks).toBe(0);
      await page.goBack();
      await expect.poll(locks).toBe(1);
    });
  });

  it("ends with the winner's colour, and nobody's side to swap", async () => {
    await visit(async ({ page }) => {
      await watchGame(page, "tictactoe", "fast");
      await page.locator("#result:visible").waitFor({ timeout: 300_000 });
      await expect.poll(() => textOf(page, "result")).toMatch(/^(The winner is Tic-tac-toe, policy only, [XO]|Draw)$/);
      await expect.poll(() => page.locator("#swap").isVisible()).toBe(false);
      await expect.poll(() => page.locator("#watch").isVisible()).toBe(false);
    });
  });
});

/** Runs in the page, before its scripts: counts what keeps the screen on. */
function countLocks(): void {
  const counter = { locks: 0 };
  Object.defineProperty(globalThis, "locks", { get: () => counter.locks });
  const request = (): Promise<unknown> => {
    counter.locks++;
    const lock = {
      released: false,
      release: () => {
        if (!lock.released) counter.locks--;
        lock.released = true;
        return Promise.resolve();
      },
    };
    return Promise.resolve(lock);
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
}

/** Runs in the page, before its scripts: writes down what sounds. */
function listen(): void {
  const heard: number[] = [];
  Object.assign(globalThis, { heard });
  const { OscillatorNode: Plain } = globalThis;
  globalThis.OscillatorNode = class extends Plain {
    constructor(context: BaseAudioContext, options?: OscillatorOptions) {
      super(context, options);
      heard.push(options?.frequency ?? 0);
    }
  };
}

const takeTones = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { heard: number[] }).heard.splice(0));

/** Wait until exactly these have sounded: the last ones come after the board has changed. */
async function hear(page: Page, tones: readonly number[]): Promise<void> {
  const heard: number[] = [];
  const all = async (): Promise<number[]> => {
    heard.push(...(await takeTones(page)));
    return heard;
  };
  await expect.poll(all).toEqual(tones);
}

inBrowser("sound", ({ visit }) => {
  it("is off until a person wants it, and then tells a move, a capture and the end", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(listen);
      await page.reload();
      await winGame(page);
      expect(await takeTones(page)).toEqual([]);
      await check(page, "sound", true);
      await page.reload();
      await expect.poll(() => page.locator("#sound").isChecked()).toBe(true);
      await winGame(page);
      await hear(page, [620, 620, 620, 620, 523.25, 659.25, 783.99]);
      await openBundle(page, "dots_and_boxes", "policy");
      await prescribe(page, [3, 13, 23]);
      await click(page, "dots_and_boxes", [0, 3]);
      await hear(page, [620, 620, 620, 620, 930, 620]);
      await page.click("#undo");
      expect(await takeTones(page)).toEqual([]);
    });
  });
});

inBrowser("a key", ({ visit }) => {
  it("takes a move back and asks for a hint, but not in a field or a dialog", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await place(page, "tictactoe", 4).click();
      await expect.poll(() => countPieces(page)).toBe(2);
      await page.keyboard.press("h");
      await expect.poll(() => textOf(page, "notice")).toMatch(/^Hint: /);
      await page.keyboard.press("Control+u");
      await page.click("#open-game");
      await page.locator("#record-text").press("u");
      await page.click("#record-cancel");
      await expect.poll(() => countPieces(page)).toBe(2);
      await page.keyboard.press("u");
      await expect.poll(() => countPieces(page)).toBe(0);
    });
  });

  it("that asks for a hint which fails leaves the game on the screen", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await click(page, "tictactoe", [4]);
      await page.evaluate(() => {
        const send = Worker.prototype.postMessage as (this: Worker, message: unknown) => void;
        Worker.prototype.postMessage = function (this: Worker, message: { kind: string; id: number }): void {
          if (message.kind !== "analyse") {
            send.call(this, message);
            return;
          }
          const sentence = { key: "error_unexpected", places: ["Out of memory"] };
          const data = { id: message.id, kind: "failed", sentence };
          queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
        };
      });
      await page.keyboard.press("h");
      await expect
        .poll(() => textOf(page, "notice"))
        .toBe("No hint: try again. This page has failed (Out of memory): load it again.");
      await expect
        .poll(async () => [await countPieces(page), await page.locator("#alert").isVisible()])
        .toEqual([2, false]);
      await page.click("#undo");
      await expect.poll(() => countPieces(page)).toBe(0);
    });
  });
});
