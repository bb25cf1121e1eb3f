package org.azx.app.screens.play

import android.view.HapticFeedbackConstants
import android.view.View
import org.azx.app.play.Preferences
import org.azx.app.play.Session
import org.azx.app.play.Sound
import org.azx.app.play.toneBetween

/** Tones and ticks of moves: a tone if the person wants them, a tick if the system allows it. */
class Effects(private val view: View) {
    private var known: Session? = null

    /** Hear of the session that is shown now. */
    fun show(session: Session) {
        val before = known ?: session
        known = session
        if (session === before) return
        val tone = toneBetween(before, session) ?: return
        if (session.hasPerson) view.performHapticFeedback(HapticFeedbackConstants.VIRTUAL_KEY)
        if (Preferences.of(view.context).hasSound) Sound.play(tone)
    }
}
