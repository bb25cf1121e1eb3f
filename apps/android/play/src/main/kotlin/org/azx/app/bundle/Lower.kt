/** A network in a lower precision, and what its answers may differ by. */
package org.azx.app.bundle

import org.azx.app.engine.membersOf

/**
 * What an approximation may differ by, as its manifest records it: shares from 0 to 1.
 *
 * `valueMax` is the largest error of the win rate, `bestMove` the share of positions whose best move stays the best. Only
 * positions count in which the two best moves are more than the probability `margin` apart.
 */
class Limits(val valueMax: Double, val bestMove: Double, val margin: Double)

/** The file `path` in a `precision` below float32, inside its gate. */
class Lower(val path: String, val precision: String, val limits: Limits)

/** The one at `path`; null if the manifest lists none there, and if that is not inside its gate. */
internal fun lowerAt(manifest: Manifest, path: String): Lower? {
    val found = manifest.artifacts.find { it["path"] == path && it["format"] == FORMAT } ?: return null
    val precision = found["precision"] as? String ?: return null
    return limitsOf(membersOf(found["gate"]))?.let { Lower(path, precision, it) }
}

/** The limits of a gate that was passed; null of any other. */
private fun limitsOf(gate: Map<String, Any?>): Limits? {
    val limits = membersOf(gate["limits"])
    fun share(name: String): Double? = (limits[name] as? Number)?.toDouble()?.takeIf { it in 0.0..1.0 }
    if (gate["passed"] != true) return null
    return Limits(share("value_max") ?: return null, share("best_move") ?: return null, share("margin") ?: return null)
}
