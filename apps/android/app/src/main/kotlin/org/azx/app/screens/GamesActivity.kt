package org.azx.app.screens

import android.app.Activity
import android.content.res.Resources
import android.os.Bundle
import android.view.View
import android.widget.LinearLayout
import org.azx.app.R

/** The installed games. */
class GamesActivity : Activity() {
    private lateinit var worker: Worker

    /** Whether the list is still being read. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_games)
        title = getString(R.string.games)
        worker = Worker("azx games")
    }

    /** Read anew each time, as a game may have begun. */
    override fun onStart() {
        super.onStart()
        val app = applicationContext
        worker.ask({ gamesIn(app) }) { answer ->
            val cards = Cards(this, findViewById<LinearLayout>(R.id.list).apply { removeAllViews() })
            answer.fold(cards::show) { cards.showFailure(sentenceOf(it)) }
            findViewById<View>(R.id.opening).showIf(false)
        }
    }

    override fun onDestroy() {
        super.onDestroy()
        worker.close()
    }
}

/** How many parameters a network has, in words. */
fun parameters(resources: Resources, words: Words, count: Long): String {
    val quantity = count.coerceAtMost(Int.MAX_VALUE.toLong()).toInt()
    return resources.getQuantityString(R.plurals.parameters, quantity, words.number(count))
}
