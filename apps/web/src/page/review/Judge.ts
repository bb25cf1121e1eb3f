/** What judges moves, for Judgement.ts, which has it come once something was looked at. */

export { areOpeningsRead, readOpenings } from "../../engine/games/Connect4Opening";
export { knownOf } from "../../engine/review/Known";
export {
  accuracy,
  counts,
  DEEPER,
  isMistake,
  judgeMoves,
  listDoubted,
  nextMistake,
  VERDICTS,
} from "../../engine/review/Verdicts";
