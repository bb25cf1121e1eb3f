/** A bundle's network in TF.js, as a search asks it. */

import { type GraphModel, loadGraphModel } from "@tensorflow/tfjs-converter";
import { getBackend, io, type Tensor, tensor, tidy } from "@tensorflow/tfjs-core";

import type { Bundle, Graph } from "../bundle/Bundle";
import { type Manifest, outputWith } from "../bundle/Manifest";
import type { Evaluation, Evaluator } from "../engine/Evaluator";
import type { Reading } from "../engine/Game";
import type { State } from "../engine/State";
import type { ValueHead } from "../engine/ValueHead";

/** Outputs by their names, flat. */
export type Outputs = ReadonlyMap<string, ArrayLike<number>>;

/** Lives on the backend that was in use when it was made; `dispose` it. */
export class Network implements Evaluator {
  private readonly names: readonly string[];
  private readonly value: string | null;
  private readonly policy: string | null;
  private readonly activation: string;

  private constructor(
    private readonly model: GraphModel,
    private readonly manifest: Manifest,
    private readonly reading: Reading,
    private readonly valueHead: ValueHead | null,
  ) {
    const policy = outputWith(manifest, "policy");
    this.names = manifest.outputs.map(({ name }) => name);
    this.value = outputWith(manifest, "value")?.name ?? null;
    this.policy = policy?.name ?? null;
    this.activation = policy?.activation ?? "softmax";
  }

  /** The network of a bundle whose files have been read. */
  static async load({ manifest, reading, valueHead }: Bundle, graph: Graph): Promise<Network> {
    return new Network(await loadGraphModel(io.fromMemory(artifacts(graph))), manifest, reading, valueHead);
  }

  get hasValue(): boolean {
    return this.value !== null;
  }

  /** On wasm and cpu at once; webgl is waited for. */
  evaluate(states: readonly State[]): readonly Evaluation[] | Promise<readonly Evaluation[]> {
    if (getBackend() !== "webgl")
      return states.map((state) => this.answer(state, this.run(this.reading.tensor(state))));
    return Promise.all(
      states.map(async (state) => this.answer(state, await this.runLater(this.reading.tensor(state)))),
    );
  }

  /** The outputs for one tensor, without the batch. */
  async outputs(data: Float32Array): Promise<Outputs> {
    return getBackend() === "webgl" ? this.runLater(data) : this.run(data);
  }

  private run(data: Float32Array): Outputs {
    const read = tidy(() => this.execute(data).map((output) => output.dataSync()));
    return this.named(read);
  }

  private async runLater(data: Float32Array): Promise<Outputs> {
    const found = tidy(() => this.execute(data));
    const read = await Promise.all(found.map((output) => output.data()));
    for (const output of found) output.dispose();
    return this.named(read);
  }

  /** An output that did not come is empty. */
  private named(read: readonly ArrayLike<number>[]): Outputs {
    return new Map(this.names.map((name, at) => [name, read[at] ?? []]));
  }

  private execute(data: Float32Array): Tensor[] {
    const { name, shape } = this.manifest.inputs[0];
    const found = this.model.execute({ [name]: tensor(data, [1, ...shape]) }, [...this.names]);
    return Array.isArray(found) ? found : [found];
  }

  private answer(state: State, outputs: Outputs): Evaluation {
    const outcome = this.value === null ? undefined : outputs.get(this.value);
    const value = outcome && this.valueHead ? this.valueHead.read(outcome) : 0;
    const policy = this.policy === null ? undefined : outputs.get(this.policy);
    return {
      value: this.reading.value(value, state),
      policy: policy ? this.reading.policy(policy, state.actions) : null,
      logits: this.tellsLogits(policy),
    };
  }

  /** Where the manifest does not know it, numbers outside of 0 to 1 are no probabilities. */
  private tellsLogits(policy: ArrayLike<number> | undefined): boolean {
    if (this.activation === "softmax" || this.activation === "linear") return this.activation === "linear";
    return Array.from(policy ?? []).some((number) => number < 0 || number > 1);
  }

  dispose(): void {
    this.model.dispose();
  }
}

function artifacts({ model, weights }: Graph): io.ModelArtifacts {
  const specs = model.weightsManifest.flatMap((group) => group.weights) as io.WeightsManifestEntry[];
  const found = { modelTopology: model.modelTopology, weightSpecs: specs, weightData: weights };
  return model.signature ? { ...found, signature: model.signature } : found;
}
