/** What this app reads of a bundle's manifest.json; docs/bundle-format.md has all of it. */

import type { ManifestGame } from "../engine/Recognition";
import { type ManifestValue, type ValueHead, valueHeadFrom } from "../engine/ValueHead";
import type { FileEntry } from "./Index";

const SCHEMA_VERSION = 1;

export interface Input {
  readonly name: string;
  readonly shape: readonly number[];
}

export interface Output extends Input, ManifestValue {
  readonly role: "value" | "policy" | "other";
}

export interface Manifest extends ManifestGame {
  readonly name: string;
  /** This app plays networks with one input. */
  readonly inputs: readonly [Input];
  readonly outputs: readonly Output[];
  readonly batch: number | null;
  readonly recommended: { readonly web?: string };
  readonly files: readonly FileEntry[];
  readonly checkpoint: { readonly file: string; readonly sha256: string; readonly parameters: number };
}

/** One of golden.json's positions: inputs, the reference outputs, and the best legal move. */
export interface Golden {
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly legal: readonly number[] | null;
  readonly best?: number;
}

/** The manifest that `data` is; Error with a sentence where this app cannot play it. */
export function manifestFrom(data: unknown, where: string): Manifest {
  const found = (data ?? {}) as Partial<Record<keyof Manifest | "schema_version", unknown>>;
  if (found.schema_version !== SCHEMA_VERSION) {
    const has = String(found.schema_version);
    throw new Error(`${where}: its manifest has version ${has}, this app reads ${SCHEMA_VERSION}: use a newer app.`);
  }
  const lists = [found.inputs, found.outputs, found.files];
  if (!lists.every(Array.isArray) || typeof found.recommended !== "object" || found.recommended === null) {
    throw new Error(`${where}: its manifest lacks inputs, outputs, files or recommended: export the bundle again.`);
  }
  if (typeof found.game !== "string") throw new Error(`${where}: its manifest names no game that could be played.`);
  const manifest = data as Manifest;
  if (manifest.inputs.length !== 1)
    throw new Error(`${where}: its network has ${manifest.inputs.length} inputs, this app plays those with one.`);
  return manifest;
}

/** The folder of the TF.js artifact; Error with a sentence where the bundle has none. */
export function webArtifact(manifest: Manifest, where: string): string {
  const path = manifest.recommended.web;
  if (typeof path !== "string") throw new Error(`${where}: it has no TF.js artifact: export it with --format tfjs.`);
  return path;
}

/** The entry of a path that stays below the bundle's folder; Error with a sentence where there is none. */
export function fileOf(manifest: Manifest, path: string, where: string): FileEntry {
  const inside =
    !path.startsWith("/") && !path.includes("\\") && path.split("/").every((part) => part && part !== "..");
  const found = inside ? manifest.files.find((file) => file.path === path) : undefined;
  if (!found) throw new Error(`${where}: its manifest does not list '${path}': export the bundle again.`);
  return found;
}

/** The output with a role, and where it is; null where the network has none. */
export function outputWith(manifest: Manifest, role: Output["role"]): Output | null {
  return manifest.outputs.find((output) => output.role === role) ?? null;
}

/** How the value is read; null without one. GameError where the manifest says what there is not. */
export function valueHeadOf(manifest: Manifest): ValueHead | null {
  const output = outputWith(manifest, "value");
  return output && valueHeadFrom(output);
}

/** The policy's outputs; null without a policy. */
export function policyWidth(manifest: Manifest): number | null {
  return outputWith(manifest, "policy")?.shape.reduce((product, size) => product * size, 1) ?? null;
}
