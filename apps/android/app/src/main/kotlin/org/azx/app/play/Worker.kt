package org.azx.app.play

import android.os.Handler
import android.os.Looper
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Text
import org.azx.app.engine.GameError
import java.util.concurrent.Executors

/** One thread for whatever takes long, and the way back to the main thread. Use it from the main thread. */
class Worker(name: String) {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, name) }
    private val main = Handler(Looper.getMainLooper())

    /** How many answers are still to come. */
    var awaited = 0
        private set

    /** Do `work` after what was asked before; `answer` hears of it on the main thread. Nothing once it is closed. */
    fun <Answer> ask(work: () -> Answer, answer: (Result<Answer>) -> Unit) {
        if (thread.isShutdown) return
        awaited++
        thread.execute {
            val result = runCatching(work)
            main.post {
                awaited--
                answer(result)
            }
        }
    }

    /** Say something to the main thread, from any thread. */
    fun tell(message: () -> Unit) {
        main.post(message)
    }

    /** Do something on the main thread after so many milliseconds. */
    fun later(milliseconds: Long, act: () -> Unit) {
        main.postDelayed(act, milliseconds)
    }

    /** End the thread after what was asked before and `last`. */
    fun close(last: () -> Unit = {}) {
        if (thread.isShutdown) return
        thread.execute(last)
        thread.shutdown()
    }
}

private const val FAILED = "error_failed"

/** Whether what went wrong may go well the next time. What a bundle lacks it lacks then, too. */
val Text.mayPass: Boolean get() = key == FAILED

/** What a person is told of an error: its own text, or one around what the error says. */
fun failureOf(error: Throwable): Text {
    if (error is BundleError) return error.text
    val name = error.javaClass.simpleName.takeIf { error !is GameError }
    return Text(FAILED, listOfNotNull(name, error.message).joinToString(": ").trimEnd('.'))
}
