/**
 * What is known of a position whose game is solved to its end: the `margin` by which the player to move ends ahead, in
 * boxes or discs, and the actions that are `best`, ascending; none once the game is over.
 */
export interface EndSolution {
  readonly margin: number;
  readonly best: readonly number[];
}
