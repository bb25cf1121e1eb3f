/** Which game a network plays, and how it numbers its actions: what a bundle's manifest tells of it. */
package org.azx.app.engine

/**
 * The reading that a manifest records, of whose members `game`, `settings`, `encoding` and `actions` are looked at.
 *
 * `manifest` is a Map as JSON gives it; `width` is how many numbers the policy has, null without one. `byName` is the
 * catalogue's: games are made of what is here, so nothing here knows one of them. GameError if it is unsound.
 */
fun fromManifest(manifest: Map<String, Any?>, width: Int?, byName: (String) -> Game): Reading {
    val game = byName(manifest["game"].toString())
    val encoding = encodingFrom(manifest["encoding"])
    val settings = settingsFrom(manifest["settings"]).ifEmpty { game.settingsOf(encoding.board) }
    val state = begin(game, settings)
    // A plane that the game does not draw is refused now, and not at the first move.
    encode(state, encoding)
    return Reading(game, encoding, numberingOf(game, state, manifest["actions"], width), settings)
}

/** The settings that are given, by name; none where `data` is no object. */
private fun settingsFrom(data: Any?): Settings {
    val given = (data as? Map<*, *>).orEmpty()
    return given.entries.mapNotNull { (name, value) -> value?.let { name.toString() to it } }.toMap()
}

/** The numbering called so, or a listed one, or the only one of this width. */
private fun numberingOf(game: Game, state: State, actions: Any?, width: Int?): Numbering? {
    if (width == null) return null
    if (actions is List<*>) return readList(actions, width, state.actions)
    val known = game.numberings(state)
    return known.find { it.width == width && (actions == null || it.name == actions) } ?: throw GameError(
        "the policy's $width outputs do not number ${game.title}'s actions by '${actions ?: "a known way"}': " +
            "use ${known.joinToString(", ") { it.name }}, " +
            "or a list with an index for each of the ${state.actions} actions.",
    )
}

private fun readList(data: List<*>, width: Int, count: Int): Numbering {
    val indices = data.mapNotNull(::whole).filter { it in 0 until width }.toIntArray()
    if (data.size == count && indices.size == count) return Numbering("listed", width) { indices[it] }
    throw GameError("'actions' must list $count indices from 0 to ${width - 1}, one for each action.")
}
