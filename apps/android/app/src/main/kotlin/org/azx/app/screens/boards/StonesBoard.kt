/** Gomoku and Go: stones on the points of a wooden board; Reversi: discs in the cells of a green one. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.RectF
import org.azx.app.R
import org.azx.app.engine.EMPTY
import org.azx.app.engine.Refusal
import org.azx.app.engine.games.CellState
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Gomoku
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.areasWithout
import org.azx.app.engine.mark
import kotlin.math.max

/** A spot is a point, or a cell if `isFelt`. A pass is no spot: Go's screen has a button for it. */
class StonesBoard(context: Context, size: Int, private val isFelt: Boolean = false) : GridBoard(context, size) {
    private lateinit var wood: Wood
    private lateinit var stones: Stones
    private var columns = emptyList<String>()
    private var rows = emptyList<String>()
    private var forbidden: Map<Int, Refusal> = emptyMap()
    private var line = IntArray(0)
    private var areas: List<IntArray> = emptyList()
    private var dead: Set<Int> = emptySet()

    /** Where a person may put a disc. */
    private var open = IntArray(0)

    override fun layOut(frame: RectF) {
        wood = Wood(size, frame, palette, density, isFelt)
        cell = wood.cell
        left = wood.left
        top = wood.top
        stones = Stones(cell * if (isFelt) DISC_RADIUS else RADIUS)
    }

    override fun onShown(before: Shown?, now: Shown) {
        val state = now.state
        columns = (0 until size).map { state.label(it).takeWhile(Char::isLetter) }
        rows = (0 until size).map { state.label(it * size).dropWhile(Char::isLetter) }
        forbidden = (state as? Gomoku)?.forbiddenPoints().orEmpty()
        line = (state as? CellState)?.winningLine() ?: IntArray(0)
        areas = now.counted?.areas ?: (state as? Go)?.takeIf { it.isTerminal }?.areasWithout().orEmpty()
        dead = now.counted?.dead.orEmpty()
        open = (state as? Reversi)?.moves?.takeIf { now.canPlay } ?: IntArray(0)
    }

    override fun drawBoard(canvas: Canvas, shown: Shown) {
        wood.draw(canvas, columns, rows)
        if (shown.canPlay && touched != NONE) drawAim(canvas)
        val heat = shown.hint
        val cells = cells
        for (at in cells.indices) {
            val piece = cells[at].toInt()
            if (piece == EMPTY) drawEmpty(canvas, at, heat) else drawStone(canvas, at, piece)
        }
        if (touched != NONE && isOpen(touched)) {
            stones.drawGhost(canvas, mark(shown.state.toMove), centreX(touched), centreY(touched))
        }
        // A stone that still grows has no marks yet.
        if (!growing.isUnderWay) drawMarks(canvas, shown)
    }

    /** The row and the column of the point that is touched, as a finger hides the point itself. */
    private fun drawAim(canvas: Canvas) {
        val paint = palette.stroke(fade(palette.accent, 0.75f), max(2f, cell * 0.08f))
        canvas.drawLine(left, centreY(touched), left + size * cell, centreY(touched), paint)
        canvas.drawLine(centreX(touched), top, centreX(touched), top + size * cell, paint)
    }

    /** A stone, faint if it is dead. */
    private fun drawStone(canvas: Canvas, at: Int, piece: Int) {
        val (x, y) = centreX(at) to centreY(at)
        if (at !in dead) return drawGrowing(canvas, at) { stones.draw(canvas, piece, x, y) }
        canvas.saveLayerAlpha(x - cell, y - cell, x + cell, y + cell, FAINT)
        stones.draw(canvas, piece, x, y)
        canvas.restore()
    }

    /** A stone is never smaller than a part of itself. */
    private fun drawGrowing(canvas: Canvas, at: Int, draw: () -> Unit) {
        val share = FIRST + (1 - FIRST) * growing.of(at)
        canvas.save()
        canvas.scale(share, share, centreX(at), centreY(at))
        draw()
        canvas.restore()
    }

    private fun drawEmpty(canvas: Canvas, at: Int, heat: Heat) {
        if (at in forbidden) {
            val paint = palette.stroke(palette.forbidden, max(2f, cell * 0.09f))
            canvas.drawCross(centreX(at), centreY(at), cell * 0.2f, paint)
        }
        if (heat.strength(at) == null && at in open) {
            canvas.drawCircle(centreX(at), centreY(at), cell * 0.12f, palette.fill(fade(Color.BLACK, 0.45f)))
        }
        drawHint(canvas, at, centreX(at), centreY(at), cell * 0.45f, cell * 0.4f)
    }

    private fun drawMarks(canvas: Canvas, shown: Shown) {
        val state = shown.state
        for (at in line) drawRing(canvas, at, 0.45f, palette.winRing, 0.12f)
        if (state is Go) drawCaptured(canvas, state)
        areas.forEachIndexed { owner, points -> for (at in points) drawArea(canvas, at, mark(owner)) }
        val last = shown.last ?: return
        if (last >= spots || cells[last].toInt() == EMPTY) return
        drawRing(canvas, last, 0.22f, palette.red, 0.09f)
    }

    private fun drawCaptured(canvas: Canvas, state: Go) {
        for (at in state.captured) {
            if (state.cells[at].toInt() == EMPTY) drawRing(canvas, at, 0.14f, palette.forbidden, 0.06f)
        }
    }

    /** A ring on a point; its radius and its width in cells. */
    private fun drawRing(canvas: Canvas, at: Int, radius: Float, colour: Int, width: Float) {
        val paint = palette.stroke(colour, max(2f, cell * width))
        canvas.drawCircle(centreX(at), centreY(at), cell * radius, paint)
    }

    /** A small square of the owner's colour on a point that has no stone, or a dead one. */
    private fun drawArea(canvas: Canvas, at: Int, owner: Int) {
        if (cells[at].toInt() != EMPTY && at !in dead) return
        val (x, y) = centreX(at) to centreY(at)
        val half = cell * 0.15f
        val rim = half + max(1f, cell * 0.03f)
        canvas.drawRect(x - rim, y - rim, x + rim, y + rim, palette.fill(Color.DKGRAY))
        val colour = if (owner == 1) Color.BLACK else Color.WHITE
        canvas.drawRect(x - half, y - half, x + half, y + half, palette.fill(colour))
    }

    override fun pieceName(piece: Int): String = say(if (piece == 1) R.string.board_black else R.string.board_white)

    override fun whyForbidden(at: Int): String? {
        val why = when (forbidden[at]?.code ?: return null) {
            Refusal.Code.OVERLINE -> R.string.board_overline
            Refusal.Code.DOUBLE_FOUR -> R.string.board_double_four
            else -> R.string.board_double_three
        }
        return say(R.string.board_forbidden, say(why))
    }

    override fun title(): String = when (shown?.state) {
        is Go -> say(R.string.board_go, size)
        is Reversi -> say(R.string.board_reversi, size)
        else -> say(R.string.board_gomoku, size)
    }

    override fun announce(action: Int): String? {
        val state = shown?.state ?: return null
        if (action != state.pass) return super.announce(action)
        return say(R.string.board_passes, pieceName(mark(1 - state.toMove)))
    }

    private companion object {
        /** Of a stone, in cells. */
        const val RADIUS = 0.47f
        const val DISC_RADIUS = 0.41f

        /** The size of a stone that begins to grow, of its full size. */
        const val FIRST = 0.4f

        /** How much of a dead stone is seen, of 255. */
        const val FAINT = 95
    }
}
