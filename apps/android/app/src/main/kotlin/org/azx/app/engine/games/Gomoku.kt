/**
 * Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.
 *
 * Points are numbered row by row, row 0 on top. Black is player 0.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Layout
import org.azx.app.engine.OCCUPIED
import org.azx.app.engine.OVER
import org.azx.app.engine.PIECES
import org.azx.app.engine.Player
import org.azx.app.engine.Reason
import org.azx.app.engine.State
import org.azx.app.engine.Sudden
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.mark
import org.azx.app.engine.other
import org.azx.app.engine.ownerOf
import org.azx.app.engine.resultOf
import org.azx.app.engine.unknownPlane

val GOMOKU_SIZES: List<Int> = sizesOf("gomoku")
val GOMOKU_RULES: List<String> = settingOf("gomoku", "rule").choices.map { it as String }
val GOMOKU_REFERENCE_SIZE: Int = settingOf("gomoku", "size").default as Int

// A network reads the board now and 1, 2 and 3 plies ago.
private const val HISTORY = 3
private val PLANES = listOf("mover", "opponent").flatMap(::named)
private val DRAWN = PIECES.flatMap(::named) + "last"
private const val LETTERS = "ABCDEFGHIJKLMNOPQRS"
private val NO_POINT = Reason(Reason.Kind.NO_SUCH_ACTION, "no point of the board")
private val NONE = IntArray(0)

private fun named(who: String): List<String> = listOf(who, "$who@1", "$who@2", "$who@3")

// Made when first needed; their tables are for all games of a size.
private val RENJU = GOMOKU_SIZES.associateWith { lazy { Renju(it) } }

/**
 * What a network for a board of `size` reads: (size, size, 9), channels last. "mover@2" are the stones that today's
 * mover had two plies ago; before the first move there were none.
 */
fun gomokuEncoding(size: Int = GOMOKU_REFERENCE_SIZE): Encoding =
    Encoding(Layout.CHANNELS_LAST, listOf(size, size), PLANES + "player0_to_move")

/** The empty board, black to move. `size` 5 to 19, `rule` freestyle or renju; GameError otherwise. */
fun startGomoku(size: Int = GOMOKU_REFERENCE_SIZE, rule: String = "freestyle"): Gomoku {
    if (size !in GOMOKU_SIZES) throw GameError("gomoku: size $size is not possible, choose a number from 5 to 19.")
    if (rule !in GOMOKU_RULES) {
        throw GameError("gomoku: rule '$rule' is unknown, use ${GOMOKU_RULES.joinToString(" or ")}.")
    }
    val renju = if (rule == "renju") RENJU[size]?.value else null
    return Gomoku(Gomoku.Kind(size, rule, renju), ByteArray(size * size), 0, NONE, null)
}

/**
 * A position; `startGomoku` makes the first one. `cells` has 0 for an empty point, 1 for black, 2 for white (do not
 * write to it); `played` counts the moves; `winner` is who has won.
 *
 * Five or more in a row win; a full board is a draw. With the rule "renju" black's forbidden points are not legal,
 * and black loses where every empty point is forbidden.
 */
