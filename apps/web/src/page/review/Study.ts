/** What a person may have beside a replay, which comes once it is wanted. */

import type { Said } from "../../texts/Speech";

/** A mistake that a person tries to do better. */
export interface Trial {
  /** What is said of it now. */
  readonly said: Said;
  /** Whether a good move was found. */
  readonly isDone: boolean;
  /** Look at a move that a person has chosen. */
  attempt(action: number): Promise<void>;
}

/** What looks at the position that is shown, for as long as it is. */
export interface Watcher {
  /** Look at the position that is shown now, and no more at another one. */
  look(): void;
  end(): void;
}
