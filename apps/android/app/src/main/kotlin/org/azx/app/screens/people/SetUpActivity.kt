package org.azx.app.screens.people

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.view.View
import android.widget.Button
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.Game
import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.newIdentity
import org.azx.app.play.Kept
import org.azx.app.play.Session
import org.azx.app.play.Worker
import org.azx.app.play.linkOf
import org.azx.app.play.people.Impossible
import org.azx.app.play.people.SetUp
import org.azx.app.play.playAgainst
import org.azx.app.play.textOf
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.boards.BoardView
import org.azx.app.screens.boards.Shown
import org.azx.app.screens.capital
import org.azx.app.screens.layBoard
import org.azx.app.screens.on
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.presentationOf
import org.azx.app.screens.say
import org.azx.app.screens.share
import org.azx.app.screens.showIf

private const val CELLS = "cells"
private const val OWNERS = "owners"
private const val MOVES = "moves"
private const val MOVER = "mover"
private const val TOOL = "tool"

// What a tap does: put a piece of player 0 or 1, or take one away.
private val TOOLS = listOf(R.id.put_one, R.id.put_two, R.id.take_away)
private const val TAKE = 2

// Who moves next: player 0 or 1.
private val MOVERS = listOf(R.id.mover_one, R.id.mover_two)

/** Sets up a position: a person puts and takes pieces, and chooses who moves. A network or two people play on from there. */
class SetUpActivity : Screen(R.layout.activity_set_up, R.string.set_up) {
    private val worker = Worker("azx set up")
    private val words by lazy { Words(resources) }
    private lateinit var board: BoardView
    private var tool = 0
    private var said: String? = null

    lateinit var setUp: SetUp
        private set

    /** Whether a network is being looked for. */
    val isBusy: Boolean get() = worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val state = savedInstanceState ?: checkNotNull(intent.extras) { "a game" }
        setUp = read(state)
        tool = state.getInt(TOOL)
        board = layBoard(setUp.shown)
        board.onAction = ::tap
        for ((at, id) in TOOLS.withIndex()) on(id) { choose(at) }
        for ((player, id) in MOVERS.withIndex()) on(id) { change { letMove(player) } }
        on(R.id.set_up_clear) { change { clear() } }
        on(R.id.set_up_link) { share(linkOf(kept(NOBODY), setUp.game), R.string.set_up_link) }
        on(R.id.set_up_sgf) {
            val kept = kept(NOBODY)
            share(textOf(kept, setUp.game, kept.settings, "" to ""), R.string.set_up_record)
        }
        on(R.id.set_up_people) {
            val actions = setUp.states().drop(1).map { checkNotNull(it.lastAction) }
            startActivity(PeopleActivity.intent(this, setUp.game, setUp.settings, actions))
        }
        on(R.id.set_up_network, ::playAgainst)
        show()
    }

    private fun read(state: Bundle): SetUp {
        val cells = state.getIntArray(CELLS) ?: IntArray(0)
        val pieces = cells.zip(state.getIntArray(OWNERS) ?: IntArray(0)).toMap()
        val moves = (state.getIntArray(MOVES) ?: IntArray(0)).toList()
        return SetUp(checkNotNull(state.game) { "a game" }, state.settings, pieces, state.getInt(MOVER), moves)
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.put(setUp.game, setUp.settings)
        outState.putIntArray(CELLS, setUp.pieces.keys.toIntArray())
        outState.putIntArray(OWNERS, setUp.pieces.values.toIntArray())
        outState.putIntArray(MOVES, setUp.moves.toIntArray())
        outState.putInt(MOVER, setUp.mover)
        outState.putInt(TOOL, tool)
    }

    private fun choose(which: Int) {
        tool = which
        show()
    }

    private fun tap(action: Int) = change { if (tool == TAKE) take(action) else put(action, tool) }

    private fun change(how: SetUp.() -> SetUp) {
        said = null
        try {
            setUp = setUp.how()
        } catch (impossible: Impossible) {
            said = sentence(impossible)
        }
        show()
    }

    private fun sentence(impossible: Impossible): String {
        val (reason, at) = impossible.reason to impossible.at
        if (impossible.isTurn) {
            val pieces = presentationOf(setUp.game.name).pieces
            val (first, mover) = listOf(0, setUp.mover).map { words.say(pieces[it]).capital() }
            val counts = List(2) { player -> setUp.pieces.values.count { it == player } }
            return words.say(R.string.setup_turn, first, mover, counts[0], counts[1])
        }
        return when {
            at != null -> words.say(R.string.setup_no_liberty, setUp.shown.label(at))
            reason != null -> words.say(R.string.not_possible, words.reason(reason))
            else -> words.say(R.string.setup_no_way)
        }
    }

    /** The positions that lead here; null, with the reason said, if none do. */
    private fun states(): List<State>? = try {
        setUp.states()
    } catch (impossible: Impossible) {
        said = said ?: sentence(impossible)
        null
    }

    private fun show() {
        val presentation = presentationOf(setUp.game.name)
        val pieces = presentation.pieces.map { words.say(it).capital() }
        board.show(Shown(setUp.shown, NOBODY, null, null, canPlay = false))
        val isPossible = states() != null
        val all = listOfNotNull(words.say(R.string.set_up_by_moves).takeIf { setUp.isByMoves }, said)
        findViewById<TextView>(R.id.notice).say(all.joinToString("\n"))
        for ((at, id) in TOOLS.withIndex()) {
            findViewById<Button>(id).run {
                text = pieces.getOrNull(at) ?: words.say(R.string.setup_take).capital()
                isSelected = at == if (setUp.isByMoves && tool != TAKE) setUp.toMove else tool
            }
        }
        for ((player, id) in MOVERS.withIndex()) {
            findViewById<Button>(id).run {
                text = pieces[player]
                isSelected = player == setUp.toMove
            }
        }
        findViewById<Button>(R.id.set_up_network).text = words.say(R.string.setup_network).capital()
        findViewById<View>(R.id.set_up_mover).showIf(!setUp.isByMoves)
        for (id in listOf(R.id.set_up_link, R.id.set_up_sgf, R.id.set_up_people, R.id.set_up_network)) {
            findViewById<View>(id).isEnabled = isPossible
        }
        // What does not work is not the primary button.
        findViewById<View>(R.id.set_up_people).isActivated = isPossible
    }

    private fun kept(human: Player): Kept {
        val states = setUp.states()
        val session = Session(states, human, setUp = states.size - 1)
        return Kept(session, setUp.settings, newIdentity(Origin.PLAYED))
    }

    private fun playAgainst() {
        val (app, kept, game) = Triple(applicationContext, kept(setUp.toMove), setUp.game)
        worker.ask({ playAgainst(app, kept, game) }) { answer ->
            answer.fold({ startActivity(PlayActivity.intent(this, it)) }) {
                said = words.say(R.string.people_no_review)
                show()
            }
        }
    }

    override fun onDestroy() {
        super.onDestroy()
        worker.close()
    }

    companion object {
        fun intent(context: Context, game: Game, settings: Settings): Intent =
            Intent(context, SetUpActivity::class.java).putExtras(Bundle().apply { put(game, settings) })
    }
}
