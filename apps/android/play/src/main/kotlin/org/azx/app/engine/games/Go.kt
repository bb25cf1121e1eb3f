/**
 * Go on 5 x 5 to 19 x 19 points: an action is a point or, the last of them, the pass.
 *
 * Points are numbered row by row, row 0 on top. Suicide is illegal. A stone may not recreate a board of before
 * (positional superko). Two passes end the game; it is scored by area (Tromp-Taylor), with all stones alive.
 * Player 0 is black.
 */
package org.azx.app.engine.games

import org.azx.app.engine.EMPTY
import org.azx.app.engine.Encoding
import org.azx.app.engine.GameError
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.Sudden
import org.azx.app.engine.illegal
import org.azx.app.engine.lastPlane
import org.azx.app.engine.mark
import org.azx.app.engine.namesOfPlanes
import org.azx.app.engine.other
import org.azx.app.engine.ownerOf
import org.azx.app.engine.refuseOutside
import org.azx.app.engine.unknownPlane
import kotlin.experimental.or
import kotlin.math.sign

val GO_SIZES: List<Int> = sizesOf("go")
val GO_REFERENCE_SIZE: Int = settingOf("go", "size").default as Int
val GO_KOMI: Double = settingOf("go", "komi").default as Double

private const val HISTORY = 8
private val PLANES = namesOfPlanes(HISTORY - 1)

/** The tables of a board of a size that is played. */
internal fun tablesOf(size: Int): Tables = TABLES.getValue(size).value

// Columns have no I, which looks like a 1.
private const val COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
private val NONE = IntArray(0)
private const val NO_MOVE = -1

// Made when first needed; they are for all games of a size.
private val TABLES = GO_SIZES.associateWith { lazy { Tables(it) } }

/** The empty board; GameError if the size is not 5 to 19 or the komi is no finite number. */
fun startGo(size: Int = GO_REFERENCE_SIZE, komi: Double = GO_KOMI): Go {
    val table = TABLES[size]?.value ?: throw GameError("go: size $size is not played, choose one from 5 to 19.")
    if (komi.isNaN() || komi.isInfinite()) {
        throw GameError("go: komi $komi is no number of points, choose one such as 7.5.")
    }
    val points = table.points
    val past = Go.Past(null, NO_MOVE, NONE, 0, 0L, ByteArray(points), IntArray(2))
    return Go(Go.Rules(table, komi), ByteArray(points), 0, false, past)
}

