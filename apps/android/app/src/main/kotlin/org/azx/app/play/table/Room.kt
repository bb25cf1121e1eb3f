package org.azx.app.play.table

import android.content.Context
import org.azx.app.bundle.Text
import org.azx.app.engine.records.GameRecord
import org.azx.app.play.Opened
import org.azx.app.play.Wanted
import org.azx.app.play.Warmth
import org.azx.app.play.Worker
import org.azx.app.play.failureOf
import org.azx.app.play.newcomerOf
import org.azx.app.play.open

/** A bundle being opened, then its table. A screen hands it on to the next one when the device is turned. */
class Room(context: Context, name: String, wanted: Wanted) {
    val worker = Worker("azx table")

    /** Hears that the table is ready, or failed to become so, or has changed. */
    var onChange: () -> Unit = {}

    /** The bundle that was opened; null until it was. */
    var opened: Opened? = null
        private set
    var table: Table? = null
        private set

    /** Why the bundle cannot be played; null if it can. */
    var failure: Text? = null
        private set

    // The game of a table whose network could not be opened.
    private var left: GameRecord? = null

    /** The game on the table; null if there is none. */
    val record: GameRecord? get() = table?.record ?: left

    /** How warm the device is. */
    var warmth = Warmth.FINE
        set(found) {
            field = found
            table?.warmth = found
            if (table != null) onChange()
        }
    private var isVisible = false
    private var isClosed = false

    // The screen may be gone before the bundle is open.
    private val app = context.applicationContext

    init {
        worker.ask({ open(app, name, wanted) }) { answer -> answer.fold(::ready) { fail(failureOf(it)) } }
    }

    private fun ready(found: Opened) {
        if (isClosed) return found.network.close()
        opened = found
        worker.ask({ found.network.open() }) { answer -> answer.fold({ onChange() }, { fail(failureOf(it)) }) }
        table = Table(found, worker).also {
            it.onChange = { onChange() }
            it.warmth = warmth
            if (isVisible) it.resume()
        }
        onChange()
    }

    /** Without its network the table closes; what was played meanwhile is in the library. */
    private fun fail(why: Text) {
        failure = why
        left = table?.record
        table?.close()
        table = null
        onChange()
    }

    /** The screen is visible, so the network may think. */
    fun enter() {
        isVisible = true
        table?.resume()
    }

    /** Look for a new network for this board. */
    fun lookForNewcomer() {
        val (found, sat) = (opened ?: return) to (table ?: return)
        val record = sat.record
        worker.ask({ newcomerOf(app, found, record) }) { answer ->
            if (table === sat) answer.onSuccess(sat::offer)
        }
    }

    fun leave() {
        isVisible = false
        table?.leave()
    }

    fun close() {
        isClosed = true
        table?.close() ?: worker.close()
    }
}
