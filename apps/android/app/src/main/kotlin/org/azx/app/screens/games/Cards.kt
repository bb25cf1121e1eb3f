package org.azx.app.screens.games

import android.app.Activity
import android.view.View
import android.view.ViewGroup
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.Button
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.play.Listed
import org.azx.app.screens.Words
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.presentationOrNull
import org.azx.app.screens.say
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.showIf

/** A card for each bundle, in `list`. */
class Cards(private val activity: Activity, private val list: ViewGroup) {
    private val words = Words(activity.resources)

    fun show(bundles: List<Listed>) {
        if (bundles.isEmpty()) add(R.layout.item_hint)
        for (listed in bundles) {
            when (listed) {
                is Listed.Game -> showGame(listed)
                is Listed.Unplayable -> showUnplayable(listed)
                is Listed.Damaged -> showDamaged(listed)
            }
        }
    }

    /** The list itself cannot be read. */
    fun showFailure(sentence: String) {
        val card = add(R.layout.part_alert)
        card.findViewById<TextView>(R.id.alert_title).setText(R.string.index_damaged)
        card.findViewById<TextView>(R.id.sentence).say(words.failure(sentence))
    }

    private fun add(layout: Int): View = activity.layoutInflater.inflate(layout, list, false).also(list::addView)

    private fun addNamed(layout: Int, entry: Entry): View = add(layout).also { card ->
        card.findViewById<TextView>(R.id.title).say(words.title(entry))
        val presentation = entry.game?.let(::presentationOrNull)
        if (presentation != null) card.findViewById<ImageView>(R.id.picture).setImageResource(presentation.picture)
    }

    private fun showGame(game: Listed.Game) {
        val card = addNamed(R.layout.item_game, game.entry)
        card.findViewById<View>(R.id.alert).showIf(false)
        card.findViewById<TextView>(R.id.details).say(details(game))
        connect(card, game)
    }

    private fun details(game: Listed.Game): String {
        val count = game.bundle.manifest.checkpoint.parameters
        val about = size(game.bundle.reading.start()) + " · " + words.parameters(count)
        val state = if (game.isUnderWay) words.say(R.string.game_in_progress) else finished(game)
        return listOfNotNull(about, state).joinToString("\n")
    }

    private fun finished(game: Listed.Game): String? {
        val presentation = game.entry.game?.let(::presentationOrNull) ?: return null
        return game.finished?.let { words.finished(it, presentation) }
    }

    private fun size(state: State): String = when (state) {
        is DotsAndBoxes -> words.say(R.string.grid_size, state.size, state.size)
        is Connect4 -> words.say(R.string.grid_size, state.board[1], state.board[0])
        else -> words.say(R.string.grid_size, state.board[0], state.board[1])
    }

    private fun connect(card: View, game: Listed.Game) {
        val play = { activity.startActivity(PlayActivity.intent(activity, game.entry.name)) }
        card.setOnClickListener { play() }
        card.findViewById<Button>(R.id.play).run {
            setText(if (game.isUnderWay) R.string.resume_game else R.string.play)
            val label = if (game.isUnderWay) R.string.resume_label else R.string.play_label
            contentDescription = words.say(label, words.title(game.entry))
            setOnClickListener { play() }
        }
        connectSelfTest(card, game.entry)
    }

    private fun connectSelfTest(card: View, entry: Entry) = card.findViewById<Button>(R.id.self_test).run {
        contentDescription = words.say(R.string.self_test_label, words.title(entry))
        setOnClickListener { startSelfTest(entry) }
    }

    private fun startSelfTest(entry: Entry) = activity.startActivity(SelfTestActivity.intent(activity, entry.name))

    private fun showUnplayable(listed: Listed.Unplayable) {
        val (bundle, entry) = listed.bundle to listed.entry
        val card = addNamed(R.layout.item_unplayable, entry)
        val why = words.unplayable(bundle.problems, bundle.untestable)
        card.findViewById<TextView>(R.id.details).say(words.parameters(bundle.manifest.checkpoint.parameters))
        card.findViewById<TextView>(R.id.why).say(why)
        card.contentDescription = words.say(R.string.two_sentences, "${words.title(entry)}.", why)
        card.findViewById<View>(R.id.self_test).showIf(bundle.untestable == null)
        if (bundle.untestable != null) return
        connectSelfTest(card, entry)
        card.setOnClickListener { startSelfTest(entry) }
        card.accessibilityDelegate = Opens(words.say(R.string.self_test))
    }

    private fun showDamaged(damaged: Listed.Damaged) {
        val card = addNamed(R.layout.item_game, damaged.entry)
        card.findViewById<TextView>(R.id.sentence).say(words.failure(damaged.failure))
        card.findViewById<View>(R.id.details).showIf(false)
        card.findViewById<View>(R.id.buttons).showIf(false)
    }

    /** A screen reader says what a tap opens, as a card that cannot be played does not open its game. */
    private class Opens(private val what: String) : View.AccessibilityDelegate() {
        override fun onInitializeAccessibilityNodeInfo(host: View, info: AccessibilityNodeInfo) {
            super.onInitializeAccessibilityNodeInfo(host, info)
            info.addAction(AccessibilityNodeInfo.AccessibilityAction(AccessibilityNodeInfo.ACTION_CLICK, what))
        }
    }
}
