/** The small text in which this app has kept the last game of a bundle before it had a library. */
package org.azx.app.play

import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.findKnown
import org.azx.app.engine.through

private const val TITLE = "azx game 1"

/**
 * What a session is made of. `settings` are those that were chosen beside the network's own.
 *
 * The text has a line each: the title, `human`, `settings` (name=value), `actions`, `rates` (moves=chance). If a review has
 * seen positions, `seen` follows (moves=mover:chance, and :best if there is a move). `end` follows if the game was given up
 * or its dead stones were agreed on.
 */
class SavedGame(
    val settings: Settings,
    val human: Player,
    val actions: List<Int>,
    val rates: Map<Int, Double>,
    val ending: Ending? = null,
    val seen: Map<Int, Seen> = emptyMap(),
) {
    /** The session, played again from `start`; null if the game's rules forbid it, so that the text was no good. */
    fun session(start: State): Session? {
        val states = try {
            start.through(actions)
        } catch (_: GameError) {
            return null
        }
        if (states.last().mustPass || !isEndOf(states, ending)) return null
        // What the rules prove is not written: they say it again.
        val known = seen.filter { (moves, found) -> states.getOrNull(moves)?.let { fits(found, it) } == true }
            .mapValues { (moves, found) -> found.copy(known = findKnown(states[moves])) }
        return Session(states, human, rates.filterKeys { it in states.indices }, null, ending, known)
    }

    private fun fits(found: Seen, state: State): Boolean =
        found.mover == state.toMove && found.best?.let { state.whyIllegal(it) == null } ?: state.isTerminal

    companion object {
        /** The game of a text; null if it is damaged. */
        fun from(text: String?): SavedGame? {
            val lines = text?.split("\n") ?: return null
            if (lines.size !in 5..7 || lines[0] != TITLE) return null
            return try {
                read(lines)
            } catch (_: IllegalArgumentException) {
                null
            }
        }

        private fun read(lines: List<String>): SavedGame {
            val human = requireNotNull(words(lines[1], "human").singleOrNull()).toInt()
            require(human in NOBODY..1)
            val actions = words(lines[3], "actions").map { it.toInt() }
            val rates = pairs(lines[4], "rates").entries.associate { (moves, rate) -> moves.toInt() to rate.toDouble() }
            require(rates.values.all { it in 0.0..1.0 })
            val more = lines.drop(5).toMutableList()
            val hasSeen = more.firstOrNull()?.startsWith("seen ") == true
            val seen = if (hasSeen) pairs(more.removeAt(0), "seen") else emptyMap()
            require(more.size < 2)
            val ending = more.firstOrNull()?.let { endOf(words(it, "end")) }
            val settings = pairs(lines[2], "settings").mapValues { valueOf(it.value) }
            val known = seen.entries.associate { (moves, found) -> moves.toInt() to readSeen(found.split(":")) }
            return SavedGame(settings, human, actions, rates, ending, known)
        }

        private fun readSeen(parts: List<String>): Seen {
            require(parts.size in 2..3)
            val seen = Seen(parts[0].toInt(), parts[1].toDouble(), parts.getOrNull(2)?.toInt())
            require(seen.chance in 0.0..1.0)
            return seen
        }

        private fun endOf(words: List<String>): Ending = when (words.firstOrNull()) {
            "resigned" -> Ending.Resigned.also { require(words.size == 1) }
            "agreed" -> Ending.Agreed(words.drop(1).map { it.toInt() })
            else -> throw IllegalArgumentException("no ending")
        }

        private fun words(line: String, title: String): List<String> {
            val found = line.split(" ")
            require(found[0] == title)
            return found.drop(1)
        }

        private fun pairs(line: String, title: String): Map<String, String> = words(line, title).associate {
            val at = it.indexOf('=')
            require(at > 0)
            it.substring(0, at) to it.substring(at + 1)
        }

        private fun valueOf(text: String): Any = text.toIntOrNull() ?: text.toDoubleOrNull() ?: text
    }
}
