/** `npm run bench [SIMULATIONS] [TIMES]`: the search's own speed in this Node, on the code as it is bundled. */

import { Buffer } from "node:buffer";
import process from "node:process";
import { build } from "vite";

const [simulations = 20000, times = 5] = process.argv.slice(2).map(Number);
const bundle = await build({ logLevel: "error", build: { ssr: "bench/Speed.ts", write: false, minify: true } });
const code = Buffer.from(bundle.output[0].code).toString("base64");
const { report } = await import(`data:text/javascript;base64,${code}`);
for (const line of await report(simulations, times)) process.stdout.write(`${line}\n`);
