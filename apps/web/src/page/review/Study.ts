/** What a person tries beside a replay. */

import type { JudgedMove } from "../../engine/review/Verdicts";
import type { Said } from "../../texts/Speech";

/** A mistake that a person tries to do better. */
export interface Trial {
  /** The move after the position that is shown. */
  readonly mistake: JudgedMove;
  /** What is said of it now. */
  readonly said: Said;
  /** Whether a good move was found. */
  readonly isDone: boolean;
}
