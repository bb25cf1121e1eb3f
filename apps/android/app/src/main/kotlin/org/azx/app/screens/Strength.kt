/** What a person chooses for a match. */
package org.azx.app.screens

import org.azx.app.play.Limit

/** How long the network thinks about a move. */
enum class Strength(val limit: Limit) {
    POLICY(Limit.Policy),
    SIMULATIONS_50(Limit.Simulations(50)),
    SIMULATIONS_200(Limit.Simulations(200)),
    SIMULATIONS_800(Limit.Simulations(800)),
    SECONDS_1(Limit.Seconds(1.0)),
    SECONDS_3(Limit.Seconds(3.0)),
    SECONDS_10(Limit.Seconds(10.0)),
}

/** Who makes the first move of the next game. */
enum class Begins { RANDOM, YOU, AI }

/** The controls of a match; `isRenju` is Gomoku's rule, `alwaysHeat` shows the policy's heat map at every move. */
data class Choices(
    val strength: Strength = Strength.SIMULATIONS_200,
    val begins: Begins = Begins.RANDOM,
    val isRenju: Boolean = false,
    val alwaysHeat: Boolean = false,
)
