package org.azx.app.screens.self_test

import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Problem
import org.azx.app.bundle.SMALL
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.countQuestions
import org.azx.app.screens.idle
import org.azx.app.screens.press
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import java.io.File
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** The self-test's screen, with the real networks. */
class SelfTestScreenTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private fun SelfTestActivity.figures(): List<String> = findViewById<ViewGroup>(R.id.results).run {
        (1 until childCount).map { getChildAt(it).findViewById<TextView>(R.id.figure).text.toString() }
    }

    @Test
    fun `it passes, tells its figures and shares them`() {
        val activity = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "connect4")).get()
        assertTrue(activity.findViewById<View>(R.id.testing).isShown)
        await("the self-test") { !activity.isBusy }
        assertEquals("Passed", activity.text(R.id.verdict))
        assertEquals("Self-test of Four in a row", activity.title.toString())
        val recorded = activity.text(R.id.proof)
        val wanted = Regex("Recorded by .* and not checked here: .+\\.")
        assertTrue(recorded, wanted.matches(recorded))
        assertEquals("TensorFlow Lite 2.6.2, CPU, 1 thread", activity.figures()[0])
        val figures = activity.figures().drop(1).also { assertEquals(6, it.size) }
        val (error, best, p50, p90, evaluations, playouts) = figures
        assertTrue(error, error.toDouble() < 1e-4)
        assertEquals("20 of 20", best)
        assertTrue(p50.toDouble() > 0 && p90.toDouble() >= p50.toDouble())
        assertTrue(evaluations.filter { it.isDigit() }.toInt() > 10)
        assertTrue(playouts.filter { it.isDigit() }.toInt() > 10)
        activity.press(R.id.share)
        val chooser = checkNotNull(shadowOf(activity).nextStartedActivity)

        @Suppress("DEPRECATION")
        val send = checkNotNull(chooser.getParcelableExtra<Intent>(Intent.EXTRA_INTENT))
        assertEquals(Intent.ACTION_SEND to "text/plain", send.action to send.type)
        val text = checkNotNull(send.getStringExtra(Intent.EXTRA_TEXT))
        assertTrue(text, text.startsWith("azx self-test: PASS\n"))
        assertNotNull(text, Regex("Playouts a second: \\d+").find(text))
    }

    private operator fun <Item> List<Item>.component6(): Item = this[5]

    @Test
    fun `it runs for what cannot be played, without playouts`() {
        install(temporary.root) { put(File(SMALL, "two_inputs"), listOf(Problem("no_game"))) }
        val activity = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "two_inputs")).get()
        await("the self-test") { !activity.isBusy }
        assertEquals("Passed", activity.text(R.id.verdict))
        assertEquals("Self-test of two_inputs", activity.title.toString())
        val (error, best, p50) = activity.figures().drop(1)
        assertTrue(error, error.toDouble() < 1e-4)
        assertEquals("20 of 20", best)
        assertTrue(p50.toDouble() >= 0)
        assertEquals("–", activity.figures().last())
    }

    @Test
    fun `where it cannot run a sentence says why`() {
        install(temporary.root) {
            put(File(SMALL, "two_inputs"), null, "two_inputs", "golden.json" to "silver.json")
        }
        val activity = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "two_inputs")).get()
        await("the refusal") { !activity.isBusy }
        val why = "its manifest does not list 'golden.json': export the bundle again."
        assertEquals("Bundle 'two_inputs': $why", activity.text(R.id.sentence))
    }

    @Test
    fun `leaving ends it, and it can be made again`() {
        // The network answers once the screen is left: it could be through before.
        val left = CountDownLatch(1)
        watch { left.await(5, TimeUnit.MINUTES) }
        val controller = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "tictactoe"))
        val activity = controller.get()
        controller.pause().stop()
        left.countDown()
        val before = countQuestions()
        await("the end") { !activity.isBusy }
        assertTrue("it did not go on", countQuestions() - before < 10)
        controller.restart().start().resume()
        idle()
        assertEquals("The self-test was stopped.", activity.text(R.id.sentence))
        assertFalse(activity.findViewById<View>(R.id.share).isShown)
        activity.press(R.id.again)
        await("the self-test") { !activity.isBusy }
        assertEquals("Passed", activity.text(R.id.verdict))
    }

    @Test
    fun `a bundle that cannot be opened is said`() {
        val activity = start(SelfTestActivity::class.java, SelfTestActivity.intent(app, "chess")).get()
        await("the refusal") { !activity.isBusy }
        assertTrue(activity.findViewById<View>(R.id.alert).isShown)
        assertTrue(activity.text(R.id.sentence), activity.text(R.id.sentence).contains("'chess'"))
    }
}
