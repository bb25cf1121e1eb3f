package org.azx.app.play

import org.azx.app.engine.Settings
import org.azx.app.engine.records.Ending

/** A game as versions of this app before the library have kept it. */
fun savedText(session: Session, settings: Settings = emptyMap()): String = listOfNotNull(
    "azx game 1",
    "human ${session.human}",
    "settings" + settings.map { (name, value) -> " $name=$value" }.joinToString(""),
    "actions" + session.actions.joinToString("") { " $it" },
    "rates" + session.rates.toSortedMap().map { (moves, rate) -> " $moves=$rate" }.joinToString(""),
    session.seen.toSortedMap().map { (moves, found) ->
        " $moves=" + listOfNotNull(found.mover, found.chance, found.best).joinToString(":")
    }.joinToString("").ifEmpty { null }?.let { "seen$it" },
    when (val ending = session.ending) {
        is Ending.Resigned -> "end resigned"
        is Ending.Agreed -> "end agreed" + ending.dead.joinToString("") { " $it" }
        else -> null
    },
).joinToString("\n")