/** A position; `startGo` makes the first one. */
class Go internal constructor(
    private val rules: Rules,
    cells: ByteArray,
    override val toMove: Player,
    override val isTerminal: Boolean,
    private val past: Past,
    private val hasPass: Boolean = true,
) : CellState(cells) {
    /** What all positions of one game share. */
    internal class Rules(val table: Tables, val komi: Double) {
        val encoding = encodingOf("go", table.size, table.size)
    }

    /**
     * How a position came about, the position before included, so that a game's positions share their history.
     *
     * `hash` and `taken` (1 black, 2 white, 3 both were captured there) serve superko.
     */
    internal class Past(
        val before: Go?,
        val action: Int,
        val captured: IntArray,
        val played: Int,
        val hash: Long,
        val taken: ByteArray,
        val prisoners: IntArray,
    )

    /** The points that white gets for moving second. */
    val komi: Double get() = rules.komi

    override val actions: Int get() = cells.size + 1

    override val encoding: Encoding get() = rules.encoding

    override val pass: Int get() = cells.size

    override val lastAction: Int? get() = if (past.action == NO_MOVE) null else past.action

    /** The points that the last move took stones from, ascending. Shared: do not write to it. */
    val captured: IntArray get() = past.captured

    /** How many stones black has captured, and white, in the whole game. Shared: do not write to it. */
    val prisoners: IntArray get() = past.prisoners

    /** How many moves were made, passes counted. */
    val played: Int get() = past.played

    /** The points where a stone may be set, and the pass. */
    override fun findLegal(): IntArray {
        if (isTerminal) return NONE
        val points = rules.table.scratch().actions
        var count = 0
        for (at in cells.indices) if (isPlayable(at)) points[count++] = at
        if (hasPass || count == 0) points[count++] = pass
        return points.copyOf(count)
    }

    /** The same position for a player who is not to pass while there is a point to play on. */
    fun withoutPass(): Go = Go(rules, cells, toMove, isTerminal, past, hasPass = false)

    private fun isPlayable(at: Int): Boolean {
        if (!isEmpty(at) || !hasRoom(at)) return false
        // Only a stone that was captured before can bring an earlier board back.
        return past.taken[at].toInt() and mark(toMove) == 0 || repeatedMove(at) == NO_MOVE
    }

    private fun hasRoom(at: Int): Boolean = rules.table.scratch().hasRoom(cells, at, mark(toMove).toByte())

    /**
     * Passes end the game: after the opponent's, who is ahead wins by passing, and who is behind loses by it. A pass
     * first is lost by who is behind: the opponent passes too. (That the game ends after 3 N^2 plies is not looked at.)
     */
    override fun sudden(): Sudden {
        val legal = legalActions()
        val answers = IntArray(legal.size)
        // Stones end no game.
        if (isTerminal || legal.last() != pass) return Sudden(NONE, answers)
        val ahead = if (toMove == 0) score() else -score()
        val isSecond = lastAction == pass
        if (ahead < 0) answers[answers.size - 1] = if (isSecond) actions + 1 else 1
        return Sudden(if (isSecond && ahead > 0) intArrayOf(pass) else NONE, answers)
    }

    override fun whyIllegal(action: Int): Refusal? = refuseOutside(action) ?: when {
        action == pass -> null
        !isEmpty(action) -> Refusal(Refusal.Code.OCCUPIED)
        !hasRoom(action) -> Refusal(Refusal.Code.SUICIDE)
        else -> repeatedMove(action).takeIf { it != NO_MOVE }?.let { Refusal(Refusal.Code.SUPERKO, it) }
    }

    override fun apply(action: Int): Go = when {
        isTerminal || action !in 0..pass -> throw illegal("go", action, legalActions())
        action == pass -> makePass()
        isPlayable(action) -> place(action)
        else -> throw illegal("go", action, legalActions())
    }

    private fun makePass(): Go {
        val next = Past(this, pass, NONE, played + 1, past.hash, past.taken, past.prisoners)
        return after(cells, next, past.action == pass)
    }

    /** The position after a stone on the empty point `at`, if it is no suicide. */
    private fun place(at: Int): Go {
        val scratch = rules.table.scratch()
        val next = withPiece(cells, at, toMove)
        val count = scratch.capture(next, at)
        val hash = hashAfter(at, scratch.captured, count)
        if (count == 0) return after(next, Past(this, at, NONE, played + 1, hash, past.taken, prisoners), false)
        val captured = scratch.captured.copyOf(count)
        val more = prisoners.copyOf()
        more[toMove] += count
        return after(next, Past(this, at, captured, played + 1, hash, addTaken(captured), more), false)
    }

    override fun arranged(cells: ByteArray) = Go(rules, cells, toMove, false, past)

    private fun after(next: ByteArray, past: Past, isOver: Boolean): Go =
        Go(rules, next, other(toMove), isOver || past.played >= rules.table.limit, past)

    private fun addTaken(captured: IntArray): ByteArray {
        val taken = past.taken.copyOf()
        val foe = mark(other(toMove)).toByte()
        for (point in captured) taken[point] = taken[point] or foe
        return taken
    }

    /** The board's hash after a stone on `at` that takes the first `count` of `captured`. */
    private fun hashAfter(at: Int, captured: IntArray, count: Int): Long {
        val foe = mark(other(toMove))
        var hash = past.hash xor rules.table.keyOf(at, mark(toMove))
        for (index in 0 until count) hash = hash xor rules.table.keyOf(captured[index], foe)
        return hash
    }

    /** The number of the first move after which the board was as a stone on `at` would make it; -1 for none. */
    private fun repeatedMove(at: Int): Int {
        val scratch = rules.table.scratch()
        cells.copyInto(scratch.cells)
        scratch.cells[at] = mark(toMove).toByte()
        val count = scratch.capture(scratch.cells, at)
        val hash = hashAfter(at, scratch.captured, count)
        var found = NO_MOVE
        var state: Go? = this
        while (state != null) {
            // Boards are compared too: different ones can share a hash.
            if (state.past.hash == hash && state.cells.contentEquals(scratch.cells)) found = state.played
            state = state.past.before
        }
        return found
    }

    /** Black's area minus white's, minus the komi; positive where black is ahead. All stones count as alive. */
    fun score(): Double {
        var difference = 0
        for (owner in rules.table.scratch().area(cells)) difference += SIGNS[owner.toInt()]
        return difference - komi
    }

    /** With a whole komi a game can be drawn. */
    override fun returns(): Int = if (isTerminal) sign(score()).toInt() else 0

    /** Up to 7 plies ago; a pass is a ply. The mover is the player who moves now. */
    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("go", name, PLANES + "signed")
        if (name == "last") return lastPlane(cells.size, lastAction)
        var state: Go? = this
        for (ago in 0 until name.substringAfter('@', "0").toInt()) state = state?.past?.before
        if (state == null) return FloatArray(cells.size)
        return piecesOf(state.cells, ownerOf(name.substringBefore('@'), toMove))
    }

    /**
     * (size, size, 17), channels last: 8 boards of the mover, 8 of the opponent, and whether black is to move. It is written
     * in one go, without a plane for each name.
     */
    override fun encode(into: FloatArray) {
        val depth = encoding.planes.size
        into.fill(0f)
        var state: Go? = this
        for (ago in 0 until HISTORY) {
            draw(state ?: break, ago, into)
            state = state.past.before
        }
        if (toMove == 0) for (at in cells.indices) into[(at + 1) * depth - 1] = 1f
    }

    /** Write the stones of the position `ago` plies before into their two planes. */
    private fun draw(state: Go, ago: Int, tensor: FloatArray) {
        val depth = encoding.planes.size
        val own = mark(toMove)
        for (at in state.cells.indices) {
            val stone = state.cells[at].toInt()
            if (stone != EMPTY) tensor[at * depth + (if (stone == own) ago else HISTORY + ago)] = 1f
        }
    }

    /** The point as people write it, such as D4: columns without I, rows from the bottom; or "pass". */
    override fun label(action: Int): String = when (action) {
        in cells.indices -> "${COLUMNS[action % size]}${size - action / size}"
        pass -> "pass"
        else -> throw GameError("go: action $action is no point of this board, choose 0 to $pass.")
    }
}

// What a point adds to the difference between black and white, by its owner.
private val SIGNS = intArrayOf(0, 1, -1)
