package org.azx.app.screens

import android.app.Activity
import org.azx.app.R
import org.azx.app.engine.records.RecordError
import org.azx.app.play.Kept
import org.azx.app.play.Opened
import org.azx.app.play.failureOf
import org.azx.app.play.recordText
import org.azx.app.play.table.Table

/** Why a text is no record of a game that can be shown. */
fun Words.sentence(error: RecordError): String {
    val what = when (error.kind) {
        RecordError.Kind.ILLEGAL -> reason(checkNotNull(error.reason))
        RecordError.Kind.NO_NETWORK -> say(presentationOf(error.what).title)
        else -> error.what
    }
    return say(error.kind.key, listOfNotNull(error.move, what))
}

/** The sentence for an error, that of a record or any other. */
fun Words.sentence(error: Throwable): String = if (error is RecordError) sentence(error) else text(failureOf(error))

/** Hand the game of a table to another app, as a text. */
fun shareGame(activity: Activity, table: Table, opened: Opened) {
    val names = activity.getString(R.string.you) to activity.getString(R.string.ai)
    activity.share(recordText(opened, Kept(table.session, table.settings, table.identity), names), R.string.share_game)
}