class Gomoku internal constructor(
    private val kind: Kind,
    val cells: ByteArray,
    val played: Int,
    /** The last three moves, newest first. */
    private val recent: IntArray,
    val winner: Player?,
) : State {
    /** What all positions of one game share. */
    internal class Kind(val size: Int, val rule: String, val renju: Renju?) {
        val grid = Grid(size, size, 5)
        val encoding = gomokuEncoding(size)
    }

    // Volatile, as a screen and a search may ask the same state.
    @Volatile
    private var legal: IntArray? = null

    /** Points a side. */
    val size: Int get() = kind.size

    /** "freestyle" or "renju". */
    val rule: String get() = kind.rule

    override val actions: Int get() = cells.size

    override val board: List<Int> get() = kind.encoding.board

    override val encoding: Encoding get() = kind.encoding

    override val toMove: Player get() = played and 1

    override val isTerminal: Boolean get() = winner != null || played == cells.size

    override val lastAction: Int? get() = if (recent.isEmpty()) null else recent[0]

    /** The empty points, ascending, without black's forbidden ones; none once the game is over. */
    override fun legalActions(): IntArray = legal ?: allowed().also { legal = it }

    private fun allowed(): IntArray {
        if (isTerminal) return NONE
        val judge = judge()
        val points = IntArray(cells.size - played)
        var count = 0
        for (at in cells.indices) if (isEmpty(at) && judge?.reason(at) == null) points[count++] = at
        return if (count == points.size) points else points.copyOf(count)
    }

    /** Black's forbidden points, ascending, and why; none where black is not to move under "renju". */
    fun forbidden(): Map<Int, Reason> = judge()?.forbidden() ?: emptyMap()

    /** Who says what is forbidden here; null where nothing is. */
    private fun judge(): Judge? = if (toMove == 0 && !isTerminal) kind.renju?.judge(cells) else null

    /**
     * The points that make five for the mover, and how many the opponent has after each legal action; null where black
     * might be left without a move under "renju", which wins for white too.
     */
    override fun sudden(): Sudden? {
        if (isTerminal) return Sudden(NONE, NONE)
        val judge = kind.renju?.judge(cells)
        if (judge?.mayBeStuck() == true) return null
        val theirs = fives(other(toMove), judge)
        // A stone takes a point from the opponent and changes nothing else of what it can make.
        val legal = legalActions()
        return Sudden(fives(toMove, judge), IntArray(legal.size) { theirs.size - if (legal[it] in theirs) 1 else 0 })
    }

    /** The points where one more stone of `player` makes a row that wins; of black's rows only one of exactly five. */
    private fun fives(player: Player, judge: Judge?): IntArray {
        val with = cells.copyOf()
        return cells.indices.filter { at ->
            if (!isEmpty(at)) return@filter false
            with[at] = mark(player).toByte()
            val isRow = hasRow(with, kind.grid, at)
            with[at] = EMPTY.toByte()
            isRow && !(player == 0 && judge?.reason(at) != null)
        }.toIntArray()
    }

    override fun whyIllegal(action: Int): Reason? = when {
        isTerminal -> OVER
        action !in cells.indices -> NO_POINT
        !isEmpty(action) -> OCCUPIED
        else -> judge()?.reason(action)
    }

    private fun isEmpty(at: Int): Boolean = cells[at].toInt() == EMPTY

    override fun apply(action: Int): Gomoku {
        if (whyIllegal(action) != null) throw illegal("gomoku", action, legalActions())
        val next = withPiece(cells, action, toMove)
        val last = IntArray(minOf(HISTORY, recent.size + 1)) { if (it == 0) action else recent[it - 1] }
        return Gomoku(kind, next, played + 1, last, winnerBy(next, action))
    }

    private fun winnerBy(next: ByteArray, action: Int): Player? {
        if (hasRow(next, kind.grid, action)) return toMove
        val blackIsNext = toMove == 1 && played + 1 < next.size
        return if (blackIsNext && kind.renju?.judge(next)?.isStuck() == true) 1 else null
    }

    override fun returns(): Int = resultOf(winner)

    /** The cells in a row that have won, ascending; none where nobody has, or black could not move. */
    fun winningLine(): IntArray =
        if (winner == null || recent.isEmpty()) NONE else winningRow(cells, kind.grid, recent[0])

    /** The longest row that has won, from its left or upper end to the other; none where nobody has a row. */
    fun longestLine(): IntArray =
        lastAction?.takeIf { winner != null }?.let { longestRow(cells, kind.grid, it) } ?: NONE

    /** Who is the mover is what it is now; "mover@2" are that player's stones two plies ago. */
    override fun plane(name: String): FloatArray {
        if (name !in DRAWN) throw unknownPlane("gomoku", name, DRAWN + "signed")
        if (name == "last") return lastPlane(cells.size, lastAction)
        val plane = piecesOf(cells, ownerOf(name.substringBefore('@'), toMove))
        val ago = name.substringAfter('@', "0").toInt()
        for (move in 0 until minOf(ago, recent.size)) plane[recent[move]] = 0f
        return plane
    }

    /** (size, size, 9), as `gomokuEncoding` says; written in one go, without a plane for each name. */
    override fun encode(into: FloatArray) {
        val depth = PLANES.size + 1
        into.fill(0f)
        for (at in cells.indices) {
            if (!isEmpty(at)) into.fill(1f, at * depth + first(at), at * depth + first(at) + HISTORY + 1)
            if (toMove == 0) into[at * depth + PLANES.size] = 1f
        }
        for (move in recent.indices) {
            val from = recent[move] * depth + first(recent[move])
            into.fill(0f, from + move + 1, from + HISTORY + 1)
        }
    }

    /** The plane that has the stone on `at` now; behind it are those of the plies before. */
    private fun first(at: Int): Int = if (cells[at].toInt() == mark(toMove)) 0 else HISTORY + 1

    /** The point's column as a letter, none left out, and its row counted from the bottom: H8. */
    override fun label(action: Int): String {
        if (action in cells.indices) return "${LETTERS[action % size]}${size - action / size}"
        throw GameError("gomoku: action $action is no point of this board, choose 0 to ${actions - 1}.")
    }
}
