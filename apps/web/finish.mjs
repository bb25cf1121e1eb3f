/** The last step of `npm run build`: the service worker's list of files, and packed siblings (.br, .gz). */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("dist/", import.meta.url));
// Browsers take Brotli by https alone, where hosts pack by themselves; LiteRT.js is large as it is.
const LATER = /litert_wasm/;
// Read when somebody asks for them: the page works without.
const BESIDE = ["notices.txt", "parts.json"];
const SMALLER = /\.(js|css|html|wasm|svg|webmanifest|json)$/;

const paths = readdirSync(DIST, { recursive: true })
  .map((path) => String(path).replaceAll("\\", "/"))
  .filter((path) => statSync(DIST + path).isFile() && !path.startsWith("azx/") && !/\.(br|gz)$/.test(path))
  .sort();

function listFiles() {
  const files = paths.filter((path) => path !== "sw.js" && !BESIDE.includes(path));
  const hash = createHash("sha256");
  for (const path of files) hash.update(path).update(readFileSync(DIST + path));
  const script = readFileSync(`${DIST}sw.js`, "utf8");
  const listed = script.replace(/(["'`])"APP_FILES"\1/, () => JSON.stringify(JSON.stringify(files)));
  if (listed === script) throw new Error("finish.mjs: sw.js has no place for the list of files.");
  writeFileSync(`${DIST}sw.js`, listed.replace("APP_VERSION", hash.digest("hex").slice(0, 16)));
}

function pack(path) {
  const bytes = readFileSync(DIST + path);
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  };
  if (!LATER.test(path)) writeFileSync(`${DIST}${path}.br`, brotliCompressSync(bytes, quality));
  writeFileSync(`${DIST}${path}.gz`, gzipSync(bytes, { level: 9 }));
}

listFiles();
for (const path of paths) if (SMALLER.test(path)) pack(path);
