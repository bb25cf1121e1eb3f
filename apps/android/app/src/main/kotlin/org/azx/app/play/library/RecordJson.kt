/** Records as JSON, with the page's names. Each member is checked: a file may come from anywhere. */
package org.azx.app.play.library

import org.azx.app.engine.JsonError
import org.azx.app.engine.parseJson
import org.azx.app.engine.records.Beside
import org.azx.app.engine.records.BundleName
import org.azx.app.engine.records.Clock
import org.azx.app.engine.records.Comment
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Identity
import org.azx.app.engine.records.Line
import org.azx.app.engine.records.MOST_MOVES
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.READER
import org.azx.app.engine.records.RECORD_VERSION
import org.azx.app.engine.records.SeenEntry
import org.azx.app.engine.records.Shared
import org.azx.app.engine.records.Side
import org.azx.app.engine.records.SideKind
import org.azx.app.engine.records.timeOf
import org.azx.app.engine.writeJson

/** Bytes of UTF-8 that the file of a record has at most. */
const val LARGEST_RECORD = 2_000_000

private const val LONGEST_TEXT = 20_000
private const val MOST = 10_000

// A day.
private const val MOST_SECONDS = 86_400
private val NAME = Regex("[0-9a-z]{8,32}")

/** The record as JSON, in one line. */
fun GameRecord.text(): String = writeJson(
    mapOf(
        "azx_game" to RECORD_VERSION,
        "id" to id,
        "revision" to revision,
        "begun" to identity.begun,
        "changed" to changed,
        "origin" to wordOf(identity.origin),
        "game" to game,
        "settings" to settings,
        "bundle" to bundle?.let(::dataOf),
        "players" to players.toList().map(::dataOf),
        "human" to human,
        "actions" to actions,
        "end" to end?.let(::dataOf),
        "over" to isOver,
        "winner" to winner,
        "rates" to rates.toSortedMap().map { (moves, rate) -> listOf(moves, rate) },
        "seen" to seen.map { listOf(it.moves, it.chance, it.best, it.isSure) },
        "told" to identity.beside.told,
        "comments" to identity.beside.comments.map(::dataOf),
        "lines" to identity.beside.lines.map(::dataOf),
        "left_out" to identity.beside.leftOut,
    ) + listOfNotNull(("set_up" to setUp).takeIf { setUp > 0 }, *dataOf(identity.shared).toTypedArray()),
)

private fun wordOf(kind: Enum<*>): String = kind.name.lowercase()

private fun dataOf(bundle: BundleName) = mapOf("name" to bundle.name, "given" to bundle.isGiven)

private fun dataOf(side: Side): Map<String, Any?> =
    mapOf("kind" to wordOf(side.kind), "name" to side.name, "level" to side.level) +
        side.bundle?.let { mapOf("bundle" to dataOf(it)) }.orEmpty()

private fun dataOf(shared: Shared?): List<Pair<String, Any>> = listOfNotNull(
    shared?.clock?.let { clock ->
        val left = clock.left.toSortedMap().map { (moves, each) -> listOf(moves) + each.toList() }
        "clock" to mapOf("base" to clock.base, "increment" to clock.increment, "left" to left)
    },
    ("undo_asked" to true).takeIf { shared?.isUndoAsked == true },
    shared?.asker?.let { "asker" to it },
)

private fun dataOf(comment: Comment) = listOf(comment.moves, comment.text)

private fun dataOf(line: Line) = mapOf(
    "from" to line.from,
    "actions" to line.actions,
    "comments" to line.comments.map(::dataOf),
    "own" to line.isOwn,
)

private fun dataOf(end: Ending): Map<String, Any?> = when (end) {
    is Ending.Resigned -> mapOf("kind" to "resigned")
    is Ending.Lost -> mapOf("kind" to if (end.isLate) "time" else "resigned", "by" to end.by)
    is Ending.Agreed -> mapOf("kind" to "agreed", "dead" to end.dead)
    is Ending.Told -> mapOf("kind" to "told", "result" to end.result, "winner" to end.winner)
}

/** The record of a JSON text; null if it is no record. It may still have moves that the rules forbid. */
fun readGameRecord(text: String): GameRecord? = try {
    objectOf(parseJson(text)).takeIf { it["azx_game"] == RECORD_VERSION }?.let(::recordOf)
} catch (_: JsonError) {
    null
} catch (_: IllegalArgumentException) {
    null
}

/** Each member, or IllegalArgumentException. */
private fun recordOf(data: Map<String, Any?>): GameRecord {
    val players = listOf(data["players"], 2, ::sideOf)
    require(players.size == 2)
    val actions = listOf(data["actions"], MOST_MOVES) { count(it) }
    return GameRecord(
        identityOf(data, players[0] to players[1]),
        name(data["revision"]),
        time(data["changed"]),
        text(data["game"]),
        objectOf(data["settings"]).mapValues { (_, value) -> settingOf(value) },
        data["bundle"]?.let(::bundleOf),
        players[0] to players[1],
        count(data["human"], from = READER).also { require(it <= 1) },
        actions,
        data["end"]?.let(::endOf),
        isTrue(data["over"]),
        data["winner"]?.let(::player),
        listOf(data["rates"], MOST) { rate -> pair(rate).let { count(it[0]) to share(it[1]) } }.toMap(),
        listOf(data["seen"], MOST, ::seenOf),
        (if ("set_up" in data) count(data["set_up"]) else 0).also { require(it <= actions.size) },
    )
}

