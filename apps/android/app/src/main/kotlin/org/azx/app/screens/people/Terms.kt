package org.azx.app.screens.people

import android.app.Activity
import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.Spinner
import android.widget.Switch
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.Game
import org.azx.app.engine.Setting
import org.azx.app.engine.Settings
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.byName
import org.azx.app.play.KOMIS
import org.azx.app.play.people.Agreed
import org.azx.app.play.people.MINUTES
import org.azx.app.play.people.SECONDS
import org.azx.app.screens.Words
import org.azx.app.screens.add
import org.azx.app.screens.capital
import org.azx.app.screens.offer
import org.azx.app.screens.presentationOf
import org.azx.app.screens.say
import org.azx.app.screens.showIf

private val TITLES =
    mapOf("size" to R.string.board_size, "rows" to R.string.board_rows, "columns" to R.string.board_columns)

private const val GAME = "game"
private const val SETTINGS = "settings"

/** Hand a game and its settings on to another screen. */
internal fun Bundle.put(game: Game, settings: Settings) {
    putString(GAME, game.name)
    putSerializable(SETTINGS, HashMap(settings))
}

/** The game that was handed on; null if none was. */
internal val Bundle.game: Game? get() = getString(GAME)?.let(::byName)

@Suppress("DEPRECATION", "UNCHECKED_CAST")
internal val Bundle.settings: Settings get() = getSerializable(SETTINGS) as? HashMap<String, Any> ?: emptyMap()

/** What two people choose before a game: the board, unless it `isSetUp`, their names, how moves are taken back, a clock. */
class Terms(
    private val activity: Activity,
    private val words: Words,
    game: Game,
    settings: Settings,
    isSetUp: Boolean,
) {
    var game: Game = game
        private set
    var settings: Settings = settings
        private set

    private val undo = find<Spinner>(R.id.people_undo)
    private val time = find<Spinner>(R.id.people_time)
    private val increment = find<Spinner>(R.id.people_increment)

    init {
        val games = GAMES.values.toList()
        find<View>(R.id.people_board_part).showIf(!isSetUp)
        find<View>(R.id.people_settings).showIf(!isSetUp)
        find<View>(R.id.people_set_up).showIf(!isSetUp)
        find<Spinner>(R.id.people_game).run {
            isSaveEnabled = false
            offer(games, { words.say(presentationOf(it.name).title) }, game, ::choose)
        }
        undo.offer(
            listOf(false, true),
            { words.say(if (it) R.string.people_undo_asked else R.string.people_undo_free).capital() },
        ) {}
        time.offer(MINUTES, ::minutes) { find<View>(R.id.people_increment_part).showIf(it > 0) }
        increment.offer(SECONDS, { words.count(R.plurals.strength_seconds, it) }) {}
        show()
    }

    private fun minutes(count: Int): String =
        if (count == 0) words.say(R.string.clock_none).capital() else words.count(R.plurals.clock_minutes, count)

    private fun choose(chosen: Game) {
        if (chosen.name == game.name) return
        game = chosen
        settings = emptyMap()
        show()
    }

    /** Offer the settings of the game as they are chosen. */
    private fun show() {
        val list = find<ViewGroup>(R.id.people_settings)
        list.removeAllViews()
        for (setting in game.settings) {
            when (setting.name) {
                "rule" -> addRule(list, setting)
                "komi" -> add(list, setting, words.say(R.string.komi), KOMIS, words::number)
                else -> addSize(list, setting)
            }
        }
        val pieces = presentationOf(game.name).pieces.map { words.say(it) }
        for ((id, piece) in listOf(R.id.people_name_one, R.id.people_name_two).zip(pieces)) {
            find<EditText>(id).hint = words.say(R.string.people_name, piece)
        }
    }

    private fun addSize(list: ViewGroup, setting: Setting) {
        val title = TITLES[setting.name]?.let { words.say(it) } ?: setting.name
        add(list, setting, title, setting.choices.map { it as Int }) {
            if (setting.name == "size") words.say(R.string.grid_size, it, it) else words.number(it)
        }
    }

    private fun <Value : Any> add(
        list: ViewGroup,
        setting: Setting,
        title: String,
        choices: List<Value>,
        name: (Value) -> String,
    ) {
        val row = list.add<View>(R.layout.item_choice_of)
        row.findViewById<TextView>(R.id.title).say(title)
        row.findViewById<Spinner>(R.id.choices).run {
            contentDescription = title
            val chosen = choices.find { it == settings[setting.name] ?: setting.default } ?: choices[0]
            offer(choices, name, chosen) { settings = settings + (setting.name to it) }
        }
    }

    private fun addRule(list: ViewGroup, setting: Setting) {
        val other = setting.choices[1] as String
        val rule = Switch(activity).apply {
            text = words.say("rule_$other", emptyList())
            minHeight = resources.getDimensionPixelSize(R.dimen.touch)
            isChecked = settings["rule"] == other
            setOnCheckedChangeListener { _, isOn ->
                settings = settings + ("rule" to setting.choices[if (isOn) 1 else 0])
            }
        }
        list.addView(rule)
    }

    val agreed: Agreed
        get() {
            val names = listOf(R.id.people_name_one, R.id.people_name_two).map { find<EditText>(it).text.toString() }
            val minutes = MINUTES[time.selectedItemPosition]
            val seconds = SECONDS[increment.selectedItemPosition]
            return Agreed(names[0] to names[1], undo.selectedItemPosition == 1, minutes, seconds)
        }

    private fun <Found : View> find(id: Int): Found = activity.findViewById(id)
}
