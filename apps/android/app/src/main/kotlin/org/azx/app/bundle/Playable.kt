/**
 * Whether this app can play a bundle, in the clauses of the index.
 *
 * They are those of bundle/playable.py, whose judgement the index has; this one is for the index of an older azx, and
 * for what another app's azx knows and this app does not.
 */
package org.azx.app.bundle

import org.azx.app.engine.GameError
import org.azx.app.engine.Reading
import org.azx.app.engine.fromManifest
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.engine.sizeOf

/** The clauses, with `%s` for what differs. */
object Clauses {
    const val NO_GAME = "it has no known game"
    const val INPUTS = "its network has %s inputs, and the apps play those with one"
    const val UNKNOWN_GAME = "its game, '%s', is none that the apps know"
    const val NO_ENCODING = "what its network reads is not described"
    const val UNREADABLE = "what its network reads is not described so that it can be drawn (%s)"
    const val SIZE = "its encoding makes %s numbers and its network reads %s"
    const val NO_HEADS = "it has neither a policy nor a value"
    const val BATCH = "its artifacts take %s positions at a time, and the apps give them one"

    // These are this app's own.
    const val UNREADABLE_VALUE = "its value is not described so that it can be read (%s)"
    const val NO_ARTIFACT = "it was installed without its TFLite artifact, which is what an Android app loads"
    const val NO_GOLDEN = "it has no golden.json"
}

/** How a bundle is played; or why it cannot be, a clause each, and then `reading` is null. */
internal class Judged(val reading: Reading?, val problems: List<String>)

/** What is known of a bundle by the index and by its own manifest. */
internal fun judge(entry: Entry, manifest: Manifest): Judged {
    val own = ArrayList<String>()
    val reading = readingOf(manifest, own)
    if (manifest.inputs.size != 1) own += Clauses.INPUTS.format(manifest.inputs.size)
    if (manifest.outputs.none { it.role != Role.OTHER }) own += Clauses.NO_HEADS
    if (manifest.rows != 1) own += Clauses.BATCH.format(manifest.rows)
    try {
        manifest.outputWith(Role.VALUE)?.valueHead
    } catch (error: GameError) {
        own += Clauses.UNREADABLE_VALUE.format(reasonOf(error))
    }
    val problems = entry.problems.orEmpty().ifEmpty { own } +
        if (hasArtifact(entry, manifest)) emptyList() else listOf(Clauses.NO_ARTIFACT)
    return Judged(reading.takeIf { problems.isEmpty() }, problems)
}

/** The network's file may be another platform's alone. */
internal fun hasArtifact(entry: Entry, manifest: Manifest): Boolean =
    manifest.artifact != null && (entry.format == null || entry.format == FORMAT)

/** How the game is read; null where it cannot be, and then why is one of the `problems`. */
private fun readingOf(manifest: Manifest, problems: MutableList<String>): Reading? {
    val game = manifest.game
    when {
        game.isNullOrEmpty() -> problems += Clauses.NO_GAME
        game !in GAMES -> problems += Clauses.UNKNOWN_GAME.format(game)
        manifest.members["encoding"] == null -> problems += Clauses.NO_ENCODING
        else -> return described(manifest, problems)
    }
    return null
}

private fun described(manifest: Manifest, problems: MutableList<String>): Reading? {
    val reading = try {
        fromManifest(manifest.members, manifest.outputWith(Role.POLICY)?.size, ::byName)
    } catch (error: GameError) {
        problems += Clauses.UNREADABLE.format(reasonOf(error))
        return null
    }
    val (made, read) = sizeOf(reading.encoding) to (manifest.inputs.singleOrNull() ?: return reading).size
    if (made != read) problems += Clauses.SIZE.format(made, read)
    return reading
}

private fun reasonOf(error: GameError): String = error.message.orEmpty().trimEnd('.')
