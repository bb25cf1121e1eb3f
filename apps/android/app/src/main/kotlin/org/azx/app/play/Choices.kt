/** What a person chooses for a table. */
package org.azx.app.play

import org.azx.app.engine.Settings
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.records.Side
import java.io.Serializable

/**
 * How long the network thinks: by its policy alone, a number of simulations, a number of seconds, or at a level, 1 to 8.
 * A level draws its moves from a seed.
 */
sealed class Limit {
    object Policy : Limit()

    class Simulations(val count: Int) : Limit()

    class Seconds(val count: Double) : Limit()

    class Level(val number: Int, val seed: Long = 0) : Limit()
}

/** How long the network thinks about a move; the names are stored. */
enum class Strength(val limit: Limit) {
    LEVEL_1(Limit.Level(1)),
    LEVEL_2(Limit.Level(2)),
    LEVEL_3(Limit.Level(3)),
    LEVEL_4(Limit.Level(4)),
    LEVEL_5(Limit.Level(5)),
    LEVEL_6(Limit.Level(6)),
    LEVEL_7(Limit.Level(7)),
    LEVEL_8(Limit.Level(8)),
    POLICY(Limit.Policy),
    SIMULATIONS_50(Limit.Simulations(50)),
    SIMULATIONS_200(Limit.Simulations(200)),
    SIMULATIONS_800(Limit.Simulations(800)),
    SECONDS_1(Limit.Seconds(1.0)),
    SECONDS_3(Limit.Seconds(3.0)),
    SECONDS_10(Limit.Seconds(10.0)),
    ;

    /** As a record has it: "level 3", "simulations 200". */
    val level: String
        get() = when (limit) {
            is Limit.Policy -> "policy"
            is Limit.Level -> "level ${limit.number}"
            is Limit.Simulations -> "simulations ${limit.count}"
            is Limit.Seconds -> "seconds ${limit.count.toInt()}"
        }

    /** The limit of one move: a level draws it from `seed`. */
    fun limit(seed: Long): Limit = if (limit is Limit.Level) Limit.Level(limit.number, seed) else limit
}

/** How strong a side plays; null if this app has no such level. */
fun strengthOf(side: Side): Strength? = Strength.entries.find { it.level == side.level }

/** The strengths to choose from. Without a policy a move needs a search: before it all moves look alike. */
fun strengths(hasPolicy: Boolean): List<Strength> = Strength.entries.filter { hasPolicy || it != Strength.POLICY }

/** Who makes the first move of the next game, which the network plays against itself at WATCH. */
enum class Begins { RANDOM, YOU, AI, WATCH }

/** How long a watched game shows a move before the network thinks about the next one. */
enum class Pace(val milliseconds: Long) { SLOW(3000), USUAL(1000), FAST(200) }

/**
 * The controls of a table. `rule` and `komi` are the next game's, null for the network's own. `alwaysHeat` shows the policy's
 * heat map at every move. `pace`, `sides` and `count`, the number of games, are for watched games; without `sides` the
 * network plays itself.
 */
data class Choices(
    val strength: Strength = Strength.SIMULATIONS_200,
    val begins: Begins = Begins.RANDOM,
    val rule: String? = null,
    val komi: Double? = null,
    val alwaysHeat: Boolean = false,
    val pace: Pace = Pace.USUAL,
    val sides: Pair<Side, Side>? = null,
    val count: Int = 1,
) : Serializable

/** How many games a series may have; one is a game alone. */
val COUNTS = listOf(1, 2, 10, 20)

/** The names of the settings that leave a network's input as it is: a person or a record chooses them. */
fun offeredSettings(name: String): Set<String> {
    val game = GAMES[name] ?: return emptySet()
    return game.settings.map { it.name }.toSet() - game.shapes.first().settings.keys
}

/** The rules that a game may be played by, the usual one first; empty if there is only one. */
fun rulesOf(game: String): List<String> =
    GAMES[game]?.settings.orEmpty().find { it.name == "rule" }?.choices.orEmpty().map { it as String }

// What is usual in Go.
internal val KOMIS = listOf(0.5, 5.5, 6.5, 7.5)

/** The komi values that are offered, the network's and the chosen one among them; empty in games without komi. */
fun komisOf(opened: Opened, choices: Choices): List<Double> {
    val own = opened.komi ?: return emptyList()
    return (KOMIS + own + listOfNotNull(choices.komi)).distinct().sorted()
}

/** The settings of the next game that a person has chosen. */
fun settingsOf(game: String, choices: Choices): Settings {
    val (rule, komi) = choices.rule?.takeIf { it in rulesOf(game) } to choices.komi
    val hasKomi = "komi" in offeredSettings(game)
    return listOfNotNull(rule?.let { "rule" to it }, komi?.takeIf { hasKomi }?.let { "komi" to it }).toMap()
}

/** Whether the next game is a series, and not one game of the open network against itself. */
fun Choices.isSeries(opened: Opened): Boolean {
    val chosen = sides?.toList().orEmpty()
    val isUsual = { side: Side -> opened.isOwn(side) && side.level == strength.level }
    return begins == Begins.WATCH && chosen.isNotEmpty() && (count > 1 || !chosen.all(isUsual))
}
