/** The WebAssembly backend, its files from this app's own folder. */

import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import plain from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url";
import simd from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { env } from "@tensorflow/tfjs-core";

import { unpacked } from "../bundle/Packed";

/** Say where its files are. */
export function prepare(): void {
  // Threads would start workers from blob: addresses, which the content security policy refuses; a single position is
  // not faster with them.
  env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  const here = (path: string): string => new URL(path, self.location.href).href;
  const paths = {
    "tfjs-backend-wasm-simd.wasm": here(simd),
    "tfjs-backend-wasm.wasm": here(plain),
    // Asked for by TF.js, never fetched.
    "tfjs-backend-wasm-threaded-simd.wasm": here(simd),
  };
  const { platform } = env();
  const files: readonly string[] = Object.values(paths);
  // Of all that TF.js fetches these alone may be packed: `azx page` does that.
  env().platform = Object.assign(Object.create(platform), {
    fetch: async (path: string, how?: RequestInit): Promise<Response> => {
      const answer = await platform.fetch(path, how);
      return answer.ok && files.includes(path) ? new Response(await unpacked(await answer.arrayBuffer())) : answer;
    },
  });
  setWasmPaths(paths, true);
}
