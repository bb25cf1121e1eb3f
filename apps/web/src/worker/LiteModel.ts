/** A bundle's `.tflite` file in LiteRT.js: numbers in, numbers out, at once. */

import { lookAtLite } from "../bundle/door/LiteDoor";
import type { Manifest } from "../bundle/Manifest";
import { sizeOf } from "../engine/Encoding";
import { BundleError, sentence } from "../texts/Sentence";
import { type Bindings, type Runtime, reason, start } from "./LiteRt";
import type { Feeds, Model, Outputs } from "./Model";

type Compiled = Awaited<ReturnType<Bindings["compileModel"]>>;
type Source = ReturnType<Bindings["loadModel"]>;
type Buffer = ReturnType<Bindings["LiteRtTensorBuffer"]["createManaged"]>;

/** A tensor of the network, by the name that its signature has. */
interface Port {
  readonly name: string;
  readonly size: number;
}

/** The network's parts in the runtime's memory. */
interface Made {
  readonly source: Source;
  readonly compiled: Compiled;
  /** Of the file. */
  readonly address: number;
  readonly inputs: readonly (Port & { readonly buffer: Buffer })[];
  readonly outputs: readonly Port[];
}

const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** `dispose` it: nothing in WebAssembly is collected. */
export class LiteModel implements Model {
  private constructor(
    private readonly manifest: Manifest,
    private readonly runtime: Runtime,
    private readonly made: Made,
  ) {}

  /** The network of a file that has been read; Error with a sentence if it is unsafe, or LiteRT.js does not make it. */
  static async load(manifest: Manifest, bytes: ArrayBuffer): Promise<LiteModel> {
    lookAtLite(manifest, bytes);
    const runtime = await start();
    try {
      return new LiteModel(manifest, runtime, await compile(manifest, bytes, runtime));
    } catch (error) {
      throw loadError(manifest.name, runtime.fault() || reason(error), error);
    }
  }

  run(feeds: Feeds): Outputs {
    try {
      const { compiled, inputs, outputs } = this.made;
      for (const { name, size, buffer } of inputs) this.write(buffer, feeds[name] ?? [], size);
      const buffers = inputs.map(({ buffer }) => buffer);
      const buffersOut = compiled.run(0, buffers) as Buffer[];
      return new Map(outputs.map(({ name, size }, at) => [name, this.read(buffersOut[at], size)]));
    } catch (error) {
      throw loadError(this.manifest.name, this.runtime.fault() || reason(error), error);
    }
  }

  dispose(): void {
    const { source, compiled, address, inputs } = this.made;
    for (const { buffer } of inputs) buffer.delete();
    compiled.delete();
    source.delete();
    this.runtime.wasm._free(address);
  }

  private write(buffer: Buffer, numbers: ArrayLike<number>, size: number): void {
    if (numbers.length !== size) throw new Error(`it reads ${size} numbers, not ${numbers.length}`);
    const { wasm } = this.runtime;
    const at = buffer.lock(wasm.LiteRtTensorBufferLockMode.WRITE);
    // Its memory may have moved since the last time: it grows.
    new Float32Array(wasm.HEAPU8.buffer, at, size).set(numbers);
    buffer.unlock();
  }

  private read(buffer: Buffer | undefined, size: number): Float32Array {
    if (!buffer) return new Float32Array();
    const { wasm } = this.runtime;
    const at = buffer.lock(wasm.LiteRtTensorBufferLockMode.READ);
    const numbers = new Float32Array(wasm.HEAPU8.buffer, at, size).slice();
    buffer.unlock();
    buffer.delete();
    return numbers;
  }
}

/** A file's network; what was made before something fails stays there, until the page goes. */
async function compile(
  { inputs, outputs, batch }: Manifest,
  bytes: ArrayBuffer,
  { wasm, environment }: Runtime,
): Promise<Made> {
  const address = wasm._malloc(bytes.byteLength);
  wasm.HEAPU8.set(new Uint8Array(bytes), address);
  const source = wasm.loadModel(environment, address, bytes.byteLength);
  const settings = { accelerator: "wasm", cpuOptions: { numThreads: 1 }, gpuOptions: {}, webNNOptions: {} } as const;
  const compiled = await wasm.compileModel(environment, source, settings);
  const signature = source.getSignature(0);
  const sizes = new Map([...inputs, ...outputs].map(({ name, shape }) => [name, (batch ?? 1) * sizeOf(shape)]));
  const portOf = (name: string, type: ReturnType<Source["getInputTensorType"]>): Port => {
    const [size, bytesOf] = [sizes.get(name), type.bytes()];
    type.delete();
    if (size === undefined || size * BYTES !== bytesOf) throw new Error(`its tensor '${name}' is not the manifest's`);
    return { name, size };
  };
  const reads = namesIn(signature.inputNames()).map((name, at) => {
    const type = source.getInputTensorType(0, at);
    const kind = wasm.LiteRtTensorBufferType.HOST_MEMORY;
    const buffer = wasm.LiteRtTensorBuffer.createManaged(environment, kind, type, type.bytes());
    return { ...portOf(name, type), buffer };
  });
  const answers = namesIn(signature.outputNames()).map((name, at) => portOf(name, source.getOutputTensorType(0, at)));
  signature.delete();
  return { source, compiled, address, inputs: reads, outputs: answers };
}

function namesIn(vector: { size(): number; get(at: number): unknown; delete(): void }): readonly string[] {
  const names = Array.from({ length: vector.size() }, (_, at) => String(vector.get(at)));
  vector.delete();
  return names;
}

function loadError(name: string, why: string, cause: unknown): BundleError {
  return new BundleError(sentence("error_load_lite", name, why), { cause });
}
