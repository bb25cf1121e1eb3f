/** What is said of records. */
package org.azx.app.screens

import android.app.Activity
import android.content.Intent
import org.azx.app.R
import org.azx.app.engine.records.RecordError
import org.azx.app.play.Opened
import org.azx.app.play.recordText
import org.azx.app.play.table.Table

/** Why a text is no record of a game that can be shown. */
fun Words.sentence(error: RecordError): String {
    val move = error.move ?: 0
    return when (error.kind) {
        RecordError.Kind.NONE -> say(R.string.record_none)
        RecordError.Kind.TOO_LARGE -> say(R.string.record_too_large)
        RecordError.Kind.TOO_LONG -> say(R.string.record_too_long)
        RecordError.Kind.NO_SGF -> say(R.string.record_no_sgf)
        RecordError.Kind.OTHER_GAME -> say(R.string.record_other_game)
        RecordError.Kind.SETUP -> say(R.string.record_setup)
        RecordError.Kind.SETTINGS -> say(R.string.record_settings, error.what)
        RecordError.Kind.UNKNOWN_MOVE -> say(R.string.record_unknown_move, move, error.what)
        RecordError.Kind.TURN -> say(R.string.record_turn, move)
        RecordError.Kind.ILLEGAL ->
            say(R.string.record_illegal, move, reason(checkNotNull(error.reason), checkNotNull(error.state)))
        RecordError.Kind.AFTER_END -> say(R.string.record_after_end, move)
        RecordError.Kind.NO_NETWORK -> say(R.string.record_no_network, say(presentationOf(error.what).title))
    }
}

/** Hand the game of a table to another app, as a text. */
fun shareGame(activity: Activity, table: Table, opened: Opened) {
    val names = activity.getString(R.string.you) to activity.getString(R.string.ai)
    val text = recordText(opened, table.session, table.settings, names)
    val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
    activity.startActivity(Intent.createChooser(send, activity.getString(R.string.share_game)))
}
