package org.azx.app.screens.games

import android.app.Activity
import android.content.Intent
import android.text.InputType
import android.view.Gravity
import android.widget.EditText
import org.azx.app.R
import org.azx.app.play.Come
import org.azx.app.play.Desk
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Words
import org.azx.app.screens.library.LibraryActivity
import org.azx.app.screens.library.Telling
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.sentence

/** Asks for the record of a game. Shows the game of an opened record, or says why there is none. */
class RecordOpener(activity: Activity, private val desk: Desk) : Dialogs(activity) {
    private val words = Words(activity.resources)

    fun ask() {
        val field = EditText(activity).apply {
            id = R.id.record
            inputType = InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_FLAG_MULTI_LINE or
                InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS
            gravity = Gravity.TOP or Gravity.START
            minLines = LINES
            maxLines = LINES
            hint = words.say(R.string.open_game_text)
        }
        show {
            setTitle(R.string.open_game)
            setMessage(R.string.open_game_about)
            setView(field)
            setPositiveButton(R.string.open_it) { _, _ -> desk.openRecord(field.text.toString()) }
            setNegativeButton(R.string.cancel, null)
        }
    }

    /** Show a record's game. */
    fun tell(come: Come.Shown) {
        activity.startActivity(PlayActivity.intent(activity, come.game))
        desk.read()
    }

    /** Say how many games have come, and show the library. */
    fun tell(come: Come.Games) = show {
        setTitle(R.string.library)
        setMessage(Telling(activity.resources).imported(come.imported))
        setPositiveButton(android.R.string.ok) { _, _ ->
            activity.startActivity(Intent(activity, LibraryActivity::class.java))
            desk.read()
        }
        setOnCancelListener { desk.read() }
    }

    fun tell(come: Come.Refused) = tell(words.sentence(come.error), R.string.open_game, desk::read)

    private companion object {
        const val LINES = 5
    }
}
