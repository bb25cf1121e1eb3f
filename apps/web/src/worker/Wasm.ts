/** The WebAssembly backend, its files from this app's own folder. */

import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import plain from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url";
import simd from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { env } from "@tensorflow/tfjs-core";

/** Say where its files are. */
export function prepare(): void {
  // Threads would start workers from blob: addresses, which the content security policy refuses; a single position is
  // not faster with them.
  env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  const here = (path: string): string => new URL(path, self.location.href).href;
  setWasmPaths({
    "tfjs-backend-wasm-simd.wasm": here(simd),
    "tfjs-backend-wasm.wasm": here(plain),
    // Asked for by TF.js, never fetched.
    "tfjs-backend-wasm-threaded-simd.wasm": here(simd),
  });
}
