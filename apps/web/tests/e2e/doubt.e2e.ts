/** Where how a network sees the board is only assumed, the page says so, and a person may choose another reading. */

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { ASSUMED, asJson, packZip, tiny, withManifest } from "../bundle/tiny";
import { screenshot } from "./browser";
import { asZip, pick } from "./giving";
import { beginNew, inBrowser, openBundle, play, press, textOf, waitForNetwork } from "./person";

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const LINE = "How this network sees the board is not known; the usual way is assumed.";
const CHOSEN = "How this network sees the board is not known; you chose: +1 the opponent, −1 the player to move.";
const OUTPUTS = "Which output is its value and which its policy is not known; the usual way is assumed.";
const KEPT = "azx given reading tiny";

const kept = (page: Page): Promise<string | null> => page.evaluate((name) => localStorage.getItem(name), KEPT);

/** The person's chances once both have moved. The network's value is the mean of its input, and 0.25. */
async function chances(page: Page): Promise<string> {
  await play(page, "tictactoe", 1);
  await expect.poll(() => page.locator("#board .second").count()).toBe(1);
  return textOf(page, "chances");
}

const choose = async (page: Page, at: number): Promise<void> => {
  await press(page, "doubt-ask");
  await page.locator("#readings-list button").nth(at).click();
  await waitForNetwork(page);
};

inBrowser("a bundle of which is not known how it sees the board", ({ visit }) => {
  it.each(Object.entries(SIZES))(
    "says so, and a chosen reading is played and kept, on a %s",
    async (size, viewport) => {
      await visit(
        async ({ page }) => {
          await openBundle(page, "connect4", "policy");
          expect(await page.locator("#doubt").isVisible()).toBe(false);
          await pick(page, "file", asZip(packZip(withManifest(tiny(), { assumed: ASSUMED }))));
          await page.locator("#doubt:visible").waitFor();
          await waitForNetwork(page);
          expect(await textOf(page, "doubt-text")).toBe(LINE);
          await openBundle(page, "tiny", "policy", "tictactoe");
          // One disc of the opponent's: the mean is -1/9.
          expect(await chances(page)).toContain("43");
          await screenshot(page, `doubt-${size}`);
          await press(page, "doubt-ask");
          const options = page.locator("#readings-list button");
          expect(await options.allInnerTexts()).toEqual([
            "+1 the player to move, −1 the opponent\nthe usual way",
            "+1 the opponent, −1 the player to move\ntictactoe-signed-opponent",
            "1 the player who began, 2 the player who came second\ntictactoe-codes-player0",
          ]);
          expect(await options.first().getAttribute("aria-pressed")).toBe("true");
          await screenshot(page, `readings-${size}`);
          await page.click("#readings-cancel");
          await choose(page, 1);
          await expect.poll(() => textOf(page, "doubt-text")).toBe(CHOSEN);
          expect(await page.locator("#board :is(.first, .second)").count()).toBe(0);
          // The same disc is +1/9 by now.
          expect(await chances(page)).toContain("32");
          expect(await kept(page)).toBe("tictactoe-signed-opponent");
          await page.reload();
          await expect.poll(() => textOf(page, "doubt-text")).toBe(CHOSEN);
          await openBundle(page, "connect4", "policy");
          expect(await page.locator("#doubt").isVisible()).toBe(false);
          await openBundle(page, "tiny", "policy", "tictactoe");
          await beginNew(page);
          expect(await chances(page)).toContain("32");
          // And back to what is assumed.
          await choose(page, 0);
          await expect.poll(() => textOf(page, "doubt-text")).toBe(LINE);
          expect(await chances(page)).toContain("43");
          expect(await kept(page)).toBeNull();
        },
        { viewport },
      );
    },
  );

  it("takes its choice along when it is removed, and a choice that it does not list is none", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      await page.evaluate((name) => localStorage.setItem(name, "tictactoe-upside-down"), KEPT);
      await pick(page, "file", asZip(packZip(withManifest(tiny(), { assumed: ASSUMED }))));
      await page.locator("#doubt:visible").waitFor();
      expect(await textOf(page, "doubt-text")).toBe(LINE);
      await choose(page, 2);
      await expect.poll(() => kept(page)).toBe("tictactoe-codes-player0");
      await page.click("#open");
      await page.getByRole("button", { name: "Remove Tic-tac-toe (tiny)" }).click();
      await page.click("#question-yes");
      await page.locator("#bundle-tiny").waitFor({ state: "detached" });
      await expect.poll(() => kept(page)).toBeNull();
    });
  });

  it("says so of its outputs alone, and beside a reading that is chosen", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      const { outputs: known } = JSON.parse(String(tiny().get("manifest.json"))) as { outputs: object[] };
      const outputs = known.map((output) => ({ ...output, degree: "assumed" }));
      await pick(page, "file", asZip(packZip(withManifest(tiny(), { outputs }))));
      await page.locator("#doubt:visible").waitFor();
      expect(await textOf(page, "doubt-text")).toBe(OUTPUTS);
      expect(await page.locator("#doubt-ask").isVisible()).toBe(false);
      await pick(page, "file", asZip(packZip(withManifest(tiny(), { outputs, assumed: ASSUMED }))));
      await page.locator("#doubt-ask:visible").waitFor();
      await choose(page, 1);
      const nor = "Nor is it known which output is its value and which its policy.";
      await expect.poll(() => textOf(page, "doubt-text")).toBe(`${CHOSEN} ${nor}`);
    });
  });

  it("has no choice where the app can draw none of the others", async () => {
    await visit(async ({ page }) => {
      await openBundle(page, "connect4", "policy");
      const [other] = ASSUMED.others;
      const later = { ...other, encoding: { layout: "flat", board: [3, 3], planes: ["weather"] } };
      const manifest = withManifest(tiny(), { assumed: JSON.parse(String(asJson({ others: [later] }))) });
      await pick(page, "file", asZip(packZip(manifest)));
      await page.locator("#doubt:visible").waitFor();
      expect(await textOf(page, "doubt-text")).toBe(LINE);
      expect(await page.locator("#doubt-ask").isVisible()).toBe(false);
    });
  });
});
