/**
 * What the manifest says of an artifact: that it makes the checkpoint's calculation for every board, or that this was only
 * tried. The bundle's author claims it; the app shows it in Python's words, and does not rely on it.
 */
package org.azx.app.bundle

import org.azx.app.engine.membersOf
import java.util.Locale

/** No reason that azx writes is longer. */
private const val LONGEST = 600

/** The sentence on the artifact at `path`, as a clause; null if the manifest has none that this app can read. */
fun calculationOf(manifest: Manifest, path: String?): Text? {
    val told = membersOf(manifest.artifacts.find { path != null && it["path"] == path }?.get("calculation"))
    val reason = (told["reason"] as? String)?.takeIf { it.isNotEmpty() && it.length <= LONGEST }
    val boards = numberOf(told["boards"])
    return when (told["verdict"]) {
        "differs" -> reason?.let { Text("calculation_differs", it) }
        "tried" -> if (boards == null || reason == null) null else Text("calculation_tried", boards, reason)
        "same" -> boards?.let { same(told, it) }
        else -> null
    }
}

private fun same(told: Map<String, Any?>, boards: String): Text? {
    val operations = numberOf(told["operations"]) ?: return null
    val weights = numberOf(told["weights"]) ?: return null
    val exact = numberOf(told["to_the_bit"]) ?: return null
    if (exact == weights) return Text("calculation_exact", operations, weights, boards)
    val rounding = (told["largest_rounding"] as? Number)?.toDouble()?.takeIf { it.isFinite() && it >= 0 } ?: return null
    return Text("calculation_same", operations, weights, exact, String.format(Locale.ROOT, "%.2f", rounding), boards)
}

/** A whole number as every app writes it; null for anything else. */
private fun numberOf(value: Any?): String? = when (value) {
    is Int -> value.toLong()
    is Long -> value
    else -> null
}?.takeIf { it >= 0 }?.let { String.format(Locale.ROOT, "%,d", it) }
