/** The boards of Go that are counted alike in every language: scoring.json. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Settings } from "../../src/engine/Game";

export interface Scored {
  readonly about: string;
  readonly settings: Settings;
  readonly actions: readonly number[];
  readonly playouts: number;
  readonly seed: number;
  readonly black: readonly number[];
  readonly white: readonly number[];
  readonly leads: readonly (readonly [number, number])[];
  readonly dead: readonly number[];
  readonly score: number;
  readonly score_without: number;
  readonly estimate: {
    readonly score: number;
    readonly spread: number;
    readonly points: readonly [number, number];
    readonly percent: number;
    readonly certainty: string;
  };
  readonly settled: boolean;
  readonly may_pass: boolean;
}

export function scoredPositions(): readonly Scored[] {
  const path = new URL("../../../../mobile_assets/fixtures/go/scoring.json", import.meta.url);
  return (JSON.parse(readFileSync(fileURLToPath(path), "utf8")) as { cases: readonly Scored[] }).cases;
}
