/** Networks that come while a game is on the board. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.engine.records.GameRecord

/** A network that has come, and what a person has chosen for its games. */
class Newcomer(val bundle: Bundle, val choices: Choices)

/**
 * The bundle that a person has opened last since `opened` was, if it plays on the board of `record` and has another
 * network; else null. Reads the disk.
 */
fun newcomerOf(context: Context, opened: Opened, record: GameRecord): Newcomer? = allBundles(context)
    .filter { it.entry.isGiven && it.entry.name !in opened.known }
    .mapNotNull { runCatching { it.open(context) }.getOrNull() }
    .lastOrNull { it.problems.isEmpty() && it.readingOrNull?.plays(record) == true && it.hash != opened.bundle.hash }
    ?.let { Newcomer(it, Memory(context, it.entry.name).choices) }

private val Bundle.hash: String? get() = manifest.artifact?.let { manifest.fileOf(it).sha256 }
