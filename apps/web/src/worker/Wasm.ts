/** The WebAssembly backend, its files from this app's own folder. */

import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import plain from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url";
import simd from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { env } from "@tensorflow/tfjs-core";

import { unpacked } from "../bundle/Packed";

let there: Promise<void> | undefined;

/** Fetch its file and hand it to TF.js, once; Error if it cannot be had or is no WebAssembly. */
export function prepare(): Promise<void> {
  there ??= fetched().catch((error: unknown) => {
    there = undefined; // the next one who asks tries again
    throw error;
  });
  return there;
}

async function fetched(): Promise<void> {
  // Threads would start workers from blob: addresses, which the content security policy refuses; a single position is
  // not faster with them.
  env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  const file = (await env().getAsync("WASM_HAS_SIMD_SUPPORT")) ? simd : plain;
  const path = new URL(file, self.location.href).href;
  const { platform } = env();
  const answer = await platform.fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  // `azx page` packs it.
  const binary = await unpacked(await answer.arrayBuffer());
  // TF.js would wait for a broken one for ever.
  if (!WebAssembly.validate(binary)) throw new Error("it does not start");
  env().platform = Object.assign(Object.create(platform), {
    fetch: async (other: string, how?: RequestInit): Promise<Response> =>
      other === path ? new Response(binary) : platform.fetch(other, how),
  });
  // The one with threads is asked for by TF.js, and never fetched.
  setWasmPaths(
    {
      "tfjs-backend-wasm-simd.wasm": path,
      "tfjs-backend-wasm.wasm": path,
      "tfjs-backend-wasm-threaded-simd.wasm": path,
    },
    true,
  );
}
