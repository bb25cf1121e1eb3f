/** What the page says of records. */

import type { RecordError } from "../../engine/records/Record";
import { say, sayBy } from "../../texts/Speech";
import { clauseOfRefusal } from "../Words";

/** Why a text is no record of a game that can be shown. */
export function refusalOf({ key, move, what, refusal }: RecordError): string {
  const number = move ?? 0;
  switch (key) {
    case "record_settings":
      return say(key, what);
    case "record_unknown_move":
      return say(key, number, what);
    case "record_turn":
    case "record_after_end":
      return say(key, number);
    case "record_illegal":
      return say(key, number, refusal ? clauseOfRefusal(refusal) : what);
    case "record_no_network":
      return say(key, sayBy(`game_${what}`));
    default:
      return say(key);
  }
}
