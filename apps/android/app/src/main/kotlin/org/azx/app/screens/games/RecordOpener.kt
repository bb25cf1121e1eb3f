package org.azx.app.screens.games

import android.app.Activity
import android.app.AlertDialog
import android.text.InputType
import android.view.Gravity
import android.widget.EditText
import org.azx.app.R
import org.azx.app.engine.records.RecordError
import org.azx.app.play.RecordGame
import org.azx.app.play.Worker
import org.azx.app.play.failureOf
import org.azx.app.play.recordGame
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Words
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.sentence

/** Opens the record of a game: one that a person pastes, or that another app has shared. */
class RecordOpener(activity: Activity, private val worker: Worker) : Dialogs(activity) {
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
        show(words.say(R.string.open_game_about)) {
            setView(field)
            setPositiveButton(R.string.open_it) { _, _ -> open(field.text.toString()) }
            setNegativeButton(R.string.cancel, null)
        }
    }

    /** Show the game of a text, or say why there is none. */
    fun open(text: String) {
        val app = activity.applicationContext
        worker.ask({ recordGame(app, text) }) { answer ->
            answer.fold(::show, ::refuse)
        }
    }

    /** Show a record's game; asks first where one under way would be lost by it. */
    private fun show(game: RecordGame) {
        if (!game.isInPlace) return start(game)
        show(words.say(R.string.new_game_about)) {
            setTitle(R.string.new_game_title)
            setPositiveButton(R.string.open_it) { _, _ -> start(game) }
            setNegativeButton(R.string.cancel, null)
        }
    }

    private fun start(game: RecordGame) = activity.startActivity(PlayActivity.intent(activity, game))

    private fun refuse(error: Throwable) {
        if (activity.isFinishing) return
        val sentence = (error as? RecordError)?.let(words::sentence) ?: words.text(failureOf(error))
        show(sentence) { setPositiveButton(android.R.string.ok, null) }
    }

    private fun show(message: String, more: AlertDialog.Builder.() -> Unit) =
        show { setTitle(R.string.open_game).setMessage(message).apply(more) }

    private companion object {
        const val LINES = 5
    }
}
