package org.azx.app.screens.games

import android.app.Activity
import android.graphics.Bitmap
import android.view.View
import android.view.ViewGroup
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.Button
import android.widget.ImageView
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Doubt
import org.azx.app.bundle.Entry
import org.azx.app.bundle.Text
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.GAMES
import org.azx.app.play.Listed
import org.azx.app.play.Worker
import org.azx.app.play.positionFor
import org.azx.app.screens.ReadingWords
import org.azx.app.screens.Words
import org.azx.app.screens.add
import org.azx.app.screens.boardPicture
import org.azx.app.screens.onNodeInfo
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.presentationOf
import org.azx.app.screens.presentationOrNull
import org.azx.app.screens.say
import org.azx.app.screens.self_test.SelfTestActivity
import org.azx.app.screens.showIf
import org.azx.app.screens.wordsIn

/** From this number of bundles on the list has a search. */
const val MANY = 10

/**
 * A card for each bundle, in `list`, with the board of its game; many stand under the names of their games. `remove` is
 * asked to remove one, `open` to open one if there is none, `ask` how one sees the board.
 */
class Cards(
    private val activity: Activity,
    private val list: ViewGroup,
    private val worker: Worker,
    private val remove: (Entry) -> Unit,
    private val open: () -> Unit,
    private val ask: (Entry, Doubt) -> Unit,
) {
    private val words = Words(activity.resources)
    private val readings = ReadingWords(words)

    /** What one looks for a card by: the words of its game, its title and its name. */
    private class Sought(val card: View, val heading: View?, val text: String)

    private var sought: List<Sought> = emptyList()

    // The game whose button is the primary one: one under way, else the first.
    private var main: Listed.Game? = null

    // Games that several bundles play: the names of their authors' files tell them apart.
    private var shared: Set<String?> = emptySet()

    // By the game, its settings and the moves: a board is drawn once while the screen is there.
    private val pictures = mutableMapOf<Any, Bitmap>()

    val areMany: Boolean get() = sought.size >= MANY

    fun show(bundles: List<Listed>) {
        list.removeAllViews()
        if (bundles.isEmpty()) {
            list.add<View>(R.layout.item_hint).findViewById<View>(R.id.open_here).setOnClickListener { open() }
        }
        val games = bundles.filterIsInstance<Listed.Game>()
        main = games.firstOrNull { it.isUnderWay } ?: games.firstOrNull()
        shared = bundles.groupBy { it.entry.game }.filterValues { it.size > 1 }.keys
        val groups = if (bundles.size >= MANY) group(bundles) else listOf(null to bundles)
        sought = groups.flatMap { (title, members) ->
            val heading = title?.let { list.add<TextView>(R.layout.item_heading).apply { say(it) } }
            members.map { listed ->
                val text = "${title.orEmpty()} ${words.title(listed.entry)} ${listed.entry.name}"
                Sought(show(listed), heading, text.lowercase())
            }
        }
    }

    private fun show(listed: Listed): View {
        val card = when (listed) {
            is Listed.Game -> showGame(listed)
            is Listed.Unplayable -> showUnplayable(listed)
            is Listed.Damaged -> showDamaged(listed)
        }
        card.findViewById<View>(R.id.remove).run {
            showIf(listed.entry.isGiven)
            contentDescription = words.say(R.string.remove_label, words.title(listed.entry))
            setOnClickListener { remove(listed.entry) }
        }
        return card
    }

    /** The bundles by game, in the app's order of games; bundles of unknown games come last. */
    private fun group(bundles: List<Listed>): List<Pair<String, List<Listed>>> {
        val known = GAMES.keys.map { name ->
            words.say(presentationOf(name).title) to bundles.filter { it.entry.game == name }
        }
        val others = words.say(R.string.other_networks) to bundles.filter { it.entry.game !in GAMES }
        return (known + others).filter { it.second.isNotEmpty() }
    }

    /** If there are many cards, show only those that have every word of a text; whether one is left. */
    fun seek(text: CharSequence): Boolean {
        val wanted = if (areMany) wordsIn(text) else emptyList()
        val found = sought.filter { each -> wanted.all { it in each.text } }
        for (each in sought) each.card.showIf(each in found)
        for (heading in sought.mapNotNull { it.heading }.distinct()) {
            heading.showIf(found.any { it.heading === heading })
        }
        return found.isNotEmpty() || sought.isEmpty()
    }

    /** The list itself cannot be read. */
    fun showFailure(why: Text) {
        list.removeAllViews()
        sought = emptyList()
        val card = list.add<View>(R.layout.part_alert)
        card.findViewById<TextView>(R.id.alert_title).setText(R.string.index_damaged)
        card.findViewById<TextView>(R.id.sentence).say(words.text(why))
    }

    private fun addNamed(layout: Int, entry: Entry): View = list.add<View>(layout).also { card ->
        card.findViewById<TextView>(R.id.title).say(words.title(entry))
        val presentation = entry.game?.let(::presentationOrNull)
        if (presentation != null) card.findViewById<ImageView>(R.id.picture).setImageResource(presentation.picture)
    }

    private fun showGame(game: Listed.Game): View {
        val card = addNamed(R.layout.item_game, game.entry)
        card.findViewById<View>(R.id.alert).showIf(false)
        card.findViewById<TextView>(R.id.details).say(details(game))
        showBoard(card.findViewById(R.id.picture), game)
        connect(card, game)
        return card
    }

    /** The position of the game that is under way, or one that stands for the game. */
    private fun showBoard(view: ImageView, game: Listed.Game) {
        val (reading, left) = game.bundle.reading to game.kept?.takeIf { game.isUnderWay }
        val key = listOf(reading.game.name, reading.settings, left?.actions)
        pictures[key]?.let { return view.setImageBitmap(it) }
        // One after the other, so that the list can be scrolled meanwhile.
        worker.ask({ left?.latest ?: positionFor(reading.game.name, reading.start()) }) { answer ->
            val state = answer.getOrNull()
            if (state != null && !activity.isDestroyed) view.setImageBitmap(pictures.getOrPut(key) { draw(state) })
        }
    }

    private fun draw(state: State): Bitmap =
        boardPicture(activity, state, activity.resources.getDimensionPixelSize(R.dimen.board))

    private fun details(game: Listed.Game): String {
        val count = game.bundle.manifest.checkpoint.parameters
        val about = size(game.bundle.reading.start()) + " · " + words.parameters(count)
        val state = if (game.isUnderWay) words.say(R.string.game_in_progress) else result(game)
        val file = game.bundle.manifest.checkpoint.file.takeIf { game.entry.game in shared }
        val origin = if (game.entry.isGiven) words.say(R.string.opened_here) else null
        val doubt = game.bundle.doubt?.let(readings::doubt)
        return listOfNotNull(file, about, origin, doubt, state).joinToString("\n")
    }

    private fun result(game: Listed.Game): String? {
        val presentation = game.entry.game?.let(::presentationOrNull) ?: return null
        return game.finished?.let { words.ending(it, presentation) }
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
            isActivated = game === main
            setText(if (game.isUnderWay) R.string.resume_game else R.string.play)
            val label = if (game.isUnderWay) R.string.resume_label else R.string.play_label
            contentDescription = words.say(label, words.title(game.entry))
            setOnClickListener { play() }
        }
        card.findViewById<View>(R.id.reading).run {
            val doubt = game.bundle.doubt?.takeIf { it.others.isNotEmpty() }
            showIf(doubt != null)
            val title = "${words.title(game.entry)}."
            contentDescription = words.say(R.string.two_sentences, title, words.say(R.string.reading_ask))
            if (doubt != null) setOnClickListener { ask(game.entry, doubt) }
        }
        connectSelfTest(card, game.entry)
    }

    private fun connectSelfTest(card: View, entry: Entry) = card.findViewById<Button>(R.id.self_test).run {
        contentDescription = words.say(R.string.self_test_label, words.title(entry))
        setOnClickListener { startSelfTest(entry) }
    }

    private fun startSelfTest(entry: Entry) = activity.startActivity(SelfTestActivity.intent(activity, entry.name))

    private fun showUnplayable(listed: Listed.Unplayable): View {
        val (bundle, entry) = listed.bundle to listed.entry
        val card = addNamed(R.layout.item_unplayable, entry)
        val why = words.unplayable(bundle.problems, bundle.untestable)
        card.findViewById<TextView>(R.id.details).say(words.parameters(bundle.manifest.checkpoint.parameters))
        card.findViewById<TextView>(R.id.why).say(why)
        card.contentDescription = words.say(R.string.two_sentences, "${words.title(entry)}.", why)
        card.findViewById<View>(R.id.self_test).showIf(bundle.untestable == null)
        if (bundle.untestable != null) return card
        connectSelfTest(card, entry)
        card.setOnClickListener { startSelfTest(entry) }
        // A screen reader says what a tap opens, as it does not open the game.
        val opens = AccessibilityNodeInfo.AccessibilityAction(
            AccessibilityNodeInfo.ACTION_CLICK,
            words.say(R.string.self_test),
        )
        card.onNodeInfo { it.addAction(opens) }
        return card
    }

    private fun showDamaged(damaged: Listed.Damaged): View {
        val card = addNamed(R.layout.item_game, damaged.entry)
        card.findViewById<TextView>(R.id.sentence).say(words.text(damaged.failure))
        card.findViewById<View>(R.id.details).showIf(false)
        card.findViewById<View>(R.id.buttons).showIf(false)
        return card
    }
}
