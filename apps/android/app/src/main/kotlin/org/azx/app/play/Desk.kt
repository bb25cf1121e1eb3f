package org.azx.app.play

import android.content.Context
import android.net.Uri
import android.os.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Entry
import org.azx.app.engine.records.RecordError
import java.util.UUID
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** What came of something that a list of games has asked for. */
sealed class Come {
    /** The text of the record that was to be opened; null if it was none. */
    internal var record: String? = null

    /** A bundle that is now in the list. */
    class Kept(val entry: Entry) : Come()

    /** The game of a record. */
    class Shown(val game: RecordGame) : Come()

    /** The games of a .zip, which are in the library now. */
    class Games(val imported: Imported) : Come()

    /** Why a record or a bundle was not opened, or a bundle not removed. */
    class Refused(val error: Throwable, val isRecord: Boolean) : Come()

    /** What was being opened when the app was ended. */
    class Lost : Come()
}

/**
 * Opens bundles and records and removes bundles, for a list of games. A screen hands it on to the next one when the device
 * is turned. Use it from the main thread.
 */
class Desk private constructor(context: Context) {
    private val app = context.applicationContext
    private val worker = Worker("azx opening")
    private val come = ArrayDeque<Come>()
    private val name = UUID.randomUUID().toString()

    // What is being opened: a record's text, or null.
    private val underWay = ArrayDeque<String?>()

    /** Hears that something was begun, has come or was read. */
    var onChange: () -> Unit = {}

    /** Hears that the list of bundles has changed. */
    var onBundles: () -> Unit = {}

    /** The first answer that was not read yet; null if all were. */
    val next: Come? get() = come.firstOrNull()

    /** How much is under way. */
    val openings: Int get() = underWay.size

    /** How many answers are outstanding. */
    val awaited: Int get() = worker.awaited

    init {
        desks += this
        worker.ask({ sweepIfAlone() }) {}
    }

    /** While another desk takes a bundle, unfinished files belong to it. */
    private fun sweepIfAlone() {
        if (!lock.tryLock()) return
        try {
            sweep(app)
        } finally {
            lock.unlock()
        }
    }

    fun openFolder(folder: Uri) = open(null) { kept { takeFolder(app, folder) } }

    fun openZip(file: Uri) = open(null) { unpack(file) }

    /** Open a file that another app hands over: the .zip of a bundle or of games, or a record. */
    fun openFile(file: Uri) = open(null) {
        recordIn(app, file)?.let { Come.Shown(recordGame(app, it)) } ?: unpack(file)
    }

    /** Say that what was dropped holds no file and no text. */
    fun openNothing() = open(null) { throw BundleError("given_nothing") }

    private fun unpack(file: Uri): Come =
        if (holdsGames(app, file)) Come.Games(takeGames(app, file)) else kept { takeZip(app, file) }

    fun openRecord(text: String) = open(text) { Come.Shown(recordGame(app, text)) }

    private fun kept(take: () -> String): Come {
        val name = lock.withLock(take)
        return Come.Kept(allBundles(app).first { it.entry.name == name }.entry)
    }

    private fun open(record: String?, make: () -> Come) {
        underWay += record
        worker.ask(make) { answer ->
            underWay.removeFirst()
            val made = answer.getOrElse { Come.Refused(it, isRecord = record != null || it is RecordError) }
            made.record = record
            come += made
            if (made is Come.Kept) tellOfBundles()
            onChange()
        }
        onChange()
    }

    /** Remove a bundle with its game. */
    fun remove(name: String) = worker.ask({ forget(app, name) }) { answer ->
        answer.onFailure { come += Come.Refused(it, isRecord = false) }
        tellOfBundles()
        onChange()
    }

    /** What came first has been read. */
    fun read() {
        come.removeFirstOrNull()
        onChange()
    }

    /** Save what the next screen needs to find this desk, or to open the same records again. */
    fun save(state: Bundle) {
        if (openings == 0 && come.isEmpty()) return
        val asked = underWay + come.map { it.record }
        val again = asked.filterNotNull().filter { it.length < MOST_SAVED_TEXT }
        state.putString(NAME, name)
        state.putStringArray(AGAIN, again.toTypedArray())
        state.putBoolean(LOST, again.size < asked.size)
    }

    /** The screen is gone: for good, or until it comes back with its saved state. */
    fun leave(isForGood: Boolean) {
        onChange = {}
        onBundles = {}
        if (!isForGood && (openings > 0 || come.isNotEmpty())) return
        desks -= this
        // What is under way goes on to its end.
        worker.close()
    }

    companion object {
        private const val NAME = "desk"
        private const val AGAIN = "desk again"
        private const val LOST = "desk lost"

        // Those of all lists: several may be open, as other apps hand over records and bundles too.
        private var desks = emptyList<Desk>()

        // Bundles are taken one at a time: all are first written to the same folder.
        private val lock = ReentrantLock()

        /**
         * The desk of a screen that was ended with this saved state, or a new one. If the whole app was ended, the new desk
         * opens its records again and reports anything else as lost.
         */
        fun of(context: Context, state: Bundle?): Desk {
            val name = state?.getString(NAME) ?: return Desk(context)
            return desks.find { it.name == name } ?: Desk(context).also { desk ->
                if (state.getBoolean(LOST)) desk.come += Come.Lost()
                for (text in state.getStringArray(AGAIN).orEmpty()) desk.openRecord(text)
            }
        }

        private fun tellOfBundles() {
            for (desk in desks) desk.onBundles()
        }
    }
}
