/** What every board does: keep its shape, hear fingers, keys and TalkBack, and show a position. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.Rect
import android.graphics.RectF
import android.view.InputDevice
import android.view.KeyEvent
import android.view.MotionEvent
import android.view.View
import android.view.accessibility.AccessibilityNodeProvider
import org.azx.app.R
import org.azx.app.engine.Player
import org.azx.app.engine.State
import org.azx.app.play.Counted
import kotlin.math.floor
import kotlin.math.max
import kotlin.math.min
import kotlin.math.round

/**
 * Everything that a board shows.
 *
 * `last` is the last move that was no forced pass. `heat` has the share, 0 to 1, of each considered action. If `canPlay`
 * is false the board does not invite to play, but still reports taps. `counted` holds dead stones and areas, null if all
 * stones count. Of the actions that a search considers, `rates` has the chances, 0 to 1, `points` the gains or losses against
 * the best. `best` are the equally good ones. null if unknown. `better` is a better move than the last one.
 */
class Shown(
    val state: State,
    val human: Player,
    val last: Int?,
    val heat: Map<Int, Double>?,
    val canPlay: Boolean,
    val counted: Counted? = null,
    val rates: Map<Int, Double>? = null,
    val better: Int? = null,
    val points: Map<Int, Int>? = null,
    val best: Set<Int>? = null,
) {
    internal val hint = Heat(heat, rates, points, best)
}

/**
 * A board of spots (columns, edges, cells), each of which a person can choose.
 *
 * `onAction` hears which action a person wants, legal or not. The board keeps its shape, centred in the view.
 */
abstract class BoardView(context: Context) : View(context) {
    var onAction: ((Int) -> Unit)? = null

    /** The position that is shown; null before the first `show`. */
    var shown: Shown? = null
        private set

    /** How many spots there are; they are numbered from 0. */
    abstract val spots: Int

    /** Width divided by height. */
    protected abstract val ratio: Float

    /** The side of a cell, or the way from dot to dot, and the corner of the first one, in pixels. */
    protected var cell = 0f
    protected var left = 0f
    protected var top = 0f

    /** The cells and the margin around them. */
    protected val body = RectF()

    /** The distance of two spots in pixels, on boards whose spots may be smaller than a finger. */
    protected open val pitch: Float get() = Float.MAX_VALUE

    /** What moves a piece to its full size, on boards where none falls. */
    internal val growing = Growing(::invalidate)

    protected val palette = Palette(context)
    protected val density: Float = resources.displayMetrics.density

    /** The spot under a finger or a mouse; NONE without one. */
    protected var touched = NONE
        private set(spot) {
            if (field != spot) invalidate()
            field = spot
        }

    /** Whether a finger is down and sees its spot in the lens. */
    private var isAiming = false

    /** The spot that the keys have reached and `performClick` plays. */
    var cursor = 0
        private set

    private val nodes by lazy { SpotNodes(this) }
    private val lens by lazy { Lens(this, palette) { canvas -> shown?.let { drawBoard(canvas, it) } } }
    private val needsLens get() = pitch < Lens.NEEDED_BELOW_DP * density

    // A finger that rests aims: what it does then scrolls no page.
    private val aim = Runnable { parent?.requestDisallowInterceptTouchEvent(true) }
    private val frame = RectF()
    private val ring = RectF()

    init {
        isFocusable = true
        isClickable = true
        // The ring around the cursor says where the focus is.
        defaultFocusHighlightEnabled = false
        importantForAccessibility = IMPORTANT_FOR_ACCESSIBILITY_YES
    }

    fun show(shown: Shown) {
        val before = this.shown
        this.shown = shown
        onShown(before, shown)
        if (before?.state !== shown.state) move(before, shown)
        nodes.tellChange(before, shown)
        if (!shown.canPlay && needsLens) touched = NONE
        if (!shown.canPlay) endAim()
        invalidate()
    }

    /** Called by `show` before the position is drawn. */
    protected open fun onShown(before: Shown?, now: Shown) = Unit

    /** Let the piece of a move from `before` grow; all other pieces are there at once. */
    protected open fun move(before: Shown?, now: Shown) {
        val last = now.last
        // What is taken back, or shown again, was there before.
        val isNew = last != null && last < spots && before?.state?.whyIllegal(last) == null && before != null
        if (isNew && now.state.lastAction == last) growing.start(last!!) else growing.stop()
    }

