/** Whether a policy holds logits or probabilities: decided once of a network, as every language decides it. */

import { describe, expect, it } from "vitest";

import type { Playing } from "../../src/bundle/Bundle";
import { priors } from "../../src/engine/Evaluator";
import type { Model, Outputs } from "../../src/worker/Model";
import { Network } from "../../src/worker/Network";
import { policies, stateAfter } from "../engine/fixtures";

const { tolerance, cases } = policies();
const state = stateAfter("tictactoe", {}, []);
const reading = {
  tensor: () => [],
  value: () => 0,
  policy: (outputs: ArrayLike<number>) => Float64Array.from(outputs),
};

describe("a policy of", () => {
  it.each(cases)("$activation, in the manifest $policy_range", async ({ legal, outputs, priors: wanted, ...own }) => {
    const port = { name: "moves", shape: [outputs[0]?.length ?? 0] };
    const manifest = { inputs: [port], outputs: [{ ...port, role: "policy", ...own } as const] };
    for (const [at, numbers] of outputs.entries()) {
      const model = { run: (): Outputs => new Map([["moves", numbers]]) } as unknown as Model;
      const network = new Network(model, manifest, { reading, valueHead: null } as unknown as Playing);
      const [evaluation] = await network.evaluate([state]);
      expect(evaluation?.logits).toBe(own.logits);
      const found = evaluation ? [...priors(evaluation, legal)] : [];
      expect(found).toHaveLength(legal.length);
      for (const [place, prior] of found.entries())
        expect(Math.abs(prior - (wanted[at]?.[place] ?? NaN))).toBeLessThan(tolerance);
    }
  });
});
