/**
 * Whether this app can play a bundle.
 *
 * The index and the manifest have the problems that bundle/contents/playable.py finds. This app looks for them as well, for
 * bundles of an older azx, and adds those that are its own.
 */
package org.azx.app.bundle

import org.azx.app.engine.GameError
import org.azx.app.engine.Reading
import org.azx.app.engine.faultIn
import org.azx.app.engine.fromManifest
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName

/** How a bundle is played; or why it cannot be, and then `reading` is null. */
internal class Judged(val reading: Reading?, val problems: List<Problem>)

/** What is known of a bundle by the index and by its own manifest. */
internal fun judge(entry: Entry, manifest: Manifest): Judged {
    val own = ArrayList<Problem>()
    val reading = readingOf(manifest, own)
    val hasBeside = (manifest.members["encoding"] as? Map<*, *>)?.get("beside") is Map<*, *>
    if (manifest.inputs.size != (if (hasBeside) 2 else 1)) own += Problem("inputs", manifest.inputs.size)
    if (manifest.outputs.none { it.role != Role.OTHER }) own += Problem("no_heads")
    if (manifest.rows != 1) own += Problem("batch", manifest.rows)
    val search = manifest.members["search"]
    if (search != null) faultIn(search)?.let { own += Problem("search", it) }
    try {
        manifest.outputWith(Role.VALUE)?.valueHead
    } catch (error: GameError) {
        own += Problem("unreadable_value", reasonOf(error))
    }
    val none = if (hasArtifact(entry, manifest)) emptyList() else listOf(Problem("no_artifact"))
    val problems = (own + entry.problems + manifest.problems + none).distinctBy { it.code }
    return Judged(reading.takeIf { problems.isEmpty() }, problems)
}

/** The network's file may be another platform's alone. */
internal fun hasArtifact(entry: Entry, manifest: Manifest): Boolean =
    manifest.artifact != null && (entry.format == null || entry.format == FORMAT)

/** How the game is read; null if it cannot be, and then why is one of the `problems`. */
private fun readingOf(manifest: Manifest, problems: MutableList<Problem>): Reading? {
    val game = manifest.game
    when {
        game.isNullOrEmpty() -> problems += Problem("no_game")
        game !in GAMES -> problems += Problem("unknown_game", game)
        manifest.members["encoding"] == null -> problems += Problem("no_encoding")
        else -> return recognize(manifest, problems)
    }
    return null
}

private fun recognize(manifest: Manifest, problems: MutableList<Problem>): Reading? {
    val reading = try {
        fromManifest(manifest.members, manifest.outputWith(Role.POLICY)?.size, ::byName)
    } catch (error: GameError) {
        problems += Problem("unreadable", reasonOf(error))
        return null
    }
    val (made, read) = reading.encoding.inputSizes to manifest.inputs.map { it.size }
    val differs = if (made.size == read.size) made.zip(read).find { (one, other) -> one != other } else null
    if (differs != null) problems += Problem("size", differs.first, differs.second)
    return reading
}
