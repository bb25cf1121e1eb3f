/** TF.js's backends: each is loaded only when it is asked for. */

import { env, ready, setBackend } from "@tensorflow/tfjs-core";

import { BundleError, reasonOf, sentence } from "../texts/Sentence";
import type { TfBackendName } from "./Messages";

const IMPORTS: Readonly<Record<TfBackendName, () => Promise<unknown>>> = {
  wasm: async () => (await import("./Wasm")).prepare(),
  webgl: () => import("./WebGl"),
  cpu: () => import("./Cpu"),
};

/** Make `name` the backend of everything that follows; Error with a sentence if this browser cannot. */
export async function use(name: TfBackendName): Promise<void> {
  try {
    await IMPORTS[name]();
    if (!(await setBackend(name))) throw new Error("it does not start");
    await ready();
  } catch (error) {
    throw new BundleError(sentence("error_backend", name, reasonOf(error)));
  }
  // Errors of one part in a thousand, which half precision would make, are no equality.
  if (name === "webgl") refuseHalfPrecision();
}

function refuseHalfPrecision(): void {
  if (env().getBool("WEBGL_RENDER_FLOAT32_ENABLED")) return;
  throw new BundleError(sentence("error_half_precision"));
}
