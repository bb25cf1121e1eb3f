/** A network opened during a game. The game goes on with the old one until a person takes the new one. */
package org.azx.app.play.table

import org.azx.app.engine.records.GameRecord
import org.azx.app.play.Kept
import org.azx.app.play.Newcomer
import org.azx.app.play.isBegun
import org.azx.app.play.newIdentity
import org.azx.app.play.shelve

/** The new network that can play on from the shown position; null if there is none, or the game is over there. */
val Table.offer: Newcomer? get() = newcomer?.takeUnless { displayed.visible.isTerminal || series != null }

/** Offer a new network; null withdraws the offer. */
internal fun Table.offer(found: Newcomer?) {
    if (found?.bundle?.entry?.name == newcomer?.bundle?.entry?.name) return
    newcomer = found
    show()
}

/**
 * Put a new game into the library, which goes on from the shown position against the new network; null if nothing was
 * played yet. This game stays as it is.
 */
fun Table.playOnAgainst(taken: Newcomer): GameRecord? {
    val shown = (line?.session ?: session.shorten(session.ply)).takeOver()
    val kept = Kept(shown, settings, shown.newIdentity())
    if (!kept.isBegun) return null
    return shelve(kept, taken.bundle, taken.choices.strength).also { opened.library.keep(it) }
}
