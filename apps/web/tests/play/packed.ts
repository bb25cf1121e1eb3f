/** azx-play as `npm pack` makes it, installed into a folder of its own, and the listings of docs/in-your-app.md. */

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const WEB = here("../../");
const PAGE = here("../../../../docs/in-your-app.md");
export const BUNDLE = here("../../../../build/bundles/connect4");

const { states } = JSON.parse(
  readFileSync(here("../../../../mobile_assets/fixtures/connect4/parity.json"), "utf8"),
) as { states: readonly { readonly actions: readonly number[]; readonly value: number }[] };
/** What the original says of the first position. */
export const START = states.find(({ actions }) => !actions.length)?.value ?? Number.NaN;

/** Why the listings cannot be run; null if they can. */
export const whyNot = (): string | null =>
  existsSync(`${BUNDLE}/manifest.json`)
    ? null
    : "azx-play is not tested: `make bundles` has made no bundle of Connect4.";

/** The listings of the page in a language, in their order. */
export function listings(language: "js" | "ts"): readonly string[] {
  const found = readFileSync(PAGE, "utf8").matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"));
  return [...found].map(([, code]) => code ?? "");
}

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/**
 * A folder below build/ with the packed library in its node_modules and the bundle as `bundles/connect4`. TF.js is found
 * in the app's own node_modules, above it. Without `types` only what runs is made.
 */
export function install(name: string, { types }: { readonly types: boolean }): string {
  const folder = `${WEB}build/${name}`;
  const [made, library] = [`${folder}/made`, `${folder}/node_modules/azx-play`];
  rmSync(folder, { recursive: true, force: true });
  for (const each of [made, library, `${folder}/bundles`]) mkdirSync(each, { recursive: true });
  symlinkSync(BUNDLE, `${folder}/bundles/connect4`);
  copyFileSync(`${WEB}play/package.json`, `${made}/package.json`);
  const tool = (name: string): string => `${WEB}node_modules/.bin/${name}`;
  run(
    tool("vite"),
    ["build", "--config", "play/vite.config.ts", "--logLevel", "error", "--outDir", `${made}/dist`],
    WEB,
  );
  if (types) {
    run(process.execPath, ["texts.mjs"], WEB);
    run(tool("tsc"), ["--project", "play", "--outDir", `${made}/dist/types`], WEB);
  }
  const packed = run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], made).trim();
  run("tar", ["-xzf", packed, "--strip-components", "1", "-C", library], folder);
  return folder;
}

/** What a program of the folder prints, as Node runs it. */
export function runProgram(folder: string, code: string): string {
  writeFileSync(`${folder}/program.mjs`, code);
  return run(process.execPath, ["program.mjs"], folder);
}

/** What tsc says of a program of the folder: empty if it is sound. */
export function typeErrors(folder: string, code: string): string {
  writeFileSync(`${folder}/program.ts`, code);
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
  try {
    return run(`${WEB}node_modules/.bin/tsc`, [...options, "--skipLibCheck", "--types", "node", "program.ts"], folder);
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
