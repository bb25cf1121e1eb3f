/** A reading in plain words: whose pieces are what, and how the board lies in the input. */
package org.azx.app.screens

import org.azx.app.R
import org.azx.app.bundle.Doubt
import org.azx.app.engine.Encoding
import org.azx.app.engine.Layout

private val SIGNED = Regex("(signed|codes|marks)(?:_(mover|opponent|player[01]))?")
private val OTHERS = mapOf("mover" to "opponent", "opponent" to "mover", "player0" to "player1", "player1" to "player0")

/** The words about an assumed encoding or assumed outputs. */
class ReadingWords(private val words: Words) {
    /** The sentence that a reading is only assumed, or which one a person has chosen. */
    fun doubt(doubt: Doubt): String {
        val usual = when {
            !doubt.board -> R.string.reading_outputs_alone
            doubt.outputs -> R.string.reading_outputs_assumed
            else -> R.string.reading_assumed
        }
        val chosen = doubt.others[doubt.chosen] ?: return words.say(usual)
        val says = if (doubt.outputs) R.string.reading_chosen_outputs else R.string.reading_chosen
        return words.say(says, reading(chosen, saysRows(doubt)))
    }

    /** A reading and its name; `name` is null for the assumed one. */
    fun choice(doubt: Doubt, name: String?): String {
        val about = name ?: words.say(R.string.reading_usual)
        return "${reading(doubt.others[name] ?: doubt.assumed, saysRows(doubt))}\n$about"
    }

    /** If rows lie otherwise in one of the readings, each one says how. */
    private fun saysRows(doubt: Doubt): Boolean = (doubt.others.values + doubt.assumed).any { it.flip }

    /** "+1 the player to move, −1 the opponent; bottom row first"; the order of rows is said if `saysRows`, or if it is unusual. */
    private fun reading(encoding: Encoding, saysRows: Boolean): String = with(encoding) {
        val pieces = planes.singleOrNull()?.let(::plane) ?: words.say(R.string.sees_planes, listed(planes))
        val rows = if (flip) R.string.sees_bottom_first else R.string.sees_top_first
        listOfNotNull(
            pieces,
            words.say(rows).takeIf { flip || saysRows },
            words.say(R.string.sees_by_column).takeIf { transpose },
            words.say(R.string.sees_by_cell).takeIf { layout == Layout.CELLS },
            beside?.let { words.say(R.string.sees_beside, listed(it.planes)) },
        ).joinToString(words.say(R.string.sees_then))
    }

    private fun listed(planes: List<String>) = planes.joinToString(words.say(R.string.board_comma), transform = ::plane)

    private fun plane(plane: String): String {
        val found = SIGNED.matchEntire(plane)
        if (found != null) {
            val (kind, given) = found.destructured
            val whose = given.ifEmpty { "mover" }
            val text = when (kind) {
                "signed" -> R.string.sees_signed
                "codes" -> R.string.sees_codes
                else -> R.string.sees_marks
            }
            return words.say(text, whose(whose), whose(OTHERS.getValue(whose)))
        }
        val (name, ago) = plane.substringBefore('@') to plane.substringAfter('@', "")
        return if (ago.isEmpty()) whose(name) else words.say(R.string.sees_ago, whose(name), ago)
    }

    /** A player, or another plane that says nothing of a piece; by its own name if there are no words for it. */
    private fun whose(name: String): String = words.sayOrNull("sees_$name") ?: name
}
