/** Records written: a line of moves, and SGF. docs/records.md is the definition. */
package org.azx.app.engine.records

import org.azx.app.engine.Game
import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.scoreWithout
import kotlin.math.abs

/**
 * A game that was played, as texts. Missing `settings` have their defaults. `resigned` gave up, and the time of `late` was up.
 * `dead` are the dead stones of Go, ascending, and `names` are those of players 0 and 1. What SGF says `beside` the moves
 * stays as it is, the result too. The stones of the first `setUp` moves stand before the first move.
 */
class Written(
    private val game: Game,
    private val settings: Settings,
    private val states: List<State>,
    private val resigned: Player? = null,
    private val names: Pair<String, String> = "" to "",
    private val dead: List<Int> = emptyList(),
    private val beside: Beside = Beside(),
    private val setUp: Int = 0,
    private val late: Player? = null,
) {
    private val all = game.settings.associate { it.name to (settings[it.name] ?: it.default) }
    private val actions = states.drop(1).map { checkNotNull(it.lastAction) }
    private val labels = actions.map { states[0].label(it) }

    fun line(): String {
        val head = listOf(game.name) + all.map { (name, value) -> "$name=${write(value)}" }
        return "${head.joinToString(" ")}: ${labels.joinToString(" ")}".trimEnd() + "\n"
    }

    /** The game as SGF, with its result; null for a game that SGF does not have. */
    fun sgf(): String? {
        val number = SGF_GAMES[game.name] ?: return null
        val size = all["size"] as Int
        val root = mutableListOf("FF" to "4", "CA" to "UTF-8", "AP" to "azx", "GM" to number, "SZ" to "$size")
        all["komi"]?.let { root += listOf("KM" to write(it), "RU" to "Tromp-Taylor") }
        all["rule"]?.let { root += "RU" to write(it) }
        root += listOf("PB" to names.first, "PW" to names.second, "RE" to result())
        // The settings of the game count for more than what a text says of them.
        val told = beside.told.filterKeys { !(it == "KM" && "komi" in all) && !(it == "RU" && "rule" in all) }
        val said = (root.toMap() + told - STANDING).filterValues { it.isNotEmpty() }.mapValues { listOf(it.value) }
        return sgfText((said + standing(size)).toList(), actions, setUp, beside) { action, ply, first ->
            pointOf(action, ply, first, size)
        }
    }

    /** HA, AB, AW and PL of the stones that stand before the first move; passes are left out. */
    private fun standing(size: Int): Map<String, List<String>> {
        if (setUp == 0) return emptyMap()
        val points = actions.take(setUp).mapIndexed { ply, action -> ply % 2 to pointOf(action, ply, actions[0], size) }
        val (black, white) = List(2) { player -> points.filter { it.first == player && it.second.isNotEmpty() } }
            .map { side -> side.map { it.second } }
        val handicap = if (black.size > 1 && white.isEmpty()) listOf("${black.size}") else emptyList()
        val told = STANDING.zip(listOf(handicap, black, white, listOf("BW"[setUp % 2].toString())))
        return told.toMap().filterValues { it.isNotEmpty() }
    }

    /** The point's name; in Hex the second player's first move on the first one's cell takes it over. */
    private fun pointOf(action: Int, ply: Int, first: Int?, size: Int): String = when {
        game.name != "hex" -> point(action, size)
        ply == 1 && action == first -> SWAPS[0]
        else -> states[0].label(action)
    }

    /** SGF's RE: `B+2.5`, `W+R` for a resignation, 0 for a draw; empty while nothing is decided. */
    private fun result(): String {
        if (late != null) return if (late == 0) "W+T" else "B+T"
        if (resigned != null) return if (resigned == 0) "W+R" else "B+R"
        val last = states.last()
        if (!last.isTerminal) return ""
        val lead = when (last) {
            is Go -> last.scoreWithout(dead)
            is Reversi -> last.score().toDouble()
            else -> null
        }
        val ahead = lead ?: last.returns().toDouble()
        return if (ahead == 0.0) "0" else "${if (ahead > 0) "B" else "W"}+${lead?.let { write(abs(it)) }.orEmpty()}"
    }
}

// Properties of stones that stand before the first move: they are written from the moves that place them.
private val STANDING = listOf("HA", "AB", "AW", "PL")

/** A setting's value; a whole number without a point. */
private fun write(value: Any): String = value.toString().removeSuffix(".0")

/** Column and row as letters from the top left; empty for a pass. */
private fun point(action: Int, size: Int): String =
    if (action == size * size) "" else "${'a' + action % size}${'a' + action / size}"