private fun identityOf(data: Map<String, Any?>, players: Pair<Side, Side>): Identity {
    val beside = Beside(
        objectOf(data["told"]).mapValues { text(it.value) },
        listOf(data["comments"], MOST, ::commentOf),
        listOf(data["lines"], MOST, ::lineOf),
        count(data["left_out"]),
    )
    val origin = Origin.entries.find { wordOf(it) == data["origin"] }
    val isOfTwo = data["human"] == READER && players.toList().all { it.kind == SideKind.PERSON }
    val sides = players.takeIf { isOfTwo || (it.first.bundle != null && it.second.bundle != null) }
    val shared = if (isOfTwo) sharedOf(data) else null
    return Identity(name(data["id"]), time(data["begun"]), requireNotNull(origin), beside, sides, shared)
}

private fun sharedOf(data: Map<String, Any?>): Shared {
    val clock = data["clock"]?.let(::objectOf)?.let { clock ->
        val left = listOf(clock["left"], MOST) { each ->
            val (moves, one, two) = requireNotNull(each as? List<*>).also { require(it.size == 3) }
            count(moves) to (milliseconds(one) to milliseconds(two))
        }
        Clock(seconds(clock["base"]), seconds(clock["increment"]), left.toMap())
    }
    return Shared(data["undo_asked"] == true, clock, data["asker"]?.let(::player))
}

private fun seconds(data: Any?): Int = count(data).also { require(it <= MOST_SECONDS) }

private fun milliseconds(data: Any?): Long = requireNotNull(data as? Number).toLong().also { require(it >= 0) }

private fun sideOf(data: Any?): Side = objectOf(data).let { side ->
    val kind = SideKind.entries.find { wordOf(it) == side["kind"] }
    Side(requireNotNull(kind), text(side["name"]), text(side["level"]), side["bundle"]?.let(::bundleOf))
}

private fun bundleOf(data: Any?): BundleName = objectOf(data).let { BundleName(text(it["name"]), isTrue(it["given"])) }

private fun commentOf(data: Any?): Comment = pair(data).let { Comment(count(it[0]), text(it[1])) }

private fun lineOf(data: Any?): Line = objectOf(data).let { line ->
    val actions = listOf(line["actions"], MOST_MOVES) { count(it) }
    Line(count(line["from"]), actions, listOf(line["comments"], MOST, ::commentOf), isTrue(line["own"]))
}

private fun seenOf(data: Any?): SeenEntry = (data as? List<*>).let { entry ->
    require(entry != null && entry.size >= 4)
    SeenEntry(count(entry[0]), share(entry[1]), entry[2]?.let { count(it) }, isTrue(entry[3]))
}

private fun endOf(data: Any): Ending = objectOf(data).let { end ->
    when (end["kind"]) {
        "resigned" -> end["by"]?.let { Ending.Lost(player(it), isLate = false) } ?: Ending.Resigned
        "time" -> Ending.Lost(player(requireNotNull(end["by"])), isLate = true)
        "agreed" -> Ending.Agreed(listOf(end["dead"], MOST) { count(it) })
        "told" -> Ending.Told(text(end["result"]), end["winner"]?.let(::player))
        else -> throw IllegalArgumentException("no end")
    }
}

@Suppress("UNCHECKED_CAST")
private fun objectOf(data: Any?): Map<String, Any?> = requireNotNull(data as? Map<String, Any?>)

private fun <Item> listOf(data: Any?, most: Int, read: (Any?) -> Item): List<Item> {
    require(data is List<*> && data.size <= most)
    return data.map(read)
}

private fun pair(data: Any?): List<*> = requireNotNull(data as? List<*>).also { require(it.size >= 2) }

private fun text(data: Any?): String = requireNotNull(data as? String).also { require(it.length <= LONGEST_TEXT) }

private fun name(data: Any?): String = text(data).also { require(NAME.matches(it)) }

private fun time(data: Any?): String = text(data).also { requireNotNull(timeOf(it)) }

private fun isTrue(data: Any?): Boolean = requireNotNull(data as? Boolean)

private fun count(data: Any?, from: Int = 0): Int = requireNotNull(data as? Int).also { require(it >= from) }

private fun player(data: Any): Int = count(data).also { require(it <= 1) }

private fun share(data: Any?): Double = requireNotNull(data as? Number).toDouble().also { require(it in 0.0..1.0) }

private fun settingOf(data: Any?): Any {
    if (data is String) return text(data)
    return requireNotNull(data as? Number).also { require(!it.toDouble().isInfinite()) }
}
