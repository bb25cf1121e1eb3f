package org.azx.app.play

/** How long the network thinks: not at all beyond its policy, so many simulations, or so many seconds. */
sealed class Limit {
    object Policy : Limit()

    class Simulations(val count: Int) : Limit()

    class Seconds(val count: Double) : Limit()
}
