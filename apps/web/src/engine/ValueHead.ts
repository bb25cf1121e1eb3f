/** What a network's value means: authors use other ranges, or three chances. */

import { sizeOf } from "./Encoding";
import { GameError } from "./GameError";

const RANGES = ["signed", "unit", "wdl"] as const;
const OUTCOMES = ["win", "draw", "loss"] as const;
// What ends with one of these is never below 0.
const UNIT_ACTIVATIONS = ["sigmoid", "hard_sigmoid"];
/** What ends with one of these are chances. */
export const PROBABILITIES: readonly string[] = [...UNIT_ACTIVATIONS, "softmax"];
// How far from 1 the sum of chances may be.
const SLACK = 1e-3;

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
 * `win` and `loss` are where they stand (where no order is given, in this one); what ends with
 * `activation` may have to go through a softmax first.
 */
export class ValueHead {
  constructor(
    readonly range: (typeof RANGES)[number],
    private readonly win = 0,
    private readonly loss = 0,
    private readonly activation = "softmax",
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
    // The draw stands at the place of 0, 1 and 2 that is left.
    const draw = outputs[3 - this.win - this.loss] ?? NaN;
    if (this.areChances(win, draw, loss)) return win - loss;
    // Without the largest one taken off, the exponential of a large logit is no number.
    const largest = Math.max(win, draw, loss);
    const [won, lost] = [Math.exp(win - largest), Math.exp(loss - largest)];
    return (won - lost) / (won + Math.exp(draw - largest) + lost);
  }

  /** Where the manifest does not know it, numbers below 0 or with another sum than 1 are no chances. */
  private areChances(win: number, draw: number, loss: number): boolean {
    if (this.activation !== "unknown") return PROBABILITIES.includes(this.activation);
    return Math.min(win, draw, loss) >= 0 && Math.abs(win + draw + loss - 1) <= SLACK;
  }
}

/** What a value is where the manifest does not say: three numbers are chances. */
function usualRange(size: number, activation: string): string {
  if (size === OUTCOMES.length) return "wdl";
  return UNIT_ACTIVATIONS.includes(activation) ? "unit" : "signed";
}

function single(range: "signed" | "unit", size: number, order: unknown): ValueHead {
  if (size !== 1) throw new GameError(`value_range '${range}' takes one output, the value has ${size}.`);
  if (order != null) throw new GameError(`value_range '${range}' has no order, which is that of three outputs.`);
  return new ValueHead(range);
}

/** How a manifest says that its value is read; GameError if it says what there is not. */
export function valueHeadFrom({ shape, activation, value_range, order }: ManifestValue): ValueHead {
  const size = sizeOf(shape);
  const wanted = value_range ?? usualRange(size, activation);
  const range = RANGES.find((known) => known === wanted);
  if (!range) throw new GameError(`value_range '${String(wanted)}' is unknown, use one of ${RANGES.join(", ")}.`);
  if (range !== "wdl") return single(range, size, order);
  if (size !== OUTCOMES.length) throw new GameError(`value_range 'wdl' takes three outputs, the value has ${size}.`);
  const named: unknown = order ?? OUTCOMES;
  const places = Array.isArray(named) && named.length === size ? OUTCOMES.map((each) => named.indexOf(each)) : [];
  const [win = -1, draw = -1, loss = -1] = places;
  if (Math.min(win, draw, loss) >= 0) return new ValueHead(range, win, loss, activation);
  throw new GameError(`the value's order ${JSON.stringify(order)} is not win, draw and loss, each once.`);
}
