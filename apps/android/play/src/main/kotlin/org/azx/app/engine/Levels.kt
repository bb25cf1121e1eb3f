/**
 * How strong the network plays, in eight levels: a level's move is drawn among those that a search, or the policy
 * alone, thinks nearly as good as the best.
 *
 * Every language computes it alike, to the last bit (azx.games.levels). Chances come from integers. Temperatures are powers
 * of two, so that a weight is only squared or its root drawn. The table was measured with the shipped
 * networks (docs/strength.md); how strong another network of the same game plays the levels is not known.
 */
package org.azx.app.engine

import kotlin.math.sqrt

/**
 * `simulations` of a search from an empty tree, 0 for the policy alone. Of the moves with a weight those remain that
 * have at least `threshold` of the largest; one is drawn in proportion to weight^(1/temperature), at 0 the best.
 */
class Level(val simulations: Int, val threshold: Double, val temperature: Double)

private val TABLE = membersOf(readTable("levels"))

/** For games that were not measured, and for networks without a policy. */
val UNMEASURED: List<Level> = levelsIn(TABLE, "unmeasured")

/** By the game's name, weak to strong. */
val LEVELS: Map<String, List<Level>> = membersOf(TABLE["games"]).let { games ->
    games.mapValues { levelsIn(games, it.key) }
}

private fun levelsIn(table: Map<String, Any?>, name: String): List<Level> =
    table.rows(name).map { Level(it.number("simulations").toInt(), it.number("threshold"), it.number("temperature")) }

/** The levels of a game for a network with a policy or without, weak to strong. */
fun levelsOf(game: String, hasPolicy: Boolean): List<Level> = if (hasPolicy) LEVELS[game] ?: UNMEASURED else UNMEASURED

/**
 * The number at place `ply`, 0 the first, of the splitmix64 sequence that begins at `seed`; 64 bits. (Steele, Lea and
 * Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
 */
fun splitmix64(seed: Long, ply: Int): Long {
    var mixed = seed + (ply + 1L) * -0x61c8864680b583ebL
    mixed = (mixed xor (mixed ushr 30)) * -0x40a7b892e31b1a47L
    mixed = (mixed xor (mixed ushr 27)) * -0x6b2fb644ecceee15L
    return mixed xor (mixed ushr 31)
}

/** A number from 0 to below 1, of the upper 53 bits of `splitmix64`. */
fun chance(seed: Long, ply: Int): Double = (splitmix64(seed, ply) ushr 11) * TINY

/** The action that passes, if it is legal and others are too; else null. */
fun passing(state: State): Int? = state.legalActions().run { state.pass?.takeIf { size > 1 && last() == it } }

/**
 * The action that a level plays. `weights` has the visits of each legal action, ascending, or the priors without a search.
 * `ply` is how many moves were made before. `pass`, the action that passes, is played only if it alone has the largest
 * weight. GameError if there are no actions.
 */
fun choose(weights: Map<Int, Double>, level: Level, seed: Long, ply: Int, pass: Int? = null): Int {
    val (best, most) = weights.entries.maxByOrNull { it.value }
        ?: throw GameError("level: the game is over, there is no move to choose.")
    if (level.temperature == 0.0 || best == pass || most <= 0) return best
    val kept = weights.entries.filter { (action, weight) ->
        weight > 0 && weight >= level.threshold * most && action != pass
    }
    val ends = kept.map { power(it.value / most, level.temperature) }.runningReduce(Double::plus)
    val drawn = chance(seed, ply) * ends.last()
    val at = ends.indexOfFirst { drawn < it }
    return kept[if (at < 0) kept.lastIndex else at].key
}

/** weight^(1/temperature) by squares and roots alone. */
private fun power(weight: Double, temperature: Double): Double {
    var (found, left) = weight to temperature
    while (left > 1) {
        found = sqrt(found)
        left /= 2
    }
    while (left < 1) {
        found *= found
        left *= 2
    }
    return found
}

/** 2^-53. */
private const val TINY = 1.0 / (1L shl 53)
