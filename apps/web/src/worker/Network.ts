/** A bundle's network as a search asks it. */

import type { Playing } from "../bundle/Bundle";
import { hasLogits, type Manifest, outputWith } from "../bundle/Manifest";
import { sizeOf, splitInputs } from "../engine/Encoding";
import type { Evaluation, Evaluator } from "../engine/Evaluator";
import type { State } from "../engine/State";
import type { Feeds, Model, Outputs } from "./Model";

/** Lives and ends with its `model`. */
export class Network implements Evaluator {
  private readonly inputs: readonly string[];
  private readonly sizes: readonly number[];
  private readonly value: string | null;
  private readonly policy: string | null;
  private readonly logits: boolean;

  constructor(
    readonly model: Model,
    { inputs, outputs }: Pick<Manifest, "inputs" | "outputs">,
    private readonly playing: Playing,
  ) {
    const policy = outputWith({ outputs }, "policy");
    this.inputs = inputs.map(({ name }) => name);
    this.sizes = inputs.map(({ shape }) => sizeOf(shape));
    this.value = outputWith({ outputs }, "value")?.name ?? null;
    this.policy = policy?.name ?? null;
    this.logits = policy !== null && hasLogits(policy);
  }

  get hasValue(): boolean {
    return this.value !== null;
  }

  get hasPolicy(): boolean {
    return this.policy !== null;
  }

  /** At once, but on webgl, which is waited for. */
  evaluate(states: readonly State[]): readonly Evaluation[] | Promise<readonly Evaluation[]> {
    const evaluations = states.map((state) => {
      const outputs = this.model.run(this.feeds(state));
      return outputs instanceof Promise
        ? outputs.then((each) => this.answer(state, each))
        : this.answer(state, outputs);
    });
    return evaluations.some((each) => each instanceof Promise)
      ? Promise.all(evaluations)
      : (evaluations as Evaluation[]);
  }

  private feeds(state: State): Feeds {
    const parts = splitInputs(this.playing.reading.tensor(state), this.sizes);
    return Object.fromEntries(this.inputs.map((name, at) => [name, parts[at] ?? []]));
  }

  private answer(state: State, outputs: Outputs): Evaluation {
    const { reading, valueHead } = this.playing;
    const outcome = this.value === null ? undefined : outputs.get(this.value);
    const value = outcome && valueHead ? valueHead.read(outcome) : 0;
    const policy = this.policy === null ? undefined : outputs.get(this.policy);
    return {
      value: reading.value(value, state),
      policy: policy ? reading.policy(policy, state) : null,
      logits: this.logits,
    };
  }
}
