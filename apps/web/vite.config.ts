import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { accountForParts } from "./parts.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** LiteRT.js's loader is a script that leaves a function behind, which a module worker cannot run: it becomes a module. */
const loaderAsModule = (): Plugin => ({
  name: "litert-loader-as-module",
  transform: (code, id) =>
    id.endsWith("/litert_wasm_internal.js") ? { code: `${code}\nexport default ModuleFactory;`, map: null } : null,
});

/** The English texts that come with a part of the page, loaded when it is wanted by `import "texts:PART"`. */
const PARTS: Readonly<Record<string, RegExp>> = {
  device: /^vibration$|^system_colours/,
  dialogs: /^open_(about|privacy|folder|file|it|game_)|^own_|^remove_/,
  errors:
    /^error_(?!part$|unexpected$|index$)|^problem_(?!no_artifact|unknown)|^calculation_|^proof_|^library_(full|refused|branched|gone|damaged)/,
  given:
    /^zip_|^opening_lost|^given_(alone|json|keras|no_manifest|nothing|other|outside|saved|several|too|twice|unlisted)/,
  home: /^about_licences$/,
  library: /^library_(all|count|delete|draw|empty|imported|known|lost|moves|none|open|others|unread|watched|won)/,
  people:
    /^people_(name|undo)|^undo_(ask|agree|refuse)|^clock($|_(none|minutes|increment))|^board_(size|rows|columns)$|^resign_ask_of/,
  puzzles: /^puzzles_|^puzzle_/,
  readings: /^sees_|^reading_(assumed|chosen|outputs|usual)/,
  records: /^record_(none|too|no_sgf|other|setup|settings|unknown|turn|illegal|after)/,
  review:
    /^verdict_(move|better|reason)|^because_|^loses_|^candidate|^no_mistakes|^analysed_of|^accuracy|^inaccuracies|^mistakes$|^blunders$|^(variation|line)_of|^lead_(ahead|behind|even)|^solved_/,
  run: /^run_/,
  setup: /^setup_/,
  series: /^series_/,
  sheet: /^sheet_/,
  study: /^retry_/,
};

/** What this app says of a file of apps/texts, as JSON: a third of the file is what other apps say. */
function ownOf(file: string, isWanted: (key: string) => boolean): string {
  const isOfApps = (text: unknown): text is Readonly<Record<string, unknown>> =>
    typeof text === "object" && text !== null && ["web", "android", "ios"].some((app) => app in text);
  const all = Object.entries(JSON.parse(file) as Record<string, unknown>).filter(([key]) => isWanted(key));
  const own = all.flatMap(([key, text]) => (isOfApps(text) ? ("web" in text ? [[key, text.web]] : []) : [[key, text]]));
  return JSON.stringify(Object.fromEntries(own));
}

/** The texts of the page, and those of each part as a module that the page learns them from. */
const ownTexts = (isBuilt: boolean): Plugin => ({
  name: "own-texts",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("texts:") ? `\0${id}` : null),
  load(id) {
    const part = id.startsWith("\0texts:") ? PARTS[id.slice("\0texts:".length)] : undefined;
    if (!part) return null;
    const texts = ownOf(readFileSync(here("../texts/en.json"), "utf8"), (key) => part.test(key));
    return `import { learnPart } from ${JSON.stringify(here("src/texts/Speech.ts"))};\nlearnPart(${texts});`;
  },
  transform(code, id) {
    const [, language] = /\/apps\/texts\/([\w-]+)\.json$/.exec(id) ?? [];
    if (!language) return null;
    // Tests have no page that loads its parts, so that they have all texts at once.
    const isWhole = !isBuilt || language !== "en";
    const isHere = (key: string): boolean => isWhole || !Object.values(PARTS).some((each) => each.test(key));
    return { code: ownOf(code, isHere), map: null };
  },
});

const flatten = (html: string): string =>
  html.replace(/\n\s+/g, "\n").replace(/(<(?:input|link|meta) [^>]*[^>\s])\s*\/>/g, "$1>");

/** A browser needs neither indentation nor the end of what has no content, and the first load is counted in bytes. */
const flatPage = (): Plugin => ({
  name: "flat-page",
  apply: "build",
  transformIndexHtml: { order: "post", handler: flatten },
});

const parts = accountForParts("page", here("../../release/parts.json"));

export default defineConfig(({ command }) => ({
  base: "./",
  plugins: [ownTexts(command === "build"), flatPage(), parts.page()],
  // The texts and the tables that all apps and Python read.
  server: { fs: { allow: [".", "../texts", "../../games/data", "../../validate/door"] } },
  worker: {
    format: "es",
    plugins: () => [loaderAsModule(), parts.worker()],
    rolldownOptions: {
      // Else what is loaded later would import it from the worker's first file, and WebKit runs a worker's first file
      // anew for whoever imports it: there would be two workers in one.
      output: { codeSplitting: { groups: [{ name: "door", test: /\/src\/worker\/Door\.ts$/ }] } },
    },
  },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // A data: address would be refused by the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: { index: here("index.html"), sw: here("src/offline/sw.ts") },
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        // What the first load and a later one have in common is one file: on a slow line each more is a wait of its own.
        codeSplitting: {
          groups: [
            {
              name: "common",
              test: /\/src\/(page\/(game\/GameRecord|boards\/Board)|texts\/Speech|bundle\/Needed)\.ts$/,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    // Vitest would leave one core free: of two that is half of the machine.
    maxWorkers: availableParallelism(),
    // An end that only a hang reaches, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}));
