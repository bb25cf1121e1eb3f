/** Bundles as a person gives them to the page. */

import type { Page } from "playwright-core";

import type { TestResult } from "../../src/worker/Messages";

/** Choose a file or a folder in the opener's dialog. */
export async function pick(
  page: Page,
  how: "file" | "folder",
  files: Parameters<Page["setInputFiles"]>[1],
): Promise<void> {
  await page.click("#open");
  await page.locator("#opener[open]").waitFor();
  await page.setInputFiles(`#open-${how}`, files);
}

export const asZip = (bytes: Buffer, name = "tiny.zip"): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "application/zip",
  buffer: bytes,
});

/** What the self-test finds on wasm. */
export async function runSelfTest(page: Page): Promise<TestResult> {
  await page.click("#test");
  await page.locator("#test-status", { hasText: "Self-test done" }).waitFor({ timeout: 300_000 });
  const column = page.locator('#results [data-backend="wasm"]');
  return JSON.parse((await column.getAttribute("data-tested")) ?? "") as TestResult;
}
