/** A bundle's network in TF.js: numbers in, numbers out, whatever it plays. */

import { type GraphModel, loadGraphModel } from "@tensorflow/tfjs-converter";
import { getBackend, io, type Tensor, tensor, tidy } from "@tensorflow/tfjs-core";

import type { Graph } from "../bundle/Bundle";
import { type Manifest, sizeOf } from "../bundle/Manifest";
import { english } from "../texts/Fill";

/** Numbers for each input by its name, flat, without the batch. */
export type Feeds = Readonly<Record<string, ArrayLike<number>>>;

/** Outputs by their names, flat. */
export type Outputs = ReadonlyMap<string, ArrayLike<number>>;

/** Lives on the backend that was in use when it was made; `dispose` it. */
export class Model {
  private readonly names: readonly string[];

  private constructor(
    private readonly model: GraphModel,
    private readonly manifest: Manifest,
  ) {
    this.names = manifest.outputs.map(({ name }) => name);
  }

  /** The network whose files have been read; Error with a sentence where TF.js cannot make one of them. */
  static async load(manifest: Manifest, graph: Graph): Promise<Model> {
    try {
      return new Model(await loadGraphModel(io.fromMemory(artifacts(graph))), manifest);
    } catch (error) {
      throw unusable(manifest.name, error);
    }
  }

  /** How many positions it takes at a time. */
  get batch(): number {
    return this.manifest.batch ?? 1;
  }

  /** The outputs for `count` positions at once, on wasm and cpu. Error with a sentence where TF.js cannot run it. */
  run(feeds: Feeds, count = 1): Outputs {
    try {
      return this.named(tidy(() => this.execute(feeds, count).map((output) => output.dataSync())));
    } catch (error) {
      throw unusable(this.manifest.name, error);
    }
  }

  /** The same on webgl, which has to be waited for. */
  async runLater(feeds: Feeds, count = 1): Promise<Outputs> {
    try {
      const found = tidy(() => this.execute(feeds, count));
      const read = await Promise.all(found.map((output) => output.data()));
      for (const output of found) output.dispose();
      return this.named(read);
    } catch (error) {
      throw unusable(this.manifest.name, error);
    }
  }

  /** The outputs for each position, as many at a time as it takes: the last one again where some are left over. */
  async answers(rows: readonly Feeds[]): Promise<readonly Outputs[]> {
    const found: Outputs[] = [];
    for (let at = 0; at < rows.length; at += this.batch) {
      const taken = rows.slice(at, at + this.batch);
      const feeds = this.stacked(taken);
      const outputs = getBackend() === "webgl" ? await this.runLater(feeds, this.batch) : this.run(feeds, this.batch);
      found.push(...taken.map((_, row) => rowOf(outputs, row, this.batch)));
    }
    return found;
  }

  dispose(): void {
    this.model.dispose();
  }

  /** One vector an input, the positions one after the other, filled up with the last. */
  private stacked(rows: readonly Feeds[]): Feeds {
    const stack = ({ name, shape }: Manifest["inputs"][number]): [string, Float32Array] => {
      const size = sizeOf(shape);
      const whole = new Float32Array(size * this.batch);
      for (let row = 0; row < this.batch; row++) {
        const numbers = rows[Math.min(row, rows.length - 1)]?.[name];
        if (numbers?.length !== size)
          throw new Error(
            `A position has ${numbers?.length ?? "no"} numbers for '${name}', the network reads ${size}.`,
          );
        whole.set(numbers, row * size);
      }
      return [name, whole];
    };
    return Object.fromEntries(this.manifest.inputs.map(stack));
  }

  /** An output that did not come is empty. */
  private named(read: readonly ArrayLike<number>[]): Outputs {
    return new Map(this.names.map((name, at) => [name, read[at] ?? []]));
  }

  private execute(feeds: Feeds, count: number): Tensor[] {
    const inputs = this.manifest.inputs.map(({ name, shape }) => [name, tensorOf(feeds[name], [count, ...shape])]);
    const found = this.model.execute(Object.fromEntries(inputs), [...this.names]);
    return Array.isArray(found) ? found : [found];
  }
}

/** The sentence for a network that TF.js cannot read or run; what it threw is kept as the cause. */
function unusable(name: string, error: unknown): Error {
  const reason = reasonOf(error instanceof Error ? error.message : String(error));
  const sentence = reason ? english("error_load", name, reason) : english("error_load_unsaid", name);
  return new Error(sentence, { cause: error });
}

/** What a person can make something of; empty where it is about JavaScript, in the words of one of the engines. */
function reasonOf(message: string): string {
  const operation = /unknown op '?([^'\s]+?)'?(\.|$)/i.exec(message)?.[1];
  if (operation) return `it has the operation ${operation}, which TF.js does not know`;
  if (/\b(undefined|null|is not (a function|iterable|an object|defined))\b/.test(message)) return "";
  return (/^.*?(?=\.?\s*$|[.:]\s)/.exec(message.split("\n")[0] ?? "")?.[0] ?? "").slice(0, 120);
}

function tensorOf(numbers: ArrayLike<number> | undefined, shape: number[]): Tensor {
  return tensor(numbers as Float32Array, shape);
}

/** One position's part of the outputs of `count`. */
function rowOf(outputs: Outputs, row: number, count: number): Outputs {
  return new Map(
    [...outputs].map(([name, numbers]) => {
      const size = numbers.length / count;
      return [name, Array.prototype.slice.call(numbers, row * size, (row + 1) * size)];
    }),
  );
}

function artifacts({ model, weights }: Graph): io.ModelArtifacts {
  const specs = model.weightsManifest.flatMap((group) => group.weights) as io.WeightsManifestEntry[];
  const found = { modelTopology: model.modelTopology, weightSpecs: specs, weightData: weights };
  return model.signature ? { ...found, signature: model.signature } : found;
}