    /** Find each part's place; `frame` has the right shape, in pixels. */
    protected abstract fun layOut(frame: RectF)

    /** Put cells of whole pixels into the middle of `frame`, with a margin of `margin` cells. */
    protected fun placeCells(frame: RectF, columns: Int, rows: Int, margin: Float = 0f) {
        cell = max(1f, floor(min(frame.width() / (columns + 2 * margin), frame.height() / (rows + 2 * margin))))
        left = round(frame.centerX() - cell * columns / 2)
        top = round(frame.centerY() - cell * rows / 2)
        body.set(left, top, left + columns * cell, top + rows * cell)
        body.inset(-margin * cell, -margin * cell)
    }

    protected abstract fun drawBoard(canvas: Canvas, shown: Shown)

    /** The spot at a point of the view in pixels; NONE outside. */
    abstract fun spotAt(x: Float, y: Float): Int

    /** The rectangle of a spot in pixels of the view. */
    abstract fun boundsOf(spot: Int, into: RectF)

    /** What choosing a spot plays, legal or not. */
    abstract fun actionOf(spot: Int): Int

    /** What TalkBack says of the whole board. */
    abstract fun title(): String

    /** What TalkBack says of a spot. */
    abstract fun describe(spot: Int): String

    /** What TalkBack says when `action` has been played; null for nothing. */
    abstract fun announce(action: Int): String?

    /** A disc of a hint around a point: its size says how much the action is considered, a ring that none is better. */
    protected fun drawHint(canvas: Canvas, action: Int, x: Float, y: Float, radius: Float, size: Float) {
        val strength = shown?.hint?.strength(action) ?: return
        val isBest = shown?.hint?.isBest(action) == true
        val own = radius * (if (isBest) 1f else LEAST_DISC + (1 - LEAST_DISC) * strength)
        val (ground, ink) = if (isBest) palette.accent to palette.onAccent else palette.card to palette.accent
        canvas.drawCircle(x, y, own, palette.fill(ground))
        val rim = max(1.5f * density, own * 0.09f)
        canvas.drawCircle(x, y, own - rim / 2, palette.stroke(if (isBest) Color.WHITE else palette.accent, rim))
        palette.write(canvas, shown?.hint?.figure(action).orEmpty(), x, y, size, ink)
    }

    protected fun say(id: Int, vararg places: Any?): String = resources.getString(id, *places)

    /** The words that are not null, and what a hint says of the spot's action, in one sentence. */
    protected fun sentence(spot: Int, vararg words: String?): String =
        listOfNotNull(*words, hinted(actionOf(spot))).joinToString(say(R.string.board_comma))

    /** What a hint says of an action, as its figure does; null below one percent of the share. */
    private fun hinted(action: Int): String? {
        val hint = shown?.hint ?: return null
        val percent = hint.percent(action) ?: return null
        hint.against(action)?.let { return say(R.string.board_against, it) }
        return say(if (hint.hasRate(action)) R.string.board_rate else R.string.board_share, percent)
    }

    fun isOpen(spot: Int): Boolean = shown?.let { it.canPlay && it.state.whyIllegal(actionOf(spot)) == null } ?: false

    fun choose(spot: Int) {
        if (shown != null && spot in 0 until spots) onAction?.invoke(actionOf(spot))
    }

    override fun performClick(): Boolean {
        super.performClick()
        choose(cursor)
        return true
    }

    override fun onMeasure(widthMeasureSpec: Int, heightMeasureSpec: Int) {
        val room = min(roomOf(widthMeasureSpec), roomOf(heightMeasureSpec) * ratio)
        val width = max(min(room, LARGEST_DP * density), LEAST_DP * density)
        setMeasuredDimension(
            resolveSize(width.toInt(), widthMeasureSpec),
            resolveSize((width / ratio).toInt(), heightMeasureSpec),
        )
    }

    private fun roomOf(spec: Int): Float = if (MeasureSpec.getMode(spec) == MeasureSpec.UNSPECIFIED) {
        LARGEST_DP * density
    } else {
        MeasureSpec.getSize(spec).toFloat()
    }

