/** The page in another language and in other colours: chosen at once, kept, and nothing left of what was there. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { prescribe, screenshot, WHOLE } from "./browser";
import {
  BOARDS,
  choose,
  click,
  inBrowser,
  openBundle,
  openSelfTest,
  place,
  statusOf,
  textOf,
  waitForTurn,
} from "./person";
import { wholeIt } from "./whole";

// Names, and what a person types or chooses, which are the same in every language.
const NAMES =
  "AI azx export zip SGF sgf txt English WebAssembly WebGL JavaScript Web Worker wasm webgl cpu LiteRT TF js int fp MB".split(
    " ",
  );

/** Runs in the page: every text, label and title, hidden or not. */
function allTexts(): string[] {
  const found = [document.title, document.body.dataset.drop ?? ""];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode.textContent ?? "");
  for (const each of document.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(each.getAttribute(name) ?? "");
  return found.map((text) => text.trim()).filter(Boolean);
}

/** The texts of the page that have a word of English: two letters or more that are no name. */
async function leftInEnglish(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(allTexts);
  return texts.filter((text) => (text.match(/[A-Za-z]{2,}/g) ?? []).some((word) => !NAMES.includes(word)));
}

const background = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

inBrowser("the page in Chinese", ({ visit }) => {
  wholeIt("says nothing in English in a game of each kind, with a hint, a replay and the self-test", async () => {
    await visit(
      async ({ page }) => {
        // Go last: its game goes on below.
        for (const game of [...Object.keys(BOARDS).filter((each) => each !== "go"), "go"]) {
          await openBundle(page, game, "policy");
          await page.click("#hint");
          await page.locator("#notice", { hasText: "提示：" }).waitFor();
          await expect.poll(() => leftInEnglish(page), { message: game }).toEqual([]);
          await place(page, game, game === "reversi" ? 19 : 0).click();
          await waitForTurn(page);
          await expect.poll(() => leftInEnglish(page), { message: game }).toEqual([]);
        }
        await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
        // A stone on another, then both pass.
        await place(page, "go", 0).click({ force: true });
        await expect.poll(() => textOf(page, "notice")).toBe("不能这样走：那里已经有子。");
        await prescribe(page, [81]);
        await page.click("#pass");
        await page.locator('#status[data-phase="scoring"]').waitFor();
        await expect.poll(() => leftInEnglish(page)).toEqual([]);
        await page.click("#agree");
        await page.locator('#status[data-phase="over"]').waitFor();
        await expect.poll(() => textOf(page, "why")).toMatch(/^结果：黑 \d+，白 \d+，贴目 7\.5；[黑白]胜 [\d.]+$/);
        await page.click("#mode-replay");
        await page.click("#first");
        await expect.poll(() => textOf(page, "ply-text")).toMatch(/^第 0 手，共 \d+ 手$/);
        await openSelfTest(page);
        await page.click("#test");
        await page.locator("#test-status", { hasText: "自检完成" }).waitFor({ timeout: 300_000 });
        await expect.poll(() => leftInEnglish(page)).toEqual([]);
        await screenshot(page, "chinese");
      },
      { locale: "zh-CN", ...WHOLE },
    );
  });

  it("is chosen in the middle of a game, which goes on, and is kept", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "tictactoe", "policy");
      await prescribe(page, [0, 8]);
      await click(page, "tictactoe", [4]);
      await expect.poll(() => statusOf(page)).toBe("Tap the cell for your move");
      await choose(page, "language", "zh-CN");
      await expect.poll(() => statusOf(page)).toBe("请点选一格落子");
      await expect.poll(() => leftInEnglish(page)).toEqual([]);
      await expect.poll(() => place(page, "tictactoe", 4).getAttribute("aria-label")).toBe("第 2 行第 2 列，叉");
      await click(page, "tictactoe", [3]);
      await expect.poll(() => page.locator("#board .first").count()).toBe(2);
      await page.reload();
      await page.locator("#status:visible").waitFor();
      await expect.poll(() => leftInEnglish(page)).toEqual([]);
      await choose(page, "language", "browser");
      await expect.poll(() => textOf(page, "undo")).toBe("Undo");
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("en");
    });
  });
});

inBrowser("the colours of the page", ({ visit }) => {
  it("are the system's, or those that a person has chosen, and the choice is kept", async () => {
    await visit(
      async ({ page }) => {
        const dark = await background(page);
        await choose(page, "theme", "light");
        const light = await background(page);
        expect(light).not.toBe(dark);
        await page.reload();
        await page.locator("#status:visible").waitFor();
        await expect.poll(() => background(page)).toBe(light);
        await choose(page, "theme", "system");
        await expect.poll(() => background(page)).toBe(dark);
        await page.emulateMedia({ colorScheme: "light" });
        await expect.poll(() => background(page)).toBe(light);
        await choose(page, "theme", "dark");
        await expect.poll(() => background(page)).toBe(dark);
      },
      { colorScheme: "dark" },
    );
  });

  it("and its language are chosen where the browser keeps nothing", async () => {
    await visit(async ({ page }) => {
      await page.addInitScript(() =>
        Object.defineProperty(globalThis, "localStorage", {
          get: () => {
            throw new DOMException("Storage is forbidden here.", "SecurityError");
          },
        }),
      );
      await page.reload();
      await page.locator("#status:visible").waitFor();
      const before = await background(page);
      await choose(page, "theme", "dark");
      await expect.poll(() => background(page)).not.toBe(before);
      await choose(page, "language", "zh-CN");
      await expect.poll(() => textOf(page, "undo")).toBe("悔棋");
    });
  });
});
