/** Records of games: shared as a link, opened from a link, from a text and from a file. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { screenshot } from "./browser";
import { inBrowser, place, textOf, waitForTurn } from "./person";

const SGF = "(;GM[1]FF[4]CA[UTF-8]AP[Editor:1]SZ[9]KM[6.5]PB[A]PW[B];B[ee];W[ec];B[cc](;W[ce])(;W[gg]))";

/** How many moves the replay is at, and of how many. */
const plyText = (page: Parameters<typeof textOf>[0]): Promise<string> => textOf(page, "ply-text");

inBrowser("a record", (bench) => {
  it("is what a link shows: its position in a replay, to be played on from", () =>
    bench.visit(async ({ page }) => {
      const home = page.url().split("#")[0];
      await page.goto(`${home}#tictactoe/moves=4.0.8`);
      await page.locator("#replay:visible").waitFor();
      await expect.poll(() => plyText(page)).toBe("Move 3 of 3");
      // Opened again, the page shows the game of the library, not another one of the link.
      expect(page.url()).toMatch(/#\/games\/[0-9a-z]+$/);
      await page.click("#back");
      await expect.poll(() => plyText(page)).toBe("Move 2 of 3");
      await page.click("#play-from-here");
      await waitForTurn(page);
      await place(page, "tictactoe", 2).click();
      await page.locator("#undo:enabled").waitFor();
      // The record is as it was.
      await page.goBack();
      await expect.poll(() => plyText(page)).toBe("Move 3 of 3");
      await page.goto(`${home}#tictactoe/moves=4.0.8`);
      await expect.poll(() => plyText(page)).toBe("Move 3 of 3");
      await page.click("#to-library");
      await expect.poll(() => page.locator("#library-list li").count()).toBe(2);
    }));

  it("is opened by its link on a page that is open, with the settings of the link", () =>
    bench.visit(async ({ page }) => {
      await page.locator("#status:visible").waitFor();
      await page.evaluate(() => {
        location.hash = "#of-somebody/moves=E5.D4&game=go&komi=6.5";
      });
      await page.locator("#bundle-go[aria-pressed='true']").waitFor();
      await page.locator("#replay:visible").waitFor();
      await expect.poll(() => plyText(page)).toBe("Move 2 of 2");
      const saved = page.waitForEvent("download");
      await page.click("#save-game");
      const file = await saved;
      expect(file.suggestedFilename()).toBe("go.sgf");
      expect(readFileSync(await file.path(), "utf8")).toBe(
        "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Tromp-Taylor];B[ee];W[df])\n",
      );
    }));

  it("has stones that stand before its first move, which nobody can go behind, opened, reviewed and saved", () =>
    bench.visit(async ({ page }) => {
      await page.locator("#status:visible").waitFor();
      await page.click("#bundle-go");
      await page.locator("#board .cell").first().waitFor();
      const open = async (text: string): Promise<void> => {
        await page.click("#open-game");
        await page.fill("#record-text", text);
        await page.click("#record-open");
        await expect.poll(() => plyText(page)).toBe("Move 2 of 2");
      };
      await open("(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]PB[Ann]PW[Ben]RE[W+2];W[ee];B[dd])");
      expect(await page.locator("#set-up:visible").innerText()).toBe("Stones were set up before the first move.");
      const listed = (): Promise<string[]> => page.locator("#move-list button").allInnerTexts();
      expect((await listed()).map((each) => each.split(/\s+/))).toEqual([
        ["1", "E5"],
        ["2", "D6"],
      ]);
      const first = async (): Promise<void> => {
        await expect.poll(() => plyText(page)).toBe("Move 0 of 2");
        expect(await page.locator("#status").innerText()).toBe("Ben to move");
        expect(await page.locator("#board .first").count()).toBe(2);
        expect(await page.locator("#board .last").count()).toBe(0);
      };
      await page.click("#first");
      await first();
      await page.click("#back");
      await page.keyboard.press("ArrowLeft");
      await first();
      await page.locator("#ply").click({ position: { x: 2, y: 10 } });
      await first();
      await page.click("#end");
      await page.locator("#ply").press("Home");
      await first();
      await page.locator("#graph").click({ position: { x: 1, y: 20 } });
      await first();
      await screenshot(page, "record-set-up");
      await page.click("#forward");
      await expect.poll(() => page.locator("#board .last").count()).toBe(1);
      // A review looks at three positions.
      await page.locator("#analyse:enabled").click();
      await expect.poll(() => page.locator("#verdicts").isVisible(), { timeout: 300_000 }).toBe(true);
      await page.locator("#analyse").waitFor({ state: "hidden" });
      await expect.poll(() => page.locator("#analysis-progress").isVisible(), { timeout: 300_000 }).toBe(false);
      expect(await page.locator("#analysis-progress").evaluate((each: HTMLProgressElement) => each.max)).toBe(3);
      const saved = page.waitForEvent("download");
      await page.click("#save-game");
      const text = readFileSync(await (await saved).path(), "utf8");
      expect(text).toMatch(/KM\[0\.5\].*HA\[2\]AB\[gc\]\[cg\]PL\[W\];W\[ee\];B\[dd\]\)/);
      await open(text);
      await page.click("#first");
      await first();
      await page.reload();
      await expect.poll(() => plyText(page)).toBe("Move 2 of 2");
      await page.click("#first");
      await first();
      // Whoever plays on has the side that is to move, and takes nothing back.
      await page.click("#play-from-here");
      await waitForTurn(page);
      expect(await page.locator("#undo").isDisabled()).toBe(true);
      await place(page, "go", 40).click();
      await waitForTurn(page);
      await page.click("#undo");
      await waitForTurn(page);
      expect(await page.locator("#board .first").count()).toBe(2);
    }));

  it("is shared as a link that shows it again", () =>
    bench.visit(
      async ({ page, context }) => {
        const home = page.url().split("#")[0];
        await page.goto(`${home}#connect4/moves=3.3.2`);
        await page.locator("#replay:visible").waitFor();
        await page.click("#share-game");
        await page.locator("#share-done:has-text('copied')").waitFor();
        const link = await page.evaluate(() => navigator.clipboard.readText());
        expect(link).toBe(`${home}#connect4/moves=3.3.2`);
        const other = await context.newPage();
        await other.goto(link);
        await other.locator("#replay:visible").waitFor();
        await expect.poll(() => plyText(other)).toBe("Move 3 of 3");
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));

  it("is pasted, or told why it cannot be, in one sentence", () =>
    bench.visit(async ({ page }) => {
      await page.click("#bundle-connect4");
      await page.locator("#board .column").first().waitFor();
      await page.click("#open-game");
      for (const [text, said] of [
        ["", "This is no record of a game: a link, SGF, or a line such as connect4: 3 3 2 is read."],
        ["connect4: 3 3 3 3 3 3 3", "Move 7 is not possible: the column is full."],
        ["(;GM[1]SZ[19];B[zz])", "Move 1, 'zz', is no move of this game."],
      ] as const) {
        await page.fill("#record-text", text);
        await page.click("#record-open");
        await page.locator(`#record-refused:has-text("${said}")`).waitFor();
      }
      // What is refused changes nothing.
      await expect.poll(() => page.locator("nav [aria-pressed='true']").getAttribute("id")).toBe("bundle-connect4");
      await screenshot(page, "record-opener");
      await page.fill("#record-text", SGF);
      await page.click("#record-open");
      await page.locator("#record-opener[open]").waitFor({ state: "detached" });
      await expect.poll(() => plyText(page)).toBe("Move 4 of 4");
      await screenshot(page, "record-shown");
    }));

  it("is a file that is chosen, or dropped", () =>
    bench.visit(async ({ page }) => {
      await page.locator("#status:visible").waitFor();
      await page.click("#open-game");
      await page.setInputFiles("#record-file", {
        name: "game.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("gomoku size=15 rule=renju: H8 H9 J9"),
      });
      await page.locator("#replay:visible").waitFor();
      await expect.poll(() => plyText(page)).toBe("Move 3 of 3");
      await expect.poll(() => page.isChecked("#rule")).toBe(true);
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["(;GM[4]SZ[15];B[hh];W[hg])"], "game.sgf"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      });
      await page.locator("#ply-text:has-text('Move 2 of 2')").waitFor();
    }));
});
