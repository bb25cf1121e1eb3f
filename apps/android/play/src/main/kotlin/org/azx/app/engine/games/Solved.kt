package org.azx.app.engine.games

/**
 * What is known of a position whose game is solved to its end: the `margin` by which the player to move ends ahead, in
 * boxes or discs, and the actions that are `best`, ascending; none once the game is over.
 */
class Solved(val margin: Int, val best: List<Int>)
