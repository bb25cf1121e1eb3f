/** That how a network sees the board is only assumed, and the readings that fit as well, as its manifest says. */
package org.azx.app.bundle

import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Reading
import org.azx.app.engine.fromManifest
import org.azx.app.engine.games.byName
import org.azx.app.engine.membersOf

private const val MOST_OTHERS = 8
private val READING = Regex("[a-z0-9_-]{1,120}")

/** Another reading as the manifest has it; `name` is what `azx export --encoding` takes. */
class Other internal constructor(val name: String, internal val encoding: Map<*, *>, internal val actions: Any)

/**
 * What a person is told: the encoding that is `assumed`, the others by name, and which of them they have `chosen`, null
 * where the assumed one plays. `board` is whether that is in doubt at all, `outputs` whether its value or its policy is
 * told by its shape alone.
 */
class Doubt(
    val assumed: Encoding,
    val others: Map<String, Encoding>,
    val chosen: String?,
    val board: Boolean,
    val outputs: Boolean,
)

/** The readings that fit beside one that is assumed; null if this is no list of such, or too long. */
internal fun othersOf(data: Any?): List<Other>? =
    (data as? List<*>)?.takeIf { it.size <= MOST_OTHERS }?.map { otherOf(membersOf(it)) ?: return null }

private fun otherOf(found: Map<String, Any?>): Other? {
    val name = (found["name"] as? String)?.takeIf(READING::matches) ?: return null
    val encoding = found["encoding"] as? Map<*, *> ?: return null
    val actions = found["actions"].takeIf { it is String || intsOf(it)?.all { at -> at >= 0 } == true } ?: return null
    return Other(name, encoding, actions)
}

/** The other readings that this app can draw, on the same board and as many numbers as the network reads, by name. */
internal fun readOthers(others: List<Other>, manifest: Manifest, assumed: Reading): Map<String, Reading> =
    others.mapNotNull { other ->
        val reading = readingOf(other, manifest)?.takeIf { isAlike(it.encoding, assumed.encoding) }
        reading?.let { other.name to it }
    }.toMap()

private fun readingOf(other: Other, manifest: Manifest): Reading? {
    val members = manifest.members + mapOf("encoding" to other.encoding, "actions" to other.actions)
    return try {
        fromManifest(members, manifest.outputWith(Role.POLICY)?.size, ::byName)
    } catch (_: GameError) {
        // A later azx may know planes that this app does not.
        null
    }
}

private fun isAlike(one: Encoding, other: Encoding): Boolean =
    one.board == other.board && one.inputSizes == other.inputSizes
