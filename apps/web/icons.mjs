/** `npm run icons`: draw public/icon.svg as the PNGs that browsers install the app with; needs Chromium. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PUBLIC = new URL("public/", import.meta.url);
// A system cuts an icon to its own shape, so the corners are filled.
const drawing = readFileSync(new URL("icon.svg", PUBLIC), "utf8").replace(' rx="96"', "");
const browser = await chromium.launch({
  executablePath: process.env.AZX_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  for (const size of [192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
    await page.screenshot({ path: fileURLToPath(new URL(`icon-${size}.png`, PUBLIC)) });
    await page.close();
  }
} finally {
  await browser.close();
}
