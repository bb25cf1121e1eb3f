/** A bundle's network in TF.js. */

import { type GraphModel, loadGraphModel } from "@tensorflow/tfjs-converter";
import { getBackend, io, type Tensor, tensor, tidy } from "@tensorflow/tfjs-core";

import type { Graph } from "../bundle/Bundle";
import { lookAtGraph } from "../bundle/door/GraphDoor";
import type { Manifest } from "../bundle/Manifest";
import { BundleError, sentence } from "../texts/Sentence";
import type { Feeds, Model, Outputs } from "./Model";

/** Lives on the backend that was in use when it was made; `dispose` it. */
export class TfModel implements Model {
  private readonly names: readonly string[];

  private constructor(
    private readonly model: GraphModel,
    private readonly manifest: Manifest,
  ) {
    this.names = manifest.outputs.map(({ name }) => name);
  }

  /** The network whose files have been read; Error with a sentence if it is unsafe, or TF.js cannot make one of them. */
  static async load(manifest: Manifest, graph: Graph): Promise<TfModel> {
    lookAtGraph(manifest, graph);
    try {
      return new TfModel(await loadGraphModel(io.fromMemory(artifacts(graph))), manifest);
    } catch (error) {
      throw loadError(manifest.name, error);
    }
  }

  /** On wasm and cpu at once; webgl is waited for. */
  run(feeds: Feeds, count = 1): Outputs | Promise<Outputs> {
    if (getBackend() === "webgl") return this.runLater(feeds, count);
    try {
      return this.nameOutputs(tidy(() => this.execute(feeds, count).map((output) => output.dataSync())));
    } catch (error) {
      throw loadError(this.manifest.name, error);
    }
  }

  private async runLater(feeds: Feeds, count: number): Promise<Outputs> {
    try {
      const tensors = tidy(() => this.execute(feeds, count));
      const read = await Promise.all(tensors.map((output) => output.data()));
      for (const output of tensors) output.dispose();
      return this.nameOutputs(read);
    } catch (error) {
      throw loadError(this.manifest.name, error);
    }
  }

  dispose(): void {
    this.model.dispose();
  }

  /** An output that did not come is empty. */
  private nameOutputs(read: readonly ArrayLike<number>[]): Outputs {
    return new Map(this.names.map((name, at) => [name, read[at] ?? []]));
  }

  private execute(feeds: Feeds, count: number): Tensor[] {
    const inputs = this.manifest.inputs.map(({ name, shape }) => [
      name,
      tensor(feeds[name] as Float32Array, [count, ...shape]),
    ]);
    const tensors = this.model.execute(Object.fromEntries(inputs), [...this.names]);
    return Array.isArray(tensors) ? tensors : [tensors];
  }
}

/** The sentence for a network that TF.js cannot read or run; what it threw is kept as the cause. */
function loadError(name: string, error: unknown): BundleError {
  const reason = readableReason(error instanceof Error ? error.message : String(error));
  const failure = reason ? sentence("error_load", name, reason) : sentence("error_load_unsaid", name);
  return new BundleError(failure, { cause: error });
}

/** What a person can make something of; empty if it is about JavaScript, in the words of one of the engines. */
function readableReason(message: string): string {
  const operation = /unknown op '?([^'\s]+?)'?(\.|$)/i.exec(message)?.[1];
  if (operation) return `it has the operation ${operation}, which TF.js does not know`;
  if (/\b(undefined|null|is not (a function|iterable|an object|defined))\b/.test(message)) return "";
  return (/^.*?(?=\.?\s*$|[.:]\s)/.exec(message.split("\n")[0] ?? "")?.[0] ?? "").slice(0, 120);
}

function artifacts({ model, weights }: Graph): io.ModelArtifacts {
  const specs = model.weightsManifest.flatMap((group) => group.weights) as io.WeightsManifestEntry[];
  const parts = { modelTopology: model.modelTopology, weightSpecs: specs, weightData: weights };
  return model.signature ? { ...parts, signature: model.signature } : parts;
}
