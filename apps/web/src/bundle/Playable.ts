/** Whether an app can play a bundle: the reasons why not, in the words of Python's bundle/contents/playable.py. */

import { isData, membersOf } from "../engine/Data";
import { inputSizes, sizeOf } from "../engine/Encoding";
import { GameError } from "../engine/GameError";
import { fromManifest } from "../engine/known/Recognition";
import { faultIn } from "../engine/SearchSettings";
import { reasonOf } from "../texts/Sentence";
import { gameProblems } from "./Index";
import { isOfGame, type Manifest, outputWith, policyWidth } from "./Manifest";
import { type Problem, problem, uniteProblems } from "./Problem";

/** The members of a manifest by which it is judged. */
export type ManifestPart = Pick<
  Manifest,
  "game" | "settings" | "encoding" | "actions" | "inputs" | "outputs" | "batch"
> &
  Partial<Pick<Manifest, "problems" | "search">>;

/** Why an app cannot play the bundle of this manifest, and what its exporter knew beyond that; empty if it can. */
export function whyNot(manifest: ManifestPart): readonly Problem[] {
  const { inputs, batch } = manifest;
  const problems = [...whyNoGame(manifest)];
  if (inputs.length !== (hasBeside(manifest) ? 2 : 1)) problems.push(problem("inputs", inputs.length));
  if (!outputWith(manifest, "policy") && !outputWith(manifest, "value")) problems.push(problem("no_heads"));
  if ((batch ?? 1) !== 1) problems.push(problem("batch", batch ?? 1));
  const fault = (manifest.search ?? null) === null ? null : faultIn(manifest.search);
  if (fault !== null) problems.push(problem("search", fault));
  return uniteProblems(problems, manifest.problems ?? []);
}

const hasBeside = ({ encoding }: ManifestPart): boolean => isData(membersOf(encoding).beside);

function whyNoGame(manifest: ManifestPart): readonly Problem[] {
  const known = gameProblems(manifest.game);
  if (known.length || !isOfGame(manifest)) return known;
  if (!manifest.encoding) return [problem("no_encoding")];
  try {
    const { encoding } = fromManifest(manifest, policyWidth(manifest));
    const [made, read] = [inputSizes(encoding), manifest.inputs.map(({ shape }) => sizeOf(shape))];
    const at = made.length === read.length ? made.findIndex((size, index) => size !== read[index]) : -1;
    return at < 0 ? [] : [problem("size", made[at] ?? 0, read[at] ?? 0)];
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return [problem("unreadable", reasonOf(error))];
  }
}
