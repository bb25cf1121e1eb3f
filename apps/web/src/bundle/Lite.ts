/**
 * What a bundle has in lower precisions for a browser, and what each may differ by: the TF.js network that is played, and
 * the `.tflite` files that LiteRT.js runs.
 */

import { membersOf } from "../engine/Data";
import { type FileEntry, isInside } from "./Index";
import type { Manifest } from "./Manifest";

export const PRECISIONS = ["fp32", "int8-dynamic"] as const;
export type Precision = (typeof PRECISIONS)[number];

/** What an approximation may differ by, as its manifest records it: shares from 0 to 1. */
export interface Limits {
  /** The largest error of the win rate. */
  readonly value_max: number;
  /** The share of positions whose best move stays the best. */
  readonly best_move: number;
  /** Only positions count in which the two best moves are more than this probability apart. */
  readonly margin: number;
}

/** Those in which TF.js's weights come smaller; they are float32 once they are loaded. */
export const SMALL = ["fp16", "int8-weights"] as const;
export type Small = (typeof SMALL)[number];

/** The TF.js network that is played. */
export interface PlayedNetwork {
  /** Its folder. */
  readonly path: string;
  readonly precision: "fp32" | Small;
  /** null for what was proved equal. */
  readonly limits: Limits | null;
}

export interface SmallNetwork extends PlayedNetwork {
  readonly precision: Small;
  readonly limits: Limits;
}

export interface Lite {
  readonly path: string;
  readonly precision: Precision;
  /** null for what was proved equal. */
  readonly limits: Limits | null;
}

/** Whether a file is loaded only on request: a network plays without it. */
export const isLite = ({ path }: Pick<FileEntry, "path">): boolean => path.endsWith(".tflite");

/** The one at `path` in a lower precision, inside its gate; null if there is none. */
export function smallAt({ artifacts }: Pick<Manifest, "artifacts">, path: string | null): SmallNetwork | null {
  if (path === null || !Array.isArray(artifacts)) return null;
  const { format, precision, gate } = artifacts.map(membersOf).find((each) => each.path === path) ?? {};
  const [small, limits] = [SMALL.find((each) => each === precision), limitsOf(gate)];
  return format === "tfjs" && small && limits ? { path, precision: small, limits } : null;
}

/** Those files that the manifest lists; of a lower precision, what is inside its gate alone. */
export function liteIn({ artifacts, batch }: Pick<Manifest, "artifacts" | "batch">): readonly Lite[] {
  // A file with a free batch would have to be shaped first.
  if (!Array.isArray(artifacts) || batch === null) return [];
  return artifacts.flatMap((artifact: unknown): readonly Lite[] => {
    const { format, path, precision = "fp32", gate } = membersOf(artifact);
    const known = PRECISIONS.find((each) => each === precision);
    if (format !== "tflite" || typeof path !== "string" || !known || !isLite({ path }) || !isInside(path)) return [];
    if (known === "fp32") return [{ path, precision: known, limits: null }];
    const limits = limitsOf(gate);
    return limits ? [{ path, precision: known, limits }] : [];
  });
}

/** The limits of a gate that was passed; null of any other. */
function limitsOf(gate: unknown): Limits | null {
  const { passed: isPassed, limits } = membersOf(gate);
  const { value_max, best_move, margin } = membersOf(limits);
  if (isPassed !== true || !isShare(value_max) || !isShare(best_move) || !isShare(margin)) return null;
  return { value_max, best_move, margin };
}

const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1;
