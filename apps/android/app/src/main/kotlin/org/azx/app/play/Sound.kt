/** What is heard of a game: short tones that are computed here. */
package org.azx.app.play

import android.media.AudioAttributes
import android.media.AudioFormat
import android.media.AudioTrack
import org.azx.app.engine.State
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Go
import java.util.concurrent.Executors
import kotlin.math.PI
import kotlin.math.exp
import kotlin.math.min
import kotlin.math.sin

private const val RATE = 22050

/** A tone of `frequency` hertz that begins after `start` seconds and fades over `length` seconds. */
private class Note(val frequency: Double, val start: Double, val length: Double)

/** What a move sounds like, or the end of a game. */
enum class Tone(private val notes: List<Note>) {
    PLACE(listOf(Note(620.0, 0.0, 0.09))),
    CAPTURE(listOf(Note(620.0, 0.0, 0.09), Note(930.0, 0.07, 0.12))),
    END(listOf(Note(523.25, 0.0, 0.25), Note(659.25, 0.14, 0.25), Note(783.99, 0.28, 0.4))),
    ;

    /** The tone at `RATE` samples a second, 16 bits each. */
    fun samples(): ShortArray {
        val sum = DoubleArray((RATE * notes.maxOf { it.start + it.length }).toInt())
        for (note in notes) add(note, sum)
        return ShortArray(sum.size) { (sum[it].coerceIn(-1.0, 1.0) * Short.MAX_VALUE).toInt().toShort() }
    }

    private fun add(note: Note, sum: DoubleArray) {
        val (first, count) = (note.start * RATE).toInt() to (note.length * RATE).toInt()
        for (at in 0 until min(count, sum.size - first)) {
            val time = at.toDouble() / RATE
            // Neither end of a tone jumps: that would click.
            val swell = min(1.0, time / ATTACK)
            val fade = exp(-5 * time / note.length) * (1 - at.toDouble() / count)
            sum[first + at] += LOUDNESS * swell * fade * sin(2 * PI * note.frequency * time)
        }
    }

    private companion object {
        const val ATTACK = 0.004
        const val LOUDNESS = 0.45
    }
}

/** What the moves between two sessions sound like; null if none was made. */
fun toneBetween(before: Session, after: Session): Tone? {
    val new = after.states.drop(before.states.size)
    return when {
        new.isEmpty() || after.states[before.states.size - 1] !== before.latest -> null
        after.latest.isTerminal -> Tone.END
        new.any(::isCapture) -> Tone.CAPTURE
        else -> Tone.PLACE
    }
}

private fun isCapture(state: State): Boolean = when (state) {
    is Go -> state.captured.isNotEmpty()
    is DotsAndBoxes -> state.completed.isNotEmpty()
    else -> false
}

/** Plays tones on a thread of its own, unless a test puts something else there. */
object Sound {
    var play: (Tone) -> Unit = ::enqueue
    private val thread by lazy { Executors.newSingleThreadExecutor { Thread(it, "azx sound") } }

    private fun enqueue(tone: Tone) = thread.execute { sound(tone.samples()) }

    private fun sound(samples: ShortArray) {
        val track = try {
            trackFor(samples)
        } catch (_: UnsupportedOperationException) {
            // A device that has no track for it stays silent.
            return
        }
        try {
            track.write(samples, 0, samples.size)
            track.play()
            Thread.sleep(1000L * samples.size / RATE + REST_MILLISECONDS)
        } catch (_: IllegalStateException) {
            // The same, of a track that could not be made ready.
        } finally {
            track.release()
        }
    }

    private fun trackFor(samples: ShortArray): AudioTrack {
        val attributes = AudioAttributes.Builder()
            .setUsage(AudioAttributes.USAGE_GAME)
            .setContentType(AudioAttributes.CONTENT_TYPE_SONIFICATION)
            .build()
        val format = AudioFormat.Builder()
            .setSampleRate(RATE)
            .setEncoding(AudioFormat.ENCODING_PCM_16BIT)
            .setChannelMask(AudioFormat.CHANNEL_OUT_MONO)
            .build()
        return AudioTrack.Builder().setAudioAttributes(attributes).setAudioFormat(format)
            .setTransferMode(AudioTrack.MODE_STATIC).setBufferSizeInBytes(2 * samples.size).build()
    }

    private const val REST_MILLISECONDS = 60L
}
