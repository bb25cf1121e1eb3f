/**
 * Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.
 *
 * Points are numbered row by row, row 0 on top. Black is player 0.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Sudden
import org.azx.app.engine.mark
import org.azx.app.engine.other

val GOMOKU_SIZES: List<Int> = sizesOf("gomoku")
val GOMOKU_RULES: List<String> = settingOf("gomoku", "rule").choices.map { it as String }
val GOMOKU_REFERENCE_SIZE: Int = settingOf("gomoku", "size").default as Int

// A network reads the board now and 1, 2 and 3 plies ago.
private const val HISTORY = 3
private val NONE = IntArray(0)

// Made when first needed; their tables are for all games of a size.
private val RENJU = GOMOKU_SIZES.associateWith { lazy { Renju(it) } }

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
 * A position; `startGomoku` makes the first one, 1 in its `cells` is black.
 *
 * Five or more in a row win; a full board is a draw. With the rule "renju" black's forbidden points are not legal,
 * and black loses where every empty point is forbidden.
 */
class Gomoku internal constructor(
    private val kind: Kind,
    cells: ByteArray,
    played: Int,
    recent: IntArray,
    winner: Player?,
) : RowState(kind, cells, played, recent, winner) {
    /** What all positions of one game share. */
    internal class Kind(size: Int, val rule: String, val renju: Renju?) :
        RowState.Kind("gomoku", encodingOf("gomoku", size, size), 5, HISTORY)

    /** "freestyle" or "renju". */
    val rule: String get() = kind.rule

    /** The empty points without black's forbidden ones. */
    override fun forEachLegal(take: (Int) -> Unit) {
        val judge = judge()
        for (at in cells.indices) if (isEmpty(at) && judge?.reason(at) == null) take(at)
    }

    /** Black's forbidden points, ascending, and why; none where black is not to move under "renju". */
    fun forbiddenPoints(): Map<Int, Refusal> = judge()?.forbiddenPoints() ?: emptyMap()

    /** Who says what is forbidden here; null if nothing is. */
    private fun judge(): Judge? = if (toMove == 0 && !isTerminal) kind.renju?.judge(cells) else null

    /**
     * The points that make five for the mover, and how many the opponent has after each legal action. null if black might
     * be left without a move under "renju", which wins for white too.
     */
    override fun sudden(): Sudden? {
        if (isTerminal) return Sudden(NONE, NONE)
        val judge = kind.renju?.judge(cells)
        if (judge?.mayBeStuck() == true) return null
        return suddenBy(fives(toMove, judge), fives(other(toMove), judge))
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

    override fun whyIllegal(action: Int): Refusal? = super.whyIllegal(action) ?: judge()?.reason(action)

    override fun apply(action: Int): Gomoku = super.apply(action) as Gomoku

    override fun make(cells: ByteArray, played: Int, recent: IntArray, winner: Player?) =
        Gomoku(kind, cells, played, recent, winner)

    override fun winnerOf(next: ByteArray, action: Int): Player? {
        val blackIsNext = toMove == 1 && played + 1 < next.size
        val isStuck = { blackIsNext && kind.renju?.judge(next)?.isStuck() == true }
        return super.winnerOf(next, action) ?: if (isStuck()) 1 else null
    }

    /**
     * (size, size, 9), channels last: the mover's stones now and up to 3 plies ago, the opponent's, and whether black is
     * to move. It is written in one go, without a plane for each name.
     */
    override fun encode(into: FloatArray) {
        val depth = encoding.planes.size
        into.fill(0f)
        for (at in cells.indices) {
            if (!isEmpty(at)) into.fill(1f, at * depth + first(at), at * depth + first(at) + HISTORY + 1)
            if (toMove == 0) into[(at + 1) * depth - 1] = 1f
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
        if (action in cells.indices) return nameOfCell(action, size, 'A', fromBelow = true)
        throw GameError("gomoku: action $action is no point of this board, choose 0 to ${actions - 1}.")
    }
}
