package org.azx.app.screens.boards

import android.content.Context
import android.content.res.Configuration
import android.graphics.Bitmap
import android.graphics.Canvas
import android.os.SystemClock
import android.view.ContextThemeWrapper
import android.view.MotionEvent
import android.view.View
import android.widget.FrameLayout
import org.azx.app.R
import org.azx.app.engine.State
import org.azx.app.screens.boardFor
import org.robolectric.RuntimeEnvironment
import java.io.File

/** What a game's board shows, with the last move marked where the state has one. */
fun shownOf(
    state: State,
    heat: Map<Int, Double>? = null,
    human: Int = 0,
    canPlay: Boolean = true,
    rates: Map<Int, Double>? = null,
    points: Map<Int, Int>? = null,
) = Shown(state, human, state.lastAction, heat, canPlay, rates = rates, points = points)

/** The position after some actions. */
fun State.after(vararg actions: Int): State = actions.fold(this) { state, action -> state.apply(action) }

/** A themed context, light or dark, English or another language. */
fun themedContext(isDark: Boolean = false, language: String = "en"): Context {
    val base = RuntimeEnvironment.getApplication()
    val configuration = Configuration(base.resources.configuration)
    val night = if (isDark) Configuration.UI_MODE_NIGHT_YES else Configuration.UI_MODE_NIGHT_NO
    configuration.uiMode = (configuration.uiMode and Configuration.UI_MODE_NIGHT_MASK.inv()) or night
    configuration.setLocale(java.util.Locale.forLanguageTag(language))
    return ContextThemeWrapper(base.createConfigurationContext(configuration), R.style.AppTheme)
}

/** The board of a position, laid out at a size in pixels. */
fun boardOf(shown: Shown, width: Int, height: Int, context: Context = themedContext()): BoardView {
    val board = boardFor(context, shown.state)
    board.measure(exactly(width), exactly(height))
    board.layout(0, 0, width, height)
    board.show(shown)
    return board
}

/** A measure of just so many pixels. */
fun exactly(pixels: Int) = View.MeasureSpec.makeMeasureSpec(pixels, View.MeasureSpec.EXACTLY)

/** What a view looks like. */
fun View.picture(): Bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888).also { draw(Canvas(it)) }

/** The colours of a picture, row by row. */
fun Bitmap.pixels() = IntArray(width * height).also { getPixels(it, 0, width, 0, 0, width, height) }

/** The board on the app's background as a PNG among the screenshots. */
fun photograph(
    name: String,
    shown: Shown,
    size: Pair<Int, Int>,
    isDark: Boolean,
    prepare: (BoardView) -> Unit = {},
): File {
    val context = themedContext(isDark)
    val (width, height) = size
    val board = boardOf(shown, width - 2 * MARGIN, height - 2 * MARGIN, context)
    val page = FrameLayout(context).apply { setBackgroundColor(context.getColor(R.color.paper)) }
    val place = FrameLayout.LayoutParams(width - 2 * MARGIN, height - 2 * MARGIN)
    place.setMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    page.addView(board, place)
    prepare(board)
    page.measure(exactly(width), exactly(height))
    page.layout(0, 0, width, height)
    val folder = File(System.getProperty("screenshots", "target/screenshots"), "boards").apply { mkdirs() }
    val file = File(folder, "$name.png")
    file.outputStream().use { page.picture().compress(Bitmap.CompressFormat.PNG, 100, it) }
    return file
}

private const val MARGIN = 32

/** One touch event at a point. */
fun BoardView.touch(action: Int, x: Float, y: Float): Boolean {
    val now = SystemClock.uptimeMillis()
    val event = MotionEvent.obtain(now, now, action, x, y, 0)
    return try {
        dispatchTouchEvent(event)
    } finally {
        event.recycle()
    }
}

/** Press and release at a point. */
fun BoardView.tap(x: Float, y: Float) {
    touch(MotionEvent.ACTION_DOWN, x, y)
    touch(MotionEvent.ACTION_UP, x, y)
}

/** Keep what a board is asked to play. */
fun BoardView.recordActions(): List<Int> = mutableListOf<Int>().also { actions -> onAction = { actions.add(it) } }
