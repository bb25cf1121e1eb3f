/**
 * Asks the site's own search twelve questions of a newcomer, with no host but the site's own, and holds it to the page that answers each; then looks
 * at every page on a phone: nothing is wider than the screen, no table scrolls, and every page can be reached from the first.
 *
 *   node release/questions.mjs build/site [FOLDER for pictures of the first screens and of all tables]
 */

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [site, pictures] = process.argv.slice(2);
const { chromium } = createRequire(new URL("../apps/web/package.json", import.meta.url))("playwright-core");
/** What is typed, and the pages of which one must be among the first five found. */
const QUESTIONS = [
  ["install azx", ["index", "questions"]],
  ["weights alone", ["your-own-network", "index", "other-frameworks"]],
  ["game not recognised", ["not-recognised", "questions"]],
  ["pytorch", ["other-frameworks", "your-own-network"]],
  ["which layer is at fault", ["explain"]],
  ["smaller files int8", ["precision"]],
  ["put it on my website", ["hosting", "questions"]],
  ["app for my phone", ["tutorial"]],
  ["load in my own app", ["in-your-app"]],
  ["which network is stronger", ["strength", "questions", "index"]],
  ["train a network from nothing", ["train", "tutorial"]],
  ["open a file from a stranger", ["SECURITY", "questions"]],
];
const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml" };
const server = createServer((request, answer) => {
  try {
    const name = decodeURIComponent(new URL(request.url, "http://host").pathname).slice(1) || "index.html";
    const bytes = readFileSync(join(site, name));
    answer.writeHead(200, { "Content-Type": KINDS[name.split(".").pop()] ?? "application/octet-stream" }).end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const home = `http://127.0.0.1:${server.address().port}/`;
const at = (page) => home + page;
const faults = [];
if (pictures) mkdirSync(pictures, { recursive: true });

const browser = await chromium.launch({ executablePath: process.env.AZX_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 });
const page = await phone.newPage();
page.on("request", (request) => request.url().startsWith("http") && !request.url().startsWith(home) && faults.push(`a request to ${request.url()}`));

const desk = await browser.newPage({ viewport: { width: 1280, height: 800 } });
for (const [question, wanted] of QUESTIONS) {
  await desk.goto(at("index.html"));
  await desk.locator("input.md-search__input").click();
  await desk.locator("input.md-search__input").pressSequentially(question);
  await desk.waitForTimeout(500);
  await desk.locator(".md-search-result__item a").first().waitFor({ timeout: 60_000 });
  const found = await desk
    .locator(".md-search-result__item > a.md-search-result__link:first-of-type")
    .evaluateAll((links) => links.slice(0, 5).map((link) => new URL(link.href).pathname.split("/").pop().replace(".html", "")));
  if (!found.some((name) => wanted.includes(name))) faults.push(`'${question}' finds ${found.join(", ") || "nothing"}`);
}

const reached = new Set();
const queue = ["index.html"];
while (queue.length) {
  const name = queue.pop();
  if (reached.has(name)) continue;
  reached.add(name);
  await page.goto(at(name));
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (width > 0) faults.push(`${name} is ${width} pixels wider than a phone`);
  const tables = await page.locator(".md-typeset table").all();
  for (const [number, table] of tables.entries()) {
    const cut = await table.evaluate((each) => {
      const room = each.closest("article").clientWidth;
      const outside = [each, ...each.querySelectorAll("td, th, code, img")].find((one) => one.getBoundingClientRect().right > innerWidth);
      return each.scrollWidth > room || outside ? (outside ?? each).textContent.trim().slice(0, 60) || "empty" : "";
    });
    if (cut) faults.push(`${name}: table ${number + 1} is wider than a phone at '${cut}'`);
    if (pictures) await table.screenshot({ path: join(pictures, `${name.replace(".html", "")}-table-${number + 1}.png`) });
  }
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((each) => each.href));
  const here = home;
  for (const link of links) {
    const path = link.split("#")[0];
    if (path.startsWith(here) && path.endsWith(".html")) queue.push(path.slice(here.length));
  }
  if (pictures && ["index.html", "tutorial.html", "cli.html", "gallery.html", "architecture.html"].includes(name)) {
    await page.screenshot({ path: `${pictures}/${name.replace(".html", "")}.png` });
  }
}
const pages = readdirSync(site).filter((name) => name.endsWith(".html") && name !== "404.html");
for (const name of pages) if (!reached.has(name)) faults.push(`nothing links to ${name}`);
await browser.close();
server.close();

if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`${QUESTIONS.length} questions are answered by search; ${reached.size} pages are reached and fit a phone.`);
