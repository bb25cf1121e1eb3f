/**
 * What the manifest says of an artifact's bytes: that they are the checkpoint's calculation for every board, or that it was
 * only tried. Its author says so; the app shows it, in Python's words, and does not rely on it.
 */

import { isCount, membersOf } from "../engine/Data";
import { type Sentence, sentence } from "../texts/Sentence";
import type { Manifest } from "./Manifest";

// No reason that azx writes is longer.
const LONGEST = 600;
const COUNTS = ["boards", "operations", "weights", "to_the_bit"] as const;

/** The sentence on the artifact at `path`, as a clause; null if the manifest has none that this app can read. */
export function calculationOf({ artifacts }: Pick<Manifest, "artifacts">, path: string | undefined): Sentence | null {
  const listed: readonly unknown[] = Array.isArray(artifacts) ? artifacts : [];
  const artifact = listed.map(membersOf).find((each) => path !== undefined && each.path === path);
  const calculation = membersOf(artifact?.calculation);
  const [boards, operations, weights, exact] = COUNTS.map((name) => numberOf(calculation[name]));
  const { verdict, reason, largest_rounding: rounding } = calculation;
  const why = typeof reason === "string" && reason !== "" && reason.length <= LONGEST ? reason : null;
  if (verdict === "differs") return why === null ? null : sentence("calculation_differs", why);
  if (boards == null) return null;
  if (verdict === "tried") return why === null ? null : sentence("calculation_tried", boards, why);
  if (verdict !== "same" || operations == null || weights == null || exact == null) return null;
  if (exact === weights) return sentence("calculation_exact", operations, weights, boards);
  if (typeof rounding !== "number" || !Number.isFinite(rounding) || rounding < 0) return null;
  return sentence("calculation_same", operations, weights, exact, rounding.toFixed(2), boards);
}

/** A whole number as every app writes it; null for any other value. */
const numberOf = (value: unknown): string | null => (isCount(value) ? value.toLocaleString("en") : null);
