package org.azx.app.engine.records

import org.azx.app.engine.Player

/** How a game ends beside what its rules say. */
sealed class Ending {
    /** A person has given it up. */
    object Resigned : Ending()

    /** One of two people has given it up, or has no time left where it `isLate`. */
    class Lost(val by: Player, val isLate: Boolean) : Ending()

    /** The points of the stones of Go that were agreed to be dead, ascending. */
    class Agreed(val dead: List<Int>) : Ending()

    /** What a text tells of its result, as it stands there, and who has won by it; null is a draw. */
    class Told(val result: String, val winner: Player?) : Ending()
}
