/** What the value that a network gives means: other authors count in other ranges, or tell three chances apart. */

import { GameError } from "./GameError";

const RANGES = ["signed", "unit", "wdl"] as const;
const OUTCOMES = ["win", "draw", "loss"] as const;
// What ends with one of these is never below 0.
const UNIT_ACTIVATIONS = ["sigmoid", "hard_sigmoid"];

/** The members of a manifest's output of role value that say how it is read; docs/bundle-format.md has them. */
export interface ManifestValue {
  readonly shape: readonly number[];
  readonly activation: string;
  readonly value_range?: unknown;
  readonly order?: unknown;
}

/**
 * How the outputs of a value head are read as a value from -1 to 1, for whom the encoding says.
 *
 * `range` "signed" is that already, "unit" runs from 0 to 1, "wdl" has the chances to win, draw and lose; of these
 * `win` and `loss` are where they stand, and with `logits` they have not been through a softmax.
 */
export class ValueHead {
  constructor(
    readonly range: (typeof RANGES)[number],
    private readonly win = 0,
    private readonly loss = 0,
    private readonly logits = false,
  ) {}

  read(outputs: ArrayLike<number>): number {
    const first = outputs[0] ?? 0;
    if (this.range === "signed") return first;
    return this.range === "unit" ? 2 * first - 1 : this.difference(outputs);
  }

  /** P(win) - P(loss). */
  private difference(outputs: ArrayLike<number>): number {
    const win = outputs[this.win] ?? NaN;
    const loss = outputs[this.loss] ?? NaN;
    if (!this.logits) return win - loss;
    // The draw stands at the place of 0, 1 and 2 that is left.
    const draw = outputs[3 - this.win - this.loss] ?? NaN;
    // Without the largest one taken off, the exponential of a large logit is no number.
    const largest = Math.max(win, draw, loss);
    const [won, lost] = [Math.exp(win - largest), Math.exp(loss - largest)];
    return (won - lost) / (won + Math.exp(draw - largest) + lost);
  }
}

/** How a manifest says that its value is read; GameError where it says what there is not. */
export function valueHeadFrom({ shape, activation, value_range, order }: ManifestValue): ValueHead {
  const range = value_range ?? (UNIT_ACTIVATIONS.includes(activation) ? "unit" : "signed");
  const found = RANGES.find((known) => known === range);
  if (!found) throw new GameError(`value_range '${String(range)}' is unknown, use one of ${RANGES.join(", ")}.`);
  if (found !== "wdl") return new ValueHead(found);
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== OUTCOMES.length) throw new GameError(`value_range 'wdl' takes three outputs, the value has ${size}.`);
  const places = Array.isArray(order) && order.length === size ? OUTCOMES.map((outcome) => order.indexOf(outcome)) : [];
  const [win = -1, draw = -1, loss = -1] = places;
  if (Math.min(win, draw, loss) >= 0) return new ValueHead(found, win, loss, activation === "linear");
  throw new GameError(`the value's order ${JSON.stringify(order)} is not win, draw and loss, each once.`);
}
