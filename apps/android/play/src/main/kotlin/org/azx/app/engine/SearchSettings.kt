/**
 * How a network is searched, as the member `search` of its bundle's manifest says it.
 *
 *     {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
 *     {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2, "early_stop": true}
 *     {"root": {"kind": "puct"}, "lower_bound": 5}
 *
 * Without the member, and with {"root": {"kind": "puct"}}, a search is the usual one. A reader refuses what it does not
 * know: without that setting the search would be another one. docs/search.md explains the numbers.
 */
package org.azx.app.engine

/** A root whose simulations are shared out by sequential halving among the `considered` most promising moves. */
class Gumbel(val considered: Int = 16, val visit: Double = 50.0, val scale: Double = 0.1)

/**
 * What differs from the usual search; `root` null: PUCT at the root as everywhere.
 *
 * PUCT's C begins at `cInit`. A move without a visit counts as worth what its parent is, less `firstPlay`; null: as a
 * draw. With `earlyStop` a search ends once no other move can be visited as often as the leader (`EarlyStop.kt`).
 * With `lowerBound` the move is played whose mean less that many standard errors is the largest (`LowerBound.kt`); null:
 * the most visited one.
 */
class SearchSettings(
    val root: Gumbel? = null,
    val cInit: Double = USUAL_C_INIT,
    val firstPlay: Double? = null,
    val earlyStop: Boolean = false,
    val lowerBound: Double? = null,
) {
    /** Whether the move visited most is played: then it may be decided before the end, which `earlyStop` asks. */
    val choosesByVisits get() = root == null && lowerBound == null
}

private const val USUAL_C_INIT = 1.25

private class Member(val name: String, val holds: (Any?) -> Boolean)

private fun number(name: String, least: Double, most: Double, isWhole: Boolean = false) = Member(name) { value ->
    val isNumber = value is Int || value is Long || (value is Double && !isWhole)
    isNumber && (value as Number).toDouble() in least..most
}

// Those of a root of each kind.
private val OF_ROOT = mapOf(
    "puct" to emptyList(),
    "gumbel" to listOf(number("considered", 1.0, 1e3, true), number("c_visit", 0.0, 1e6), number("c_scale", 0.0, 1e6)),
)

// Those beside the root.
private val BESIDE = listOf(
    number("c_init", 0.0, 1e3),
    number("first_play", 0.0, 2.0),
    Member("early_stop") { it is Boolean },
    number("lower_bound", 0.0, 100.0),
)

/**
 * The place of an unknown setting in the member `search`, such as "root.kind"; null if all are known.
 *
 * Of several places the first: the kind, the known members in their order, then unknown names in the order of their
 * letters; those of the root before the others.
 */
internal fun faultIn(search: Any?): String? {
    val members = search as? Map<*, *>
    val root = members?.get("root") as? Map<*, *> ?: return "root"
    val known = OF_ROOT[root["kind"]] ?: return "root.kind"
    return faultAmong(root, "kind", known)?.let { "root.$it" } ?: faultAmong(members, "root", BESIDE)
}

/** The first of the `known` members that is outside its limits, else of those that are not known, nor called `beside`. */
private fun faultAmong(members: Map<*, *>, beside: String, known: List<Member>): String? {
    val names = known.map { it.name } + beside
    val bad = known.find { it.name in members && !it.holds(members[it.name]) }?.name
    return bad ?: members.keys.filter { it !in names }.minOfOrNull(Any?::toString)
}

/** The settings of a member `search` in which there is no fault, or which is not there (null). */
internal fun searchFrom(search: Any?): SearchSettings {
    val members = membersOf(search)
    val root = membersOf(members["root"])
    val usual = Gumbel()
    val gumbel = Gumbel(
        (root["considered"] as? Number)?.toInt() ?: usual.considered,
        (root["c_visit"] as? Number)?.toDouble() ?: usual.visit,
        (root["c_scale"] as? Number)?.toDouble() ?: usual.scale,
    )
    return SearchSettings(
        if (root["kind"] == "gumbel") gumbel else null,
        (members["c_init"] as? Number)?.toDouble() ?: USUAL_C_INIT,
        (members["first_play"] as? Number)?.toDouble(),
        members["early_stop"] == true,
        (members["lower_bound"] as? Number)?.toDouble(),
    )
}
