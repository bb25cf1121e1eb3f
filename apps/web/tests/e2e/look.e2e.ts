/** How the boards look: they fit the screen, and what must be seen stands out, in the colours that are on it. */

import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect, it } from "vitest";

import { bench, launch, prescribe, screenshot, type Visit, visit as visitAt, waitForStillness } from "./browser";
import { BOARDS, click, inBrowser, openBundle } from "./person";

const SCREENS = {
  phone: [390, 844],
  small: [320, 568],
  landscape: [844, 390],
  "landscape-small": [667, 375],
  "desktop-200": [640, 450],
  laptop: [1280, 720],
  desktop: [1280, 900],
  large: [2560, 1440],
} as const;

/** Moves of the person and the network's answers, so that both have pieces there. */
const GAMES: Readonly<Record<string, readonly [readonly number[], readonly number[]]>> = {
  connect4: [[3], [35]],
  tictactoe: [[4], [0]],
  dots_and_boxes: [[0], [23]],
  gomoku: [[112], [96]],
  go: [[40], [30]],
  reversi: [[19], [18]],
};

/**
 * Where a colour is looked for: a part of the board, a place of it in parts of its width and height, and how many
 * pixels around it are looked at as well, of which the one that stands out most counts.
 */
type Spot = readonly [string, number, number, number?];
const HOLE = ".hole:not(.first):not(.second)";
const FREE = ".edge:not(.drawn)";
const EMPTY = ".cell:not(.first):not(.second)";
const PAIRS: Readonly<Record<string, readonly (readonly [string, Spot, Spot])[]>> = {
  connect4: [
    ["a hole against the frame", [HOLE, 0.5, 0.006, 1], [HOLE, -0.03, -0.03]],
    ["the first disc against its hole", [".hole.first", 0.5, 0.2], [".hole.first", 0.5, 0.025]],
    ["the second disc against its hole", [".hole.second", 0.5, 0.065], [".hole.second", 0.5, 0.025]],
  ],
  tictactoe: [
    ["a cell's border", [EMPTY, 0.5, 0.004], [EMPTY, 0.5, 0.1]],
    ["the first piece", [".first .piece", 0.5, 0.5], [".first", 0.5, 0.06]],
    ["the second piece", [".second .piece", 0.5, 0.03], [".second", 0.5, 0.06]],
  ],
  dots_and_boxes: [
    ["a dot", [".dot-mark", 0.5, 0.5], [".box", 0.5, 0.5]],
    ["a drawn edge", [".edge.drawn:not(.last)", 0.5, 0.5], [".box", 0.5, 0.5]],
    ["the edge drawn last", [".edge.last", 0.5, 0.5], [".box", 0.5, 0.5]],
    ["a free edge", [FREE, 0.5, 0.5], [".box", 0.5, 0.5]],
  ],
  go: [
    ["a line", [EMPTY, 0.75, 0.5, 1], [EMPTY, 0.25, 0.25]],
    ["a name", [".row-name", 0.5, 0.5, 5], [EMPTY, 0.25, 0.25]],
    ["the first stone", [".first .piece", 0.8, 0.6], [EMPTY, 0.25, 0.25]],
    ["the second stone's rim", [".second .piece", 0.5, 0.02, 1], [EMPTY, 0.25, 0.25]],
  ],
  reversi: [
    ["a line", [EMPTY, 0.5, 0, 2], [EMPTY, 0.25, 0.25]],
    ["a name", [".row-name", 0.5, 0.5, 5], [EMPTY, 0.25, 0.25]],
    ["the first disc", [".first .piece", 0.8, 0.6], [EMPTY, 0.25, 0.25]],
    ["the second disc's rim", [".second .piece", 0.5, 0.02, 1], [EMPTY, 0.25, 0.25]],
  ],
  gomoku: [
    ["a line", [EMPTY, 0.75, 0.5, 1], [EMPTY, 0.25, 0.25]],
    ["a star point", [".lines circle", 0.5, 0.5], [EMPTY, 0.25, 0.25]],
    ["a name", [".column-name", 0.5, 0.5, 5], [EMPTY, 0.25, 0.25]],
    ["the first stone", [".first .piece", 0.8, 0.6], [EMPTY, 0.25, 0.25]],
    ["the second stone's rim", [".second .piece", 0.5, 0.02, 1], [EMPTY, 0.25, 0.25]],
  ],
};

/** The same of who sits at the board, beside whatever game: the frame of the one who moves, and the rims of the stones. */
const CHIPS: readonly (readonly [string, Spot, Spot])[] = [
  ["the frame of the one who moves", ["#players .chip[aria-current]", 0.5, 0.01, 1], ["#players .chip", 0.7, 0.12]],
  [
    "the rim of the first one's stone",
    ["#players .chip:first-child .stone", 0.5, 0.5, 14],
    ["#players .chip", 0.7, 0.12],
  ],
  [
    "the rim of the other one's stone",
    ["#players .chip:last-child .stone", 0.5, 0.5, 14],
    ["#players .chip", 0.7, 0.12],
  ],
];

/** A place on the screen, and how far around it. */
type Pixel = readonly [number, number, number];

/** Runs in the page: the colours of these pixels, in pixels of the screenshot, as red, green and blue. */
async function coloursOf([png, spots]: readonly [string, readonly Pixel[]]): Promise<number[][][]> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return spots.map(([x, y, reach]) => {
    const [left, top, size] = [Math.round(x) - reach, Math.round(y) - reach, 2 * reach + 1];
    const { data } = context.getImageData(left, top, size, size);
    return Array.from({ length: size * size }, (_, at) => [...data.slice(4 * at, 4 * at + 3)]);
  });
}