    override fun onSizeChanged(width: Int, height: Int, oldWidth: Int, oldHeight: Int) {
        val side = min(width.toFloat(), height * ratio)
        val (left, top) = floor((width - side) / 2) to floor((height - side / ratio) / 2)
        frame.set(left, top, left + side, top + side / ratio)
        layOut(frame)
    }

    override fun onDraw(canvas: Canvas) {
        val shown = shown ?: return
        drawBoard(canvas, shown)
        val better = (0 until spots).firstOrNull { actionOf(it) == shown.better }
        if (better != null) drawRing(canvas, better, palette.win)
        if (isFocused && !isInTouchMode) drawRing(canvas, cursor, palette.accent)
    }

    /** A ring around a spot: two colours, so that it is seen on any ground. */
    private fun drawRing(canvas: Canvas, spot: Int, colour: Int) {
        boundsOf(spot, ring)
        val (inset, corner) = 2 * density to 8 * density
        ring.inset(inset, inset)
        canvas.drawRoundRect(ring, corner, corner, palette.stroke(Color.WHITE, 5 * density))
        canvas.drawRoundRect(ring, corner, corner, palette.stroke(colour, 3 * density))
    }

    override fun onTouchEvent(event: MotionEvent): Boolean {
        val spot = spotAt(event.x, event.y)
        when (event.actionMasked) {
            MotionEvent.ACTION_DOWN -> press(spot, event)
            MotionEvent.ACTION_MOVE -> slide(spot, event)
            MotionEvent.ACTION_UP -> release(spot)
            MotionEvent.ACTION_CANCEL, MotionEvent.ACTION_POINTER_DOWN -> touched = NONE
        }
        if (touched == NONE) endAim()
        return event.actionMasked != MotionEvent.ACTION_DOWN || spot != NONE
    }

    private fun press(spot: Int, event: MotionEvent) {
        touched = spot
        if (spot == NONE || !needsLens || shown?.canPlay != true || event.isFromSource(InputDevice.SOURCE_MOUSE)) return
        isAiming = true
        lens.show(spot, pitch, event.x, event.y)
        postDelayed(aim, REST_MILLISECONDS)
    }

    /** With a lens the spot follows the finger; without one the touch ends outside its spot. */
    private fun slide(spot: Int, event: MotionEvent) {
        if (touched == NONE) return
        if (!isAiming || spot == NONE) {
            if (spot != touched) touched = NONE
            return
        }
        touched = spot
        lens.show(spot, pitch, event.x, event.y)
    }

    private fun endAim() {
        if (!isAiming) return
        isAiming = false
        removeCallbacks(aim)
        lens.hide()
    }

    private fun release(spot: Int) {
        val isPlayed = spot != NONE && spot == touched
        touched = NONE
        if (!isPlayed) return
        cursor = spot
        performClick()
    }

    override fun onDetachedFromWindow() {
        super.onDetachedFromWindow()
        growing.stop()
        endAim()
    }

    override fun onHoverEvent(event: MotionEvent): Boolean {
        touched = if (event.actionMasked == MotionEvent.ACTION_HOVER_EXIT) NONE else spotAt(event.x, event.y)
        return true
    }

    override fun dispatchHoverEvent(event: MotionEvent): Boolean = nodes.hover(event) || super.dispatchHoverEvent(event)

    override fun onKeyDown(keyCode: Int, event: KeyEvent): Boolean {
        val spot = spotBeside(cursor, keyCode)
        if (spot == NONE) return super.onKeyDown(keyCode, event)
        cursor = spot
        nodes.tellFocus(spot)
        invalidate()
        return true
    }

    override fun onFocusChanged(gainFocus: Boolean, direction: Int, previouslyFocusedRect: Rect?) {
        super.onFocusChanged(gainFocus, direction, previouslyFocusedRect)
        invalidate()
    }

    override fun getAccessibilityNodeProvider(): AccessibilityNodeProvider = nodes

    companion object {
        /** No spot at all. */
        const val NONE = -1
        private const val LEAST_DP = 200

        /** The radius of the disc of an action that is hardly considered, in that of the best one. */
        private const val LEAST_DISC = 0.78f

        // A finger that scrolls has moved on by then.
        private const val REST_MILLISECONDS = 150L
        private const val LARGEST_DP = 640
    }
}
