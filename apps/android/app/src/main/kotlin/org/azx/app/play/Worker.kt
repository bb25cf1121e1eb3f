package org.azx.app.play

import android.os.Handler
import android.os.Looper
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Text
import org.azx.app.engine.GameError
import java.util.concurrent.Executors

/** One thread for slow work, and the way back to the main thread. Use it from the main thread. */
class Worker(name: String) {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, name) }
    private val main = Handler(Looper.getMainLooper())

    /** How many answers are outstanding. */
    var awaited = 0
        private set

    /** Do `work` after earlier work; `answer` gets its result on the main thread. A closed worker does nothing. */
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

    /** Do something on the main thread after this many milliseconds. */
    fun later(milliseconds: Long, act: () -> Unit) {
        main.postDelayed(act, milliseconds)
    }

    /** End the thread after the work that was asked for, and `last`. */
    fun close(last: () -> Unit = {}) {
        if (thread.isShutdown) return
        thread.execute(last)
        thread.shutdown()
    }
}

private const val FAILED = "error_failed"

/** Whether another try may succeed. What a bundle lacks will still be missing then. */
val Text.mayPass: Boolean get() = key == FAILED

/** The text of an error for a person: its own, or one around the error's message. */
fun failureOf(error: Throwable): Text {
    if (error is BundleError) return error.text
    val name = error.javaClass.simpleName.takeIf { error !is GameError }
    return Text(FAILED, listOfNotNull(name, error.message).joinToString(": ").trimEnd('.'))
}
