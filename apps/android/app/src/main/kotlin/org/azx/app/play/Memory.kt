package org.azx.app.play

import android.content.Context
import android.content.SharedPreferences
import org.azx.app.engine.records.BundleName
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind

private const val FILE = "games"

/**
 * What is remembered of a bundle: the choices made for it, and the game that an earlier version of this app has kept.
 *
 * Making one reads the disk: do it on a worker. Keeping something waits for nothing.
 */
class Memory(context: Context, private val bundle: String) {
    private val preferences: SharedPreferences = context.getSharedPreferences(FILE, Context.MODE_PRIVATE)

    // Read once, so that later reads need no file. A value of another type is ignored.
    private val known: Map<String, *> = preferences.all

    /** The text of a SavedGame that was stored when this memory was made; null without one. */
    val game: String? get() = known["$bundle game"] as? String

    /** The choices that were stored when this memory was made, with defaults for missing or unknown ones. */
    val choices: Choices
        get() {
            val usual = Choices()
            return Choices(
                Strength.entries.find { it.name == known["$bundle strength"] } ?: usual.strength,
                Begins.entries.find { it.name == known["$bundle begins"] } ?: usual.begins,
                known["$bundle rule"] as? String ?: "renju".takeIf { known["$bundle renju"] == true },
                (known["$bundle komi"] as? String)?.toDoubleOrNull(),
                known["$bundle heat"] as? Boolean ?: usual.alwaysHeat,
                Pace.entries.find { it.name == known["$bundle pace"] } ?: usual.pace,
                sides,
                (known["$bundle count"] as? Int)?.takeIf { it in COUNTS } ?: usual.count,
            )
        }

    /** The reading that a person has chosen for a bundle whose own is only assumed; null without a choice. */
    val reading: String? get() = known["$bundle reading"] as? String

    /** The sides that played each other last; null if one of them is incomplete. */
    private val sides: Pair<Side, Side>?
        get() {
            val lines = (known["$bundle sides"] as? String)?.lines()?.chunked(MEMBERS) ?: return null
            if (lines.size != 2 || lines.any { it.size != MEMBERS }) return null
            val (one, two) = lines.map { (name, level, bundle, isGiven) ->
                Side(SideKind.NETWORK, name, level, BundleName(bundle, isGiven == "true"))
            }
            return one to two
        }

    /** Its game is in the library. */
    fun forgetGame() = preferences.edit().remove("$bundle game").apply()

    fun keep(choices: Choices) = preferences.edit()
        .putString("$bundle strength", choices.strength.name)
        .putString("$bundle begins", choices.begins.name)
        .putString("$bundle rule", choices.rule)
        .putString("$bundle komi", choices.komi?.toString())
        // As an earlier version of this app has kept the rule.
        .remove("$bundle renju")
        .putBoolean("$bundle heat", choices.alwaysHeat)
        .putString("$bundle pace", choices.pace.name)
        .putString("$bundle sides", choices.sides?.toList()?.joinToString("\n", transform = ::textOf))
        .putInt("$bundle count", choices.count)
        .apply()

    /** Have the network read so from now on: as assumed if that is null. */
    fun keepReading(name: String?) = preferences.edit().putString("$bundle reading", name).apply()

    fun forget() = preferences.edit().apply { for (key in KEYS) remove("$bundle $key") }.apply()

    private companion object {
        val KEYS = listOf(
            "game", "strength", "begins", "rule", "komi", "renju", "heat", "pace", "sides", "count", "reading",
        )

        // Of a side: the name, the level, and its bundle.
        const val MEMBERS = 4

        fun textOf(side: Side): String = side.run { "$name\n$level\n${bundle?.name}\n${bundle?.isGiven}" }
    }
}