/** How many pixels thick each line is that goes across a board, from above. */
function thicknesses({ data, width, height }: PNG, size: number): number[] {
  // Between two columns, left of the middle: a margin of 0.6 cells, and a star point is no further than 0.1 from its own.
  const x = Math.round(((0.6 + Math.floor(size / 2)) * width) / (size + 1.2));
  const red = (y: number): number => data[4 * (y * width + x)] ?? 0;
  const isLine = Array.from({ length: height }, (_, y) => red(y) < 0.75 * red(0));
  const found: number[] = [];
  for (const [y, is] of isLine.entries()) {
    if (is && isLine[y - 1]) found[found.length - 1] = (found.at(-1) ?? 0) + 1;
    else if (is) found.push(1);
  }
  return found;
}

/** WCAG 2.2: the relative luminance of a colour, and the contrast of two. */
function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], two: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

async function pixelOf(page: Page, [selector, across, down, reach = 0]: Spot): Promise<Pixel> {
  const box = await page
    .locator(selector.startsWith("#") ? selector : `#board ${selector}`)
    .first()
    .boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  return [box.x + box.width * across, box.y + box.height * down, reach];
}

async function beginGame(page: Page, game: string): Promise<void> {
  await openBundle(page, game, "policy");
  const [own, theirs] = GAMES[game] ?? [[], []];
  await prescribe(page, theirs);
  await click(page, game, own);
  await waitForStillness(page);
}

const COLOURS: readonly (readonly [string, Visit])[] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["forced", { forcedColors: "active" }],
  ["forced-dark", { forcedColors: "active", colorScheme: "dark" }],
];

inBrowser("a board", ({ visit }) => {
  it.each(Object.keys(BOARDS))("of %s fits every screen, with what is said and pressed on it", async (game) => {
    await visit(async ({ page }) => {
      await beginGame(page, game);
      for (const [name, [width, height]] of Object.entries(SCREENS)) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => scrollTo(0, 0));
        await screenshot(page, `${game}-${name}`);
        const box = await page.locator("#board").boundingBox();
        const where = `${name}: ${JSON.stringify(box)}`;
        expect(box?.x, where).toBeGreaterThanOrEqual(-0.5);
        expect((box?.x ?? 0) + (box?.width ?? 0), where).toBeLessThanOrEqual(width + 0.5);
        expect((box?.y ?? 0) + (box?.height ?? 0), where).toBeLessThanOrEqual(height + 0.5);
        // It takes most of what there is: 60 % of the shorter side, and no less on a large screen.
        expect(box?.width, where).toBeGreaterThan(0.6 * Math.min(width, height));
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(tooWide, where).toBeLessThanOrEqual(0);
        if (width < height) continue;
        // The controls stand beside it, in sight.
        const status = await page.locator("#hint").boundingBox();
        const beside =
          name === "desktop" || name === "large" ? page.locator("#controls .modes") : page.locator("#hint");
        const controls = await beside.boundingBox();
        expect(controls?.x, where).toBeGreaterThan((box?.x ?? 0) + (box?.width ?? 0));
        expect((status?.y ?? 0) + (status?.height ?? 0), where).toBeLessThanOrEqual(height);
      }
    });
  });

  const isEven = async (page: Page, where: string): Promise<void> => {
    for (const [game, size] of [
      ["go", 9],
      ["gomoku", 15],
    ] as const) {
      await openBundle(page, game, "policy");
      await waitForStillness(page);
      const found = thicknesses(PNG.sync.read(await page.locator("#board").screenshot()), size);
      expect(found.length, `${game}, ${where}`).toBe(size);
      expect(new Set(found).size, `${game}, ${where}: ${found}`).toBe(1);
    }
  };

  it("has lines of one thickness, in every size", async () => {
    await visit(async ({ page }) => {
      for (const [name, [width, height]] of Object.entries(SCREENS)) {
        await page.setViewportSize({ width, height });
        await isEven(page, name);
      }
    });
  });

  // What Playwright calls a scale is put on afterwards: the browser itself has to know of it.
  it.each([1.5, 2, 2.625])("has them too on a screen with %d pixels a point", async (scale) => {
    const { site } = await bench();
    const browser = await launch([`--force-device-scale-factor=${scale}`, "--window-size=900,800"]);
    const { page } = await visitAt(browser, site.url, { viewport: null, isSparing: true });
    expect(await page.evaluate(() => devicePixelRatio)).toBe(scale);
    await isEven(page, String(scale));
    await browser.close();
  });

  it.each(COLOURS)("is seen in %s colours, with a contrast of 3 to 1", async (name, how) => {
    await visit(
      async ({ page }) => {
        for (const [game, pairs] of Object.entries(PAIRS)) {
          await beginGame(page, game);
          await screenshot(page, `${game}-${name}`);
          const png = (await page.screenshot()).toString("base64");
          for (const [what, one, two] of [...pairs, ...CHIPS]) {
            const spots = [await pixelOf(page, one), await pixelOf(page, two)] as const;
            const [first = [], [second = []] = []] = await page.evaluate(coloursOf, [png, spots] as const);
            const most = Math.max(...first.map((each) => contrast(each, second)));
            expect(most, `${game}, ${what}: ${first[0]} on ${second}`).toBeGreaterThanOrEqual(3);
          }
        }
      },
      { viewport: { width: 1280, height: 900 }, ...how },
    );
  });
});
