/** The `.tflite` files of a bundle that LiteRT.js runs in a browser, and what one in a lower precision may differ by. */

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

export interface Lite {
  readonly path: string;
  readonly precision: Precision;
  /** null for what was proved equal. */
  readonly limits: Limits | null;
}

/** Such files wait until somebody asks for them: a network plays without. */
export const isLite = ({ path }: Pick<FileEntry, "path">): boolean => path.endsWith(".tflite");

/** Those files that the manifest lists; of a lower precision, what is inside its gate alone. */
export function liteIn({ artifacts, batch }: Pick<Manifest, "artifacts" | "batch">): readonly Lite[] {
  // A file with a free batch would have to be shaped first.
  if (!Array.isArray(artifacts) || batch === null) return [];
  return artifacts.flatMap((artifact: unknown): readonly Lite[] => {
    const { format, path, precision = "fp32", gate } = (artifact ?? {}) as Readonly<Record<string, unknown>>;
    const known = PRECISIONS.find((each) => each === precision);
    if (format !== "tflite" || typeof path !== "string" || !known || !isLite({ path }) || !isInside(path)) return [];
    if (known === "fp32") return [{ path, precision: known, limits: null }];
    const limits = limitsOf(gate);
    return limits ? [{ path, precision: known, limits }] : [];
  });
}

/** The limits of a gate that was passed; null of any other. */
function limitsOf(gate: unknown): Limits | null {
  const { passed: isPassed, limits } = (gate ?? {}) as { passed?: unknown; limits?: Partial<Limits> };
  const { value_max, best_move, margin } = limits ?? {};
  if (isPassed !== true || !isShare(value_max) || !isShare(best_move) || !isShare(margin)) return null;
  return { value_max, best_move, margin };
}

const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1;
