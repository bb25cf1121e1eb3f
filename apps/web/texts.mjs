/** Writes the types of the English texts, by which tsc checks keys and places: each string as itself. */

import { readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../texts/", import.meta.url);
const texts = readFileSync(new URL("en.json", folder), "utf8").trim();
writeFileSync(new URL("en.d.json.ts", folder), `declare const texts: ${texts};\nexport default texts;\n`);
