/** `node bench/solve.mjs GAME`: a JSON list of actions a line comes in, what the page's solver says of it goes out. */

import { Buffer } from "node:buffer";
import process from "node:process";
import { createInterface } from "node:readline";
import { build } from "vite";

const options = { output: { codeSplitting: false } };
const ssr = { ssr: "bench/Solve.ts", write: false, minify: true, rolldownOptions: options };
const bundle = await build({ logLevel: "error", build: ssr });
const code = Buffer.from(bundle.output[0].code).toString("base64");
const { solve } = await import(`data:text/javascript;base64,${code}`);
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await solve(process.argv[2], JSON.parse(line)))}\n`);
