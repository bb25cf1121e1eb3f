/** What this app reads of a bundle's manifest.json; docs/bundle-format.md has all of it. */

import { isCount, isData, membersOf } from "../engine/Data";
import { sizeOf } from "../engine/Encoding";
import type { ManifestGame } from "../engine/known/Recognition";
import { type ManifestValue, PROBABILITIES, type ValueHead, valueHeadFrom } from "../engine/ValueHead";
import { BundleError, sentence } from "../texts/Sentence";
import { type Assumed, isAssumed } from "./Assumed";
import { type FileEntry, isFileEntry, isInside } from "./Index";
import { areProblems, type Problem } from "./Problem";

const SCHEMA_VERSION = 1;
const POLICY_RANGES = ["logits", "probabilities"] as const;
const ROLES = ["value", "policy", "other"] as const;

export interface Input {
  readonly name: string;
  readonly shape: readonly number[];
}

export interface Output extends Input, ManifestValue {
  readonly role: (typeof ROLES)[number];
  /** How a policy's numbers are read; older bundles do not say it. */
  readonly policy_range?: (typeof POLICY_RANGES)[number] | null;
  /** "assumed" where its shape alone tells its role, "not known" if nothing does. */
  readonly degree?: unknown;
}

export interface Manifest extends Omit<ManifestGame, "game"> {
  readonly name: string;
  /** null if the game is not known. */
  readonly game: string | null;
  /** null if how the network sees the board is known, or was said. */
  readonly assumed: Assumed | null;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** null if it is free. */
  readonly batch: number | null;
  readonly recommended: { readonly web?: string };
  readonly files: readonly FileEntry[];
  readonly checkpoint: { readonly parameters: number };
  /** Why the apps cannot play it, as its exporter judged. */
  readonly problems: readonly Problem[];
  /** How it is searched; `SearchSettings.ts` reads it. */
  readonly search?: unknown;
  /** Each format and precision of the network; `Lite.ts` reads those for LiteRT.js. */
  readonly artifacts?: unknown;
  /** What it was compared on, which is shown and not relied on. */
  readonly positions?: unknown;
}

/** One of golden.json's positions: inputs, the reference outputs, and the best legal move. */
export interface Golden {
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly legal: readonly number[] | null;
  readonly best?: number;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isSize: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;
// No board and no policy is anywhere near this many numbers.
const MOST_NUMBERS = 2 ** 24;
const isShape: Check = (value) => Array.isArray(value) && value.every(isSize) && sizeOf(value) < MOST_NUMBERS;
const isPort: Check = (value) => isData(value) && isText(value.name) && isShape(value.shape);
const orNull =
  (check: Check): Check =>
  (value) =>
    (value ?? null) === null || check(value);
const oneOf =
  (choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value);
const isRange = orNull(oneOf(POLICY_RANGES));
const isOutput: Check = (value) =>
  isPort(value) && isData(value) && oneOf(ROLES)(value.role) && isText(value.activation) && isRange(value.policy_range);
const someOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check);

/** Whether no path is there twice: a file that is listed a thousand times would be read as often. */
const areDistinct = (files: readonly FileEntry[]): boolean =>
  new Set(files.map(({ path }) => path)).size === files.length;

// What must be there, and what it must be, for this app not to stumble over it.
const MEMBERS: Readonly<
  Record<Exclude<keyof Manifest, "encoding" | "actions" | "positions" | "search" | "artifacts">, Check>
> = {
  name: isText,
  game: orNull(isText),
  settings: orNull(isData),
  assumed: orNull(isAssumed),
  inputs: someOf(isPort),
  outputs: someOf(isOutput),
  batch: orNull(isSize),
  recommended: isData,
  files: (value) => someOf(isFileEntry)(value) && areDistinct(value as readonly FileEntry[]),
  problems: orNull(areProblems),
  checkpoint: (value) => isData(value) && Number.isSafeInteger(value.parameters),
};

