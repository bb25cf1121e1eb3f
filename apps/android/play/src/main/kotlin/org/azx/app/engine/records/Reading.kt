/**
 * Reads records: SGF, a line of moves, or a link that ends with them. The texts may come from anywhere.
 *
 * SGF is A. Hollosi's "SGF File Format FF[4]", https://www.red-bean.com/sgf/. Of a game with variations the main line
 * is read.
 */
package org.azx.app.engine.records

import org.azx.app.engine.Game
import org.azx.app.engine.GameError
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.read

private val LINK = Regex("(?:^|#)([^$BLANKS#/]+)/moves=([^$BLANKS#]*)")

// Numbers that every language reads and writes alike.
private val WHOLE = Regex("[0-9]{1,4}")
private val DECIMAL = Regex("[+-]?[0-9]{1,4}(\\.[0-9]{1,4})?")

// Longer names and texts are cut for messages and players.
private const val LONGEST_NAME = 20
private const val LONGEST_TOLD = 80

// The size of a board if SGF gives none and it is not the game's usual one.
private val UNSAID = mapOf("go" to 19, "hex" to 11)

/** The record that a text holds, its moves as they are named; RecordError if it holds none. */
fun readRecord(given: String): Record {
    if (given.length > LARGEST || given.toByteArray().size > LARGEST) throw RecordError(RecordError.Kind.TOO_LARGE)
    val text = strip(given.removePrefix("\uFEFF"))
    if (text.startsWith("(")) return fromSgf(text)
    LINK.find(text)?.let { found ->
        val (name, rest) = found.destructured
        val parts = rest.split("&")
        val placed = parts[0].substringBefore("..", "")
        return recordOf(name, parts.drop(1), namesIn(parts[0]), namesIn(placed).size)
    }
    val colon = text.indexOf(':')
    if (text.isEmpty() || colon == 0) throw RecordError(RecordError.Kind.NONE)
    if (colon < 0) return Record(null, emptyMap(), few(wordsOf(text).map { Move(it) }))
    val head = wordsOf(text.take(colon))
    return recordOf(head.firstOrNull().orEmpty(), head.drop(1), wordsOf(text.drop(colon + 1)))
}

private fun namesIn(moves: String): List<String> = moves.split(".").filter { it.isNotEmpty() }

private fun wordsOf(text: String): List<String> = text.split(*BLANKS.toCharArray()).filter { it.isNotEmpty() }

/** A record of moves by name. A link's `game=` says which game a bundle of another name plays. */
private fun recordOf(name: String, given: List<String>, names: List<String>, setUp: Int = 0): Record {
    if (given.any { '=' !in it }) throw RecordError(RecordError.Kind.NONE)
    val settings = given.associate { it.substringBefore('=') to it.substringAfter('=') }
    val game = GAMES[settings["game"] ?: name] ?: throw RecordError(RecordError.Kind.NONE)
    return Record(game.name, settingsOf(game, settings - "game"), few(names.map { Move(it) }), setUp = setUp)
}

private fun few(moves: List<Move>): List<Move> {
    if (moves.size > MOST_MOVES) throw RecordError(RecordError.Kind.TOO_LONG)
    return moves.map { Move(it.name.take(LONGEST_NAME), it.player) }
}

/** The settings as the game has them; RecordError if one is not possible. */
private fun settingsOf(game: Game, given: Map<String, String>): Settings = given.mapValues { (name, text) ->
    val setting = game.settings.find { it.name == name }
    val refused = RecordError(RecordError.Kind.SETTINGS, what = "$name $text".take(LONGEST_NAME))
    val form = if (setting?.choices.isNullOrEmpty()) DECIMAL else WHOLE
    if (setting == null || (setting.default is Number && !form.matches(text))) throw refused
    try {
        read(setting, text)
    } catch (_: GameError) {
        throw refused
    }
}

private fun fromSgf(text: String): Record {
    val tree = try {
        treeOf(text)
    } catch (error: NoSgf) {
        throw RecordError(RecordError.Kind.NO_SGF, what = error.message.orEmpty())
    }
    val nodes = tree.mainLine
    val root = nodes[0]
    val number = firstValue(root, "GM").ifEmpty { "1" }
    val game = GAMES.values.find { SGF_GAMES[it.name] == number }
        ?: throw RecordError(RecordError.Kind.OTHER_GAME, what = number.take(LONGEST_NAME))
    val swaps = game.name == "hex" && nodes.any { node -> listOf("B", "W").any { firstValue(node, it) in SWAPS } }
    val given = settingsIn(root, game)
    val settings = settingsOf(game, if (swaps) given + ("rule" to "swap") else given)
    val start = begin(game, settings)
    val played = movesIn(nodes, start)
    val placed = setUp(game.name, start, nodes, played.firstOrNull()?.player)
    val all = placed + played
    // The player who takes the first stone over plays on its cell.
    val moves = if (swaps) all.map { Move(if (it.name in SWAPS) all[0].name else it.name, it.player) } else all
    val names = lineIn(root, "PB") to lineIn(root, "PW")
    return Record(game.name, settings, few(moves), names, lineIn(root, "RE"), tree.ignored, placed.size)
}

private fun movesIn(nodes: List<Properties>, start: State): List<Move> = nodes.flatMap { node ->
    listOf("B", "W").filter { it in node }.map { Move(nameOf(start, firstValue(node, it)), "BW".indexOf(it)) }
}

private fun settingsIn(root: Properties, game: Game): Map<String, String> {
    val (komi, rule) = firstValue(root, "KM") to firstValue(root, "RU").lowercase()
    val known = game.settings.associateBy { it.name }
    val unsaid = UNSAID[game.name] ?: known["size"]?.default
    val given = mutableMapOf("size" to firstValue(root, "SZ").ifEmpty { "$unsaid" })
    if ("komi" in known && komi.isNotEmpty()) given["komi"] = komi
    if (rule in known["rule"]?.choices.orEmpty()) given["rule"] = rule
    return given
}

/** A property's value in one line, cut if it is long. */
private fun lineIn(node: Properties, key: String): String =
    wordsOf(firstValue(node, key)).joinToString(" ").take(LONGEST_TOLD)
