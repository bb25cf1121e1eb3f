/** TF.js's backends: each is loaded only when it is asked for. */

import { env, ready, setBackend } from "@tensorflow/tfjs-core";

import { english } from "../texts/Fill";
import type { TfBackendName } from "./Messages";

const IMPORTS: Readonly<Record<TfBackendName, () => Promise<unknown>>> = {
  wasm: async () => (await import("./Wasm")).prepare(),
  webgl: () => import("./WebGl"),
  cpu: () => import("./Cpu"),
};

/** Make `name` the backend of everything that follows; Error with a sentence where this browser cannot. */
export async function use(name: TfBackendName): Promise<void> {
  try {
    await IMPORTS[name]();
    if (!(await setBackend(name))) throw new Error("it does not start");
    await ready();
  } catch (error) {
    throw new Error(english("error_backend", name, reason(error)));
  }
  // Errors of one part in a thousand, which half precision would make, are no equality.
  if (name === "webgl") refuseHalfPrecision();
}

function refuseHalfPrecision(): void {
  if (env().getBool("WEBGL_RENDER_FLOAT32_ENABLED")) return;
  throw new Error(english("error_half_precision"));
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/[.\s]+$/, "");
}
