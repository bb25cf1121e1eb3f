/** A network that has come while a game is on the board: the game goes on with the old one until a person takes it. */
package org.azx.app.play.table

import org.azx.app.engine.records.GameRecord
import org.azx.app.play.Kept
import org.azx.app.play.Newcomer
import org.azx.app.play.isBegun
import org.azx.app.play.newIdentity
import org.azx.app.play.shelve

/** What a person may play on with from the position that is shown; null if nothing has come, or the game is over there. */
val Table.offer: Newcomer? get() = newcomer?.takeUnless { displayed.visible.isTerminal || series != null }

/** Offer a network that has come; none where null. */
internal fun Table.offer(found: Newcomer?) {
    if (found?.bundle?.entry?.name == newcomer?.bundle?.entry?.name) return
    newcomer = found
    show()
}

/**
 * A game of its own that begins with the position that is shown, against the network that has come; the library has it then.
 * null if nothing was played yet. This game stays as it is.
 */
fun Table.playOnAgainst(taken: Newcomer): GameRecord? {
    val shown = (line?.session ?: session.shorten(session.ply)).takeOver()
    val kept = Kept(shown, settings, shown.newIdentity())
    if (!kept.isBegun) return null
    return shelve(kept, taken.bundle, taken.choices.strength).also { opened.library.keep(it) }
}
