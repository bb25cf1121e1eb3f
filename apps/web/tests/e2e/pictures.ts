/**
 * Screenshots held to the pictures in tests/goldens. AZX_GOLDENS=write takes new ones in their place.
 *
 * Fonts differ between machines, so no text is in a picture. The board and the stones are the page's own drawing, and
 * are compared strictly; what stands around them is as wide as its texts, and is compared loosely.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect } from "vitest";

const GOLDENS = fileURLToPath(new URL("../goldens/", import.meta.url));
const FOUND = fileURLToPath(new URL("../../build/goldens/", import.meta.url));
const isWriting = process.env.AZX_GOLDENS === "write";

/** The share of the pixels that may differ, of the board and of all else. A stone of Go is 0.9 % of its board. */
export const TOLERANCE = { board: 0.001, rest: 0.03 } as const;

/** How much two pictures differ, as shares of their pixels. */
export interface Difference {
  readonly board: number;
  readonly rest: number;
}

/** A part of a picture, in its pixels. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page: takes all text away, and what blinks or moves. The page's own policy allows no style in a tag. */
function bare(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, ::before, ::after, ::placeholder {
    color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important;
    caret-color: transparent !important; animation: none !important; transition: none !important;
  }`);
  document.adoptedStyleSheets = [sheet];
}

/** The screen without its texts, and where the board is on it; the board alone where a person's own colours show all texts. */
async function takePicture(page: Page): Promise<readonly [PNG, Part | null]> {
  await page.evaluate(bare);
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    scrollTo(0, 0);
    (document.activeElement as HTMLElement | null)?.blur();
  });
  const isBoard = await page.evaluate(() => matchMedia("(forced-colors: active)").matches);
  const part = isBoard ? page.locator("#board") : page;
  const picture = PNG.sync.read(await part.screenshot({ animations: "disabled" }));
  const scale = await page.evaluate(() => devicePixelRatio);
  const box = (await page.locator("#board:visible").count()) ? await page.locator("#board").boundingBox() : null;
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
  const { width, height } = picture;
  return [picture, isBoard ? { x: 0, y: 0, width, height } : box && partOf(box, scale, picture)];
}

/** A part of the page in the pixels of a picture, as much of it as is there. */
function partOf(box: Part, scale: number, { width, height }: PNG): Part {
  const [x, y] = [Math.max(0, Math.round(box.x * scale)), Math.max(0, Math.round(box.y * scale))];
  const [right, bottom] = [Math.round((box.x + box.width) * scale), Math.round((box.y + box.height) * scale)];
  return { x, y, width: Math.min(width, right) - x, height: Math.min(height, bottom) - y };
}

/** How much a page differs from a golden picture. */
export async function difference(page: Page, name: string): Promise<Difference> {
  const [picture, board] = await takePicture(page);
  const golden = PNG.sync.read(readFileSync(`${GOLDENS}${name}.png`));
  const { width, height } = golden;
  expect([picture.width, picture.height], `${name}: the size of the picture`).toEqual([width, height]);
  const map = new PNG({ width, height });
  const options = { threshold: 0.1, diffMask: true, includeAA: false };
  const all = pixelmatch(picture.data, golden.data, map.data, width, height, options);
  const inside = board ? countMarks(map, board) : 0;
  const pixels = board ? board.width * board.height : 0;
  keep(name, picture, map);
  return { board: pixels ? inside / pixels : 0, rest: (all - inside) / Math.max(1, width * height - pixels) };
}

/** How many pixels of a part are marked as different. */
function countMarks({ data, width }: PNG, part: Part): number {
  let found = 0;
  for (let y = part.y; y < part.y + part.height; y++) {
    for (let x = part.x; x < part.x + part.width; x++) if (data[4 * (y * width + x) + 3]) found++;
  }
  return found;
}

/** Leave what was seen, and where it differs, to be looked at. */
function keep(name: string, picture: PNG, map: PNG): void {
  mkdirSync(FOUND, { recursive: true });
  writeFileSync(`${FOUND}${name}.png`, PNG.sync.write(picture));
  writeFileSync(`${FOUND}${name}-differs.png`, PNG.sync.write(map));
}

/** Hold a page to its golden picture, or take that anew. */
export async function hold(page: Page, name: string): Promise<void> {
  const path = `${GOLDENS}${name}.png`;
  if (isWriting) {
    mkdirSync(GOLDENS, { recursive: true });
    const [picture] = await takePicture(page);
    writeFileSync(path, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, filterType: -1 }));
    return;
  }
  expect(existsSync(path), `${name}: there is no such picture, AZX_GOLDENS=write takes it`).toBe(true);
  const { board, rest } = await difference(page, name);
  const percent = (share: number): string => `${(100 * share).toFixed(3)} %`;
  const about = `${name}: ${percent(board)} of the board and ${percent(rest)} of the rest differ, see build/goldens`;
  expect(board, about).toBeLessThanOrEqual(TOLERANCE.board);
  expect(rest, about).toBeLessThanOrEqual(TOLERANCE.rest);
}
