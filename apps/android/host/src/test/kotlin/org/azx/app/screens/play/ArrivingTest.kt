package org.azx.app.screens.play

import android.view.View
import org.azx.app.R
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.engine.review.Phase
import org.azx.app.network.Network
import org.azx.app.play.Assets
import org.azx.app.screens.Stage
import org.azx.app.screens.assertPhase
import org.azx.app.screens.await
import org.azx.app.screens.isSeen
import org.azx.app.screens.play
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.android.controller.ActivityController
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicBoolean

/** A network that is longer on its way than its board. */
class ArrivingTest : Stage() {
    private val gate = CountDownLatch(1)

    /** A screen whose board is there, and whose network, `opened` from its bundle, waits for the gate. */
    private fun board(opened: (Bundle) -> Network): ActivityController<PlayActivity> {
        Assets.network = { bundle -> opened(bundle.also { gate.await() }) }
        choose("tictactoe")
        val controller = start(PlayActivity::class.java, PlayActivity.intent(app, "tictactoe"))
        val activity = controller.get()
        await("the board") { activity.table != null }
        assertTrue(activity.findViewById<View>(R.id.play).isShown)
        assertFalse(activity.findViewById<View>(R.id.opening).isShown)
        assertFalse("nothing runs it yet", activity.isSeen(R.id.runs_on_part))
        activity.tap(4)
        assertEquals(listOf(4), activity.play.session.actions)
        return controller
    }

    @Test
    fun `is waited for by its answer alone`() {
        val activity = board(Assets.network).get()
        activity.assertPhase(Phase.THEIRS)
        gate.countDown()
        settle(activity)
        activity.assertPhase(Phase.YOURS)
        assertEquals(2, activity.play.session.moves)
        assertTrue(activity.isSeen(R.id.runs_on))
        val runs = Regex("TensorFlow Lite \\d+\\.\\d+\\.\\d+, CPU, 1 thread")
        assertTrue(activity.text(R.id.runs_on), runs.matches(activity.text(R.id.runs_on)))
    }

    @Test
    fun `and cannot be opened is said, and what was played is in the library`() {
        val activity = board { throw BundleError("error_no_number", "tictactoe") }.get()
        gate.countDown()
        settle(activity)
        assertEquals(activity.getString(R.string.cannot_open), activity.text(R.id.alert_title))
        for (gone in listOf(R.id.play, R.id.begin_again)) assertFalse(activity.findViewById<View>(gone).isShown)
        assertEquals(listOf(listOf(4)), library.list().map { it.actions })
    }

    @Test
    fun `is closed as it comes where the screen was left meanwhile`() {
        val (real, isClosed) = Assets.network to AtomicBoolean()
        val controller = board { bundle ->
            val network = real(bundle)
            object : Network by network {
                override fun close() = network.close().also { isClosed.set(true) }
            }
        }
        controller.pause().stop().destroy()
        gate.countDown()
        await("its end") { isClosed.get() }
    }
}