/** The manifest in `data`; Error with a sentence if this app cannot read it. */
export function manifestFrom(data: unknown, name: string): Manifest {
  const members = membersOf(data);
  if (members.schema_version !== SCHEMA_VERSION) {
    throw new BundleError(sentence("error_version", name, String(members.schema_version)));
  }
  const fault = Object.entries(MEMBERS).find(([member, isSound]) => !isSound(members[member]));
  if (fault) throw new BundleError(sentence("error_member", name, fault[0]));
  const { game = null, assumed = null, batch = null, problems } = members;
  return { ...members, game, assumed, batch, problems: problems ?? [] } as unknown as Manifest;
}

/** Whether the manifest names a game, known or not. */
export function isOfGame<Of extends Pick<Manifest, "game">>(manifest: Of): manifest is Of & { readonly game: string } {
  return manifest.game !== null && manifest.game !== "";
}

/** In how many positions the network's answers were compared with the checkpoint's, as the manifest says; null if not. */
export function countCompared({ positions }: Manifest): number | null {
  const { count } = membersOf(positions);
  return isSize(count) ? Number(count) : null;
}

/** The positions that golden.json's `data` holds; Error with a sentence if it is damaged. */
export function goldenFrom(data: unknown, manifest: Manifest, name: string): readonly Golden[] {
  const { positions } = membersOf(data);
  if (!Array.isArray(positions) || positions.length === 0) throw new BundleError(sentence("error_no_positions", name));
  if (!positions.every((each) => isGolden(each, manifest)))
    throw new BundleError(sentence("error_other_positions", name));
  return positions as readonly Golden[];
}

/** Whether a position has each tensor of the network, in its size, and moves that the policy has. */
function isGolden(value: unknown, { inputs, outputs }: Manifest): boolean {
  if (!isData(value) || !areTensors(value.inputs, inputs) || !areTensors(value.outputs, outputs)) return false;
  const width = policyWidth({ outputs }) ?? 0;
  const isMove: Check = (move) => isCount(move) && move < width;
  const { legal = null, best = null } = value;
  if (legal !== null && !(Array.isArray(legal) && legal.every(isMove))) return false;
  return best === null || (isMove(best) && (legal === null || legal.includes(best)));
}

function areTensors(value: unknown, ports: readonly Input[]): boolean {
  return isData(value) && ports.every(({ name, shape }) => isTensor(value[name], sizeOf(shape)));
}

function isTensor(value: unknown, size: number): boolean {
  return Array.isArray(value) && value.length === size && value.every(Number.isFinite);
}

/** The folder of the TF.js artifact; Error with a sentence if the bundle has none. */
export function webArtifact(manifest: Manifest, name: string): string {
  const path = manifest.recommended.web;
  if (typeof path !== "string") throw new BundleError(sentence("error_no_artifact", name));
  return path;
}

/** The entry of a path that stays below the bundle's folder; Error with a sentence if there is none. */
export function fileOf(manifest: Manifest, path: string, name: string): FileEntry {
  const entry = isInside(path) ? manifest.files.find((file) => file.path === path) : undefined;
  if (!entry) throw new BundleError(sentence("error_unlisted", name, path));
  return entry;
}

/** The output with a role, and where it is; null if the network has none. */
export function outputWith(manifest: Pick<Manifest, "outputs">, role: Output["role"]): Output | null {
  return manifest.outputs.find((output) => output.role === role) ?? null;
}

/** Whether the value or the policy is one by its shape alone. */
export function areOutputsAssumed({ outputs }: Pick<Manifest, "outputs">): boolean {
  return outputs.some(({ role, degree }) => role !== "other" && degree === "assumed");
}

/** How the value is read; null without one. GameError if the manifest says what there is not. */
export function valueHeadOf(manifest: Manifest): ValueHead | null {
  const output = outputWith(manifest, "value");
  return output && valueHeadFrom(output);
}

/** Whether a policy's numbers are logits: one answer for a network, in every position. */
export function hasLogits({ activation, policy_range }: Pick<Output, "activation" | "policy_range">): boolean {
  return policy_range ? policy_range === "logits" : !PROBABILITIES.includes(activation);
}

/** The policy's outputs; null without a policy. */
export function policyWidth(manifest: Pick<Manifest, "outputs">): number | null {
  const policy = outputWith(manifest, "policy");
  return policy && sizeOf(policy.shape);
}
