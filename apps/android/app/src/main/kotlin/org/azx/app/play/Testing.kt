package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Text

/** Self-tests of a bundle, one at a time. A screen hands it on to the next one when the device is turned. */
class Testing(context: Context, private val name: String) {
    val worker = Worker("azx self-test")
    var onChange: () -> Unit = {}

    /** What the last test has found; null if it has not ended, was stopped or failed. */
    var tested: Tested? = null
        private set

    /** Why the test could not be made; null if it could. */
    var failure: Text? = null
        private set
    var isRunning = false
        private set

    /** The bundle that is tested; null until it was opened. */
    var bundle: Bundle? = null
        private set
    private val app = context.applicationContext

    // The test that is under way, which another thread begins.
    @Volatile
    private var test: SelfTest? = null

    @Volatile
    private var isStopped = false

    fun start(device: String) {
        if (isRunning) return
        isRunning = true
        isStopped = false
        tested = null
        failure = null
        onChange()
        worker.ask({ run(device) }) { answer ->
            isRunning = false
            answer.fold({ tested = it }) { failure = failureOf(it) }
            onChange()
        }
    }

    private fun run(device: String): Tested? {
        val opened = bundleOf(app, name)
        worker.tell {
            bundle = opened
            onChange()
        }
        return Assets.network(opened).use { network ->
            val made = SelfTest(opened, network).also { test = it }
            if (isStopped) null else made.run(device)
        }
    }

    /** End the test that is under way; it has no result then. */
    fun stop() {
        isStopped = true
        test?.cancel()
    }

    fun close() {
        stop()
        worker.close()
    }
}
