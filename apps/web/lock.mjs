/** `npm run lock`: write package-lock.json anew, without addresses: npm adds those of sponsors. */

import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(FILE, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.resolved;
  delete entry.funding;
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
