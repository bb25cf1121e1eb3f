/** Node's way of finding modules wants the ends of their names in types too: the last step of `npm run build:play`. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = fileURLToPath(new URL("dist/types/", import.meta.url));

for (const name of readdirSync(TYPES, { recursive: true }).map(String)) {
  if (!name.endsWith(".d.ts")) continue;
  const path = join(TYPES, name);
  const text = readFileSync(path, "utf8");
  const whole = text.replace(
    /((?:from|import)\s*\(?\s*["'])(\.{1,2}\/[^"']+?)(["'])/g,
    (found, before, target, after) =>
      existsSync(join(dirname(path), `${target}.d.ts`)) ? `${before}${target}.js${after}` : found,
  );
  if (whole !== text) writeFileSync(path, whole);
}
