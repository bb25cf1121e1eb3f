/** Connect4 against the network of a bundle: a board, the rules, and a search that asks the network. */
package org.example.connect4

import android.app.Activity
import android.content.Context
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.Paint
import android.os.Bundle
import android.view.Gravity
import android.view.MotionEvent
import android.view.View
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.readIndex
import org.azx.app.engine.Search
import org.azx.app.engine.State
import org.azx.app.network.TfLite
import java.util.concurrent.Executors
import kotlin.math.min
import org.azx.app.bundle.Bundle as NetworkBundle

private const val SIMULATIONS = 200
private const val ROWS = 6
private const val COLUMNS = 7

class MainActivity : Activity() {
    /** The network and the search live on a thread of their own: a move takes longer than a frame. */
    private val worker = Executors.newSingleThreadExecutor()
    private lateinit var board: BoardView
    private lateinit var status: TextView
    private lateinit var bundle: NetworkBundle
    private var network: TfLite? = null

    /** The position on the board, null until the network is there. Nothing changes it: `apply` makes the next one. */
    private var state: State? = null

    override fun onCreate(saved: Bundle?) {
        super.onCreate(saved)
        board = BoardView(this, ::play)
        status = TextView(this).apply { textSize = 20f }
        val again = Button(this).apply {
            text = "New game"
            setOnClickListener { begin() }
        }
        val column = LinearLayout(this).apply {
            orientation = LinearLayout.VERTICAL
            gravity = Gravity.CENTER
            addView(status)
            addView(board)
            addView(again)
        }
        setContentView(column)
        status.text = "Loading the network"
        worker.execute {
            val said = try {
                open()
                null
            } catch (error: RuntimeException) {
                error.message
            }
            runOnUiThread { if (said == null) begin() else status.text = said }
        }
    }

    /** Read the bundle that `azx install` has put among the assets. Each file is checked by its SHA-256. */
    private fun open() {
        val store = AssetStore(assets)
        bundle = NetworkBundle.open(readIndex(store).first { it.name == "connect4" }, store)
        network = TfLite(bundle.model(), bundle.manifest, bundle.reading)
    }

    private fun begin() {
        if (network != null) show(bundle.reading.start())
    }

    /** A person's disc falls in a column, and the network answers. */
    private fun play(column: Int) {
        val before = state?.takeIf { it.toMove == 0 } ?: return
        val action = before.legalActions().firstOrNull { it % COLUMNS == column } ?: return
        val asked = before.apply(action)
        show(asked)
        if (!asked.isTerminal) worker.execute { answer(asked) }
    }

    private fun answer(asked: State) {
        val search = Search(asked, network ?: return, proves = true, settings = bundle.search)
        search.run(SIMULATIONS)
        val next = asked.apply(search.bestAction())
        // A new game may have begun meanwhile.
        runOnUiThread { if (state === asked) show(next) }
    }

    private fun show(next: State) {
        state = next
        board.show(next)
        status.text = when {
            next.isTerminal && next.returns() == 0 -> "A draw"
            next.isTerminal -> if (next.returns() > 0) "You have won" else "The network has won"
            next.toMove == 0 -> "Your turn: tap a column"
            else -> "The network is thinking"
        }
    }

    override fun onDestroy() {
        super.onDestroy()
        // Behind what is still thinking.
        worker.execute { network?.close() }
        worker.shutdown()
    }
}

/** Seven columns of six cells; `play` hears which column was tapped. */
private class BoardView(context: Context, private val play: (Int) -> Unit) : View(context) {
    private val paint = Paint(Paint.ANTI_ALIAS_FLAG)
    private var red = FloatArray(ROWS * COLUMNS)
    private var yellow = FloatArray(ROWS * COLUMNS)

    fun show(state: State) {
        // Row 0 is on top; 1 is a disc of that player.
        red = state.plane("player0")
        yellow = state.plane("player1")
        invalidate()
    }

    override fun onMeasure(widthSpec: Int, heightSpec: Int) {
        val width = min(MeasureSpec.getSize(widthSpec), MeasureSpec.getSize(heightSpec))
        setMeasuredDimension(width, width * ROWS / COLUMNS)
    }

    override fun onDraw(canvas: Canvas) {
        canvas.drawColor(Color.rgb(36, 81, 122))
        val cell = width.toFloat() / COLUMNS
        for (at in red.indices) {
            paint.color = when {
                red[at] != 0f -> Color.rgb(211, 56, 47)
                yellow[at] != 0f -> Color.rgb(242, 192, 55)
                else -> Color.rgb(244, 241, 234)
            }
            canvas.drawCircle((at % COLUMNS + 0.5f) * cell, (at / COLUMNS + 0.5f) * cell, 0.42f * cell, paint)
        }
    }

    override fun onTouchEvent(event: MotionEvent): Boolean {
        if (event.action == MotionEvent.ACTION_UP) performClick()
        if (event.action == MotionEvent.ACTION_UP) play((event.x * COLUMNS / width).toInt().coerceIn(0, COLUMNS - 1))
        return true
    }
}
