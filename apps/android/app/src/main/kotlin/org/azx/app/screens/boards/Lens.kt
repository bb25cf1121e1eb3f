/** What a finger hides, enlarged above it: for boards whose points are smaller than a finger. */
package org.azx.app.screens.boards

import android.graphics.Canvas
import android.graphics.Color
import android.graphics.ColorFilter
import android.graphics.Path
import android.graphics.PixelFormat
import android.graphics.RectF
import android.graphics.drawable.Drawable
import android.view.ViewGroup
import kotlin.math.max

/**
 * A round magnifier over everything in the window of `board`, which `draw` draws; `pitch` is the distance of two points
 * in pixels. It stays hidden while the board is in no window.
 */
internal class Lens(
    private val board: BoardView,
    private val palette: Palette,
    private val draw: (Canvas) -> Unit,
) : Drawable() {
    private val density = board.resources.displayMetrics.density
    private val radius = RADIUS_DP * density
    private val circle = Path()
    private val corner = IntArray(2)
    private val spotBounds = RectF()
    private var root: ViewGroup? = null
    private var zoom = 1f

    /** Show the surroundings of `spot`, above a finger at a point of the board in pixels. */
    fun show(spot: Int, pitch: Float, x: Float, y: Float) {
        val root = root ?: board.rootView as? ViewGroup ?: return
        board.boundsOf(spot, spotBounds)
        board.getLocationInWindow(corner)
        zoom = max(LEAST_ZOOM, POINT_DP * density / pitch)
        place(root, corner[0] + x, corner[1] + y)
        if (this.root == null) root.overlay.add(this)
        this.root = root
        invalidateSelf()
    }

    /** Above the finger, or beside it at the window's edge; a point of the window in pixels. */
    private fun place(root: ViewGroup, x: Float, y: Float) {
        val far = radius + GAP_DP * density
        val above = y - far
        val centreY = max(above, radius)
        val centreX = when {
            above >= radius -> x
            x - far >= radius -> x - far
            else -> x + far
        }
        val within = centreX.coerceIn(radius, max(radius, root.width - radius))
        setBounds(
            (within - radius).toInt(),
            (centreY - radius).toInt(),
            (within + radius).toInt(),
            (centreY + radius).toInt(),
        )
    }

    fun hide() {
        root?.overlay?.remove(this)
        root = null
    }

    override fun draw(canvas: Canvas) {
        val (x, y) = bounds.exactCenterX() to bounds.exactCenterY()
        circle.reset()
        circle.addCircle(x, y, radius - RIM_DP * density, Path.Direction.CW)
        canvas.save()
        canvas.clipPath(circle)
        canvas.drawPath(circle, palette.fill(palette.card))
        canvas.translate(x, y)
        canvas.scale(zoom, zoom)
        canvas.translate(-spotBounds.centerX(), -spotBounds.centerY())
        draw.invoke(canvas)
        canvas.restore()
        val rim = radius - RIM_DP * density
        canvas.drawCircle(x, y, rim, palette.stroke(Color.WHITE, 2 * RIM_DP * density))
        canvas.drawCircle(x, y, rim, palette.stroke(palette.accent, RIM_DP * density))
    }

    override fun setAlpha(alpha: Int) = Unit

    override fun setColorFilter(filter: ColorFilter?) = Unit

    @Deprecated("Android asks for it all the same.")
    override fun getOpacity(): Int = PixelFormat.TRANSLUCENT

    companion object {
        /** A board has a lens if its points are closer than this. */
        const val NEEDED_BELOW_DP = 32
        private const val RADIUS_DP = 72
        private const val RIM_DP = 3

        /** Between a finger's middle and the lens. */
        private const val GAP_DP = 28

        /** What two points are apart in the lens. */
        private const val POINT_DP = 44
        private const val LEAST_ZOOM = 1.5f
    }
}
