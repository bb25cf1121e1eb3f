/**
 * LiteRT.js's runtime: TFLite's kernels in WebAssembly, its files from this app's own folder.
 *
 * Its bindings are used as they are: the package's own door runs a script in the page, which a module worker cannot, asks
 * for a graphics card, and answers later, while a search wants its answer at once.
 */

import type { LiteRt } from "@litertjs/core";
import loader from "@litertjs/core/wasm/litert_wasm_internal.js";
import address from "@litertjs/core/wasm/litert_wasm_internal.wasm?url";

import { BundleError, sentence } from "../texts/Sentence";

export type Bindings = LiteRt["liteRtWasm"];

/** The runtime, and where its buffers and networks live. */
export interface Runtime {
  readonly wasm: Bindings;
  readonly environment: ReturnType<Bindings["LiteRtEnvironment"]["create"]>;
  /** The last fault that it has logged and that was not asked for yet; empty without one. */
  readonly fault: () => string;
}

// A function that takes the relaxed product of two vectors: what a browser without it refuses as a module.
const RELAXED_SIMD = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0],
  ...[65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
);

let started: Promise<Runtime> | null = null;

/** Start it, once; Error with a sentence if this browser cannot. What did not come is asked for again. */
export async function start(): Promise<Runtime> {
  started ??= make();
  try {
    return await started;
  } catch (error) {
    started = null;
    throw new BundleError(sentence("error_lite", reason(error)), { cause: error });
  }
}

async function make(): Promise<Runtime> {
  if (!WebAssembly.validate(RELAXED_SIMD)) throw new Error("its WebAssembly has no relaxed SIMD");
  let fault = "";
  const wasm = await loader({
    locateFile: () => new URL(address, self.location.href).href,
    print: () => undefined,
    printErr: (line) => {
      if (/^ERROR/.test(line)) fault = line.replace(/^ERROR:?\s*(\[[^\]]*\])?\s*/, "");
    },
  });
  wasm.setupLogging();
  const takeFault = (): string => {
    const text = reason(fault);
    fault = "";
    return text;
  };
  return { wasm, environment: wasm.LiteRtEnvironment.create(null), fault: takeFault };
}

/** What went wrong, as a clause. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The words that its loader wraps around the reason are for its developers.
  const bare = (message.split("\n")[0] ?? "").replace(/^Aborted\((.*)\)\. Build with .*$/, "$1");
  return bare.replace(/[.\s]+$/, "").slice(0, 120);
}
