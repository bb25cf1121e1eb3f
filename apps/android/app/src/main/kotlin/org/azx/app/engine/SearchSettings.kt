/**
 * How a network is searched, as the member `search` of its bundle's manifest says it.
 *
 *     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
 *
 * Without the member, and with {"root": {"kind": "puct"}}, a search is as it always was. What a reader does not know it
 * refuses: a setting that is passed over would be another search, played as if it were this one. docs/search.md says
 * what the numbers do.
 */
package org.azx.app.engine

/** A root whose simulations are shared out by sequential halving among the `considered` most promising moves. */
data class Gumbel(val considered: Int = 16, val visit: Double = 50.0, val scale: Double = 0.1)

/** What differs from the usual search; `root` null: PUCT at the root as everywhere. */
data class SearchSettings(val root: Gumbel? = null)

private class Limits(val name: String, val least: Double, val most: Double, val isWhole: Boolean = false) {
    fun holds(value: Any?): Boolean {
        val isNumber = value is Int || value is Long || (value is Double && !isWhole)
        return isNumber && (value as Number).toDouble() in least..most
    }
}

// The numbers of a root of each kind.
private val NUMBERS = mapOf(
    "puct" to emptyList(),
    "gumbel" to listOf(Limits("considered", 1.0, 1e3, true), Limits("c_visit", 0.0, 1e6), Limits("c_scale", 0.0, 1e6)),
)

/**
 * Where the member `search` says what is not known here, such as "root.kind"; null where all is known.
 *
 * Of several places the first: the kind, the numbers in their order, then unknown names in the order of their letters.
 */
internal fun faultIn(search: Any?): String? {
    val members = search as? Map<*, *>
    val root = members?.get("root") as? Map<*, *> ?: return "root"
    val numbers = NUMBERS[root["kind"]] ?: return "root.kind"
    val known = numbers.map { it.name }
    val bad = numbers.find { it.name in root && !it.holds(root[it.name]) }?.name
    val unknown = bad ?: root.keys.filter { it != "kind" && it !in known }.minOfOrNull(Any?::toString)
    return unknown?.let { "root.$it" } ?: members.keys.filter { it != "root" }.minOfOrNull(Any?::toString)
}

/** The settings of a member `search` in which there is no fault, or which is not there (null). */
internal fun searchFrom(search: Any?): SearchSettings {
    val root = membersOf(membersOf(search)["root"])
    if (root["kind"] != "gumbel") return SearchSettings()
    val usual = Gumbel()
    return SearchSettings(
        Gumbel(
            (root["considered"] as? Number)?.toInt() ?: usual.considered,
            (root["c_visit"] as? Number)?.toDouble() ?: usual.visit,
            (root["c_scale"] as? Number)?.toDouble() ?: usual.scale,
        ),
    )
}
