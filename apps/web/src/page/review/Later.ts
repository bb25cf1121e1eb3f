/** What the page says of positions that were looked at: it comes once one was. */

import type { Figure } from "../../engine/review/Panel";
import { count, number, say } from "../../texts/Speech";
import { capital, points } from "../words/Words";
import "texts:review";
import "./review.css";

export { displayCandidates, worthsOf } from "./CandidateList";
export { measureLeads } from "./Leads";
export { displayReview } from "./Panel";

/** Who leads by how many boxes, discs or points, or wins if both play perfectly; null for any other chance. */
export function sayCounted(called: string, { unit, value, spread, source }: Figure, result: number): string | null {
  const name = capital(called);
  if (unit === "chance") {
    if (source !== "solved") return null;
    return say(result > 0 ? "solved_won" : result < 0 ? "solved_lost" : "solved_drawn", name);
  }
  const lead = Math.abs(value);
  const amount = unit === "points" ? points(lead) : count(`${unit}_count`, lead);
  const about = spread > 0 ? `${amount} ± ${number(spread)}` : amount;
  if (value === 0) return say("lead_even", name);
  return say(value > 0 ? "lead_ahead" : "lead_behind", name, about);
}
