package org.azx.app.play

import android.content.Context
import android.net.Uri
import org.azx.app.engine.records.GameRecord

/**
 * Reads and writes files for a library's screen. The screen hands it on to the next one when the device is turned. Use it
 * from the main thread.
 */
class Errands(context: Context) {
    private val app = context.applicationContext
    private val worker = Worker("azx library files")

    /** What `undo` of the screen brings back. */
    var deleted: GameRecord? = null

    /** Hears that an answer has come. */
    var onAnswer: () -> Unit = {}

    /** The last answer, until somebody has read it: games that were read, or why a file was refused. */
    var answer: Result<Imported>? = null
        private set

    /** How many answers are outstanding. */
    val awaited: Int get() = worker.awaited

    fun takeGames(file: Uri) = worker.ask({ takeGames(app, file) }, ::hear)

    /** A file that was written says nothing. */
    fun giveGames(file: Uri) = worker.ask({ giveGames(app, file) }) { written ->
        written.onFailure { hear(Result.failure(it)) }
    }

    private fun hear(answer: Result<Imported>) {
        this.answer = answer
        onAnswer()
    }

    /** The answer has been read. */
    fun read() {
        answer = null
    }

    /** Answers are no longer wanted; what is under way still ends. */
    fun close() {
        onAnswer = {}
        worker.close()
    }
}
