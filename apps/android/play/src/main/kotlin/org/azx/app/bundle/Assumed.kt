/** Networks whose encoding is only assumed, and the other readings that fit, by their manifest. */
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
 * The readings for a person to choose from: the `assumed` encoding, the others by name, and the `chosen` one, null for the
 * assumed one. `board`: whether the encoding is in doubt. `outputs`: whether value or policy were identified by shape alone.
 */
class Doubt(
    val assumed: Encoding,
    val others: Map<String, Encoding>,
    val chosen: String?,
    val board: Boolean,
    val outputs: Boolean,
)

/** The readings that fit beside the assumed one; null if `data` is no list of readings, or too long. */
internal fun othersOf(data: Any?): List<Other>? =
    (data as? List<*>)?.takeIf { it.size <= MOST_OTHERS }?.map { otherOf(membersOf(it)) ?: return null }

private fun otherOf(found: Map<String, Any?>): Other? {
    val name = (found["name"] as? String)?.takeIf(READING::matches) ?: return null
    val encoding = found["encoding"] as? Map<*, *> ?: return null
    val actions = found["actions"].takeIf { it is String || intsOf(it)?.all { at -> at >= 0 } == true } ?: return null
    return Other(name, encoding, actions)
}

/** The other readings that this app can draw for the same board and input sizes, by name. */
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
