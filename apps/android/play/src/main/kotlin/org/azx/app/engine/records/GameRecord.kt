/**
 * A game as a record with an identity of its own: its players, its moves, and what reviews found. It is plain JSON, the same
 * in every app, in a file of its own.
 */
package org.azx.app.engine.records

import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import java.io.Serializable
import java.security.SecureRandom
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone

/** The number that stands at `azx_game`; a record of another one is not read. */
const val RECORD_VERSION = 1

/** In place of a person in a watched game: the network plays both sides. */
const val NOBODY: Player = -1

/** In place of a person in a record of other people's game, which is only read. */
const val READER: Player = -2

/** In place of a person in a game of two at one device. Its record has READER and two people. */
const val BOTH: Player = -3

/** A bundle by its name; `isGiven` if a person has opened it. */
data class BundleName(val name: String, val isGiven: Boolean) : Serializable

/** Whether a side is a person here, a network, or somebody whom a file names. */
enum class SideKind { PERSON, NETWORK, FILE }

/**
 * Who has a side. `name` is a network's title, or what a file calls a player; empty of a person here. `level` is how
 * strong a network plays ("level 3", "simulations 200"). `bundle` is that of a side of a game between chosen networks.
 */
data class Side(val kind: SideKind, val name: String, val level: String, val bundle: BundleName? = null) : Serializable

/** The clock of two people: seconds at the beginning and after each move, and the milliseconds left by the number of moves. */
class Clock(val base: Int, val increment: Int, val left: Map<Int, Pair<Long, Long>>)

/**
 * What two people at one device have agreed on. A move is taken back at once, or where `isUndoAsked` if the other one
 * agrees; `asker` waits for that answer.
 */
class Shared(val isUndoAsked: Boolean, val clock: Clock?, val asker: Player?)

/** How a record came here. */
enum class Origin { PLAYED, WATCHED, OPENED, LINK }

/** A comment after a number of moves. */
data class Comment(val moves: Int, val text: String)

/**
 * A line that branches off after `from` moves of the game; its comments count its own moves. `isOwn` if it was tried out
 * here, and not read from a file.
 */
data class Line(val from: Int, val actions: List<Int>, val comments: List<Comment>, val isOwn: Boolean)

/** What a text says beside the moves: SGF's properties of the game, comments of the main line, lines beside it. */
data class Beside(
    val told: Map<String, String> = emptyMap(),
    val comments: List<Comment> = emptyList(),
    val lines: List<Line> = emptyList(),
    val leftOut: Int = 0,
)

/**
 * What makes a record this one, beside what was played. `begun` is when it was begun or opened here, as ISO 8601 has it.
 * `sides` are those of a game between networks that were chosen for each side, or of two people; else null. `shared` is
 * what two people have agreed on.
 */
data class Identity(
    val id: String,
    val begun: String,
    val origin: Origin,
    val beside: Beside = Beside(),
    val sides: Pair<Side, Side>? = null,
    val shared: Shared? = null,
)

/** What a look at a position has found: the mover's chance (0 to 1), the best action, whether it was looked at again. */
data class SeenEntry(val moves: Int, val chance: Double, val best: Int?, val isSure: Boolean)

/**
 * A record as it is stored. `revision` is another one at each change, `settings` are all those of the board and the rules,
 * `bundle` is the one that plays it, null of none. `human` is a player, NOBODY or READER. `winner` is null for a draw or
 * if it is not known; `rates` has the chance of the person, or of who began, by the number of moves. The first `setUp`
 * actions place the stones that stood before the first move.
 */
data class GameRecord(
    val identity: Identity,
    val revision: String,
    val changed: String,
    val game: String,
    val settings: Settings,
    val bundle: BundleName?,
    val players: Pair<Side, Side>,
    val human: Player,
    val actions: List<Int>,
    val end: Ending?,
    val isOver: Boolean,
    val winner: Player?,
    val rates: Map<Int, Double>,
    val seen: List<SeenEntry>,
    val setUp: Int = 0,
) {
    val id: String get() = identity.id

    /** How many moves were played. */
    val played: Int get() = actions.size - setUp

    val isRead: Boolean get() = human == READER

    /** Whether two people play it at one device. */
    val isOfTwo: Boolean get() = isRead && players.toList().all { it.kind == SideKind.PERSON }

    /** Whether a person here plays one of the sides. */
    val hasPerson: Boolean get() = human == 0 || human == 1

    /** Whether this game begins with all moves of the other one. */
    fun goesOnFrom(other: GameRecord): Boolean =
        setUp == other.setUp && actions.take(other.actions.size) == other.actions
}

private val random = SecureRandom()
private const val LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

/** A short name that no other record has. */
fun freshId(): String = String(CharArray(16) { LETTERS[random.nextInt(LETTERS.length)] })

/** The time as ISO 8601 has it, in UTC, with milliseconds. */
fun timeText(milliseconds: Long = System.currentTimeMillis()): String = timeForm().format(Date(milliseconds))

/** The milliseconds of a text of `timeText`; null for any other text. */
fun timeOf(text: String): Long? = timeForm().parse(text, java.text.ParsePosition(0))?.time

private fun timeForm() = SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT).apply {
    timeZone = TimeZone.getTimeZone("UTC")
    isLenient = false
}

fun newIdentity(origin: Origin, beside: Beside = Beside()): Identity = Identity(freshId(), timeText(), origin, beside)
