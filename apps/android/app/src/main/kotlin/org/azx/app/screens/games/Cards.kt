package org.azx.app.screens.games

import android.app.Activity
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Bundle
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.GAMES
import org.azx.app.play.Listed
import org.azx.app.screens.Words
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.presentationOrNull
import org.azx.app.screens.say
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.showIf

/** A card for each game, in `list`. */
class Cards(private val activity: Activity, private val list: ViewGroup) {
    private val words = Words(activity.resources)

    fun show(games: List<Listed>) {
        if (games.isEmpty()) add(R.layout.item_hint)
        for (game in games) showGame(game)
    }

    /** The list itself cannot be read. */
    fun showFailure(sentence: String) {
        val card = add(R.layout.part_alert)
        card.findViewById<TextView>(R.id.alert_title).setText(R.string.index_damaged)
        card.findViewById<TextView>(R.id.sentence).say(sentence)
    }

    private fun add(layout: Int): View = activity.layoutInflater.inflate(layout, list, false).also(list::addView)

    private fun showGame(game: Listed) {
        val card = add(R.layout.item_game)
        val title = title(game)
        card.findViewById<TextView>(R.id.title).say(title)
        val presentation = game.entry.game?.let(::presentationOrNull)
        if (presentation != null) card.findViewById<ImageView>(R.id.picture).setImageResource(presentation.picture)
        card.findViewById<View>(R.id.alert).showIf(game.failure != null)
        card.findViewById<TextView>(R.id.sentence).say(game.failure ?: "")
        card.findViewById<View>(R.id.details).showIf(game.bundle != null)
        card.findViewById<View>(R.id.buttons).showIf(game.bundle != null)
        val bundle = game.bundle ?: return
        card.findViewById<TextView>(R.id.details).say(details(game, bundle))
        connect(card, title, game)
    }

    private fun title(game: Listed): String {
        val known = GAMES[game.entry.game] ?: return game.entry.title
        return words.title(game.entry.title, known.name, known.title)
    }

    private fun details(game: Listed, bundle: Bundle): String {
        val count = bundle.manifest.checkpoint.parameters
        val about = size(bundle.reading.start()) + " · " + words.parameters(count)
        return if (game.isUnderWay) about + "\n" + words.say(R.string.game_in_progress) else about
    }

    private fun size(state: State): String = when (state) {
        is DotsAndBoxes -> words.say(R.string.grid_size, state.size, state.size)
        is Connect4 -> words.say(R.string.grid_size, state.board[1], state.board[0])
        else -> words.say(R.string.grid_size, state.board[0], state.board[1])
    }

    private fun connect(card: View, title: String, game: Listed) {
        val (name, play) = game.entry.name to { activity.startActivity(PlayActivity.intent(activity, game.entry.name)) }
        card.setOnClickListener { play() }
        card.findViewById<Button>(R.id.play).run {
            setText(if (game.isUnderWay) R.string.resume_game else R.string.play)
            contentDescription = words.say(if (game.isUnderWay) R.string.resume_label else R.string.play_label, title)
            setOnClickListener { play() }
        }
        card.findViewById<Button>(R.id.self_test).run {
            contentDescription = words.say(R.string.self_test_label, title)
            setOnClickListener { activity.startActivity(SelfTestActivity.intent(activity, name)) }
        }
    }
}
