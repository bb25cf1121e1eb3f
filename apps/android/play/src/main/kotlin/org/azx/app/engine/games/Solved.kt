package org.azx.app.engine.games

/**
 * A position whose game is solved to its end. The player to move ends ahead by the `margin`, in boxes or discs. `best` are
 * the best actions, ascending; none once the game is over.
 */
class Solved(val margin: Int, val best: List<Int>)
