package org.azx.app.play

import org.azx.app.engine.HashEvaluator
import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.begin
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.byName
import org.azx.app.engine.review.Headline
import org.azx.app.engine.review.Lead
import org.azx.app.engine.review.PanelUnit
import org.azx.app.engine.review.panelOf
import org.azx.app.play.table.Worths
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.math.abs
import kotlin.math.sign
import kotlin.random.Random

private const val DRAWN = 2_000
private val GAMES: List<Pair<String, Settings>> = listOf(
    "connect4" to emptyMap(),
    "tictactoe" to emptyMap(),
    "dots_and_boxes" to mapOf("size" to 2),
    "gomoku" to mapOf("size" to 9),
    "reversi" to mapOf("size" to 4),
    "hex" to mapOf("size" to 5),
    "go" to mapOf("size" to 5),
)

/** Screens of drawn positions: whatever a search and the rules say, no two figures of one stand on different sides. */
class FiguresTest {
    @Test
    fun `the figures of a screen tell one side`() {
        val random = Random(54)
        var (looked, misled) = 0 to 0
        repeat(DRAWN) { drawn ->
            val (name, settings) = GAMES[drawn % GAMES.size]
            val session = play(name, settings, random)
            val state = session.latest
            val found = if (state.isTerminal) null else look(name, settings, session)
            // Half of the boards of Go have an estimate.
            val lead = if (state is Go && random.nextBoolean()) Lead(random.nextInt(-9, 10).toDouble(), 3.0) else null
            val panel = panelOf(session.facts(Findings(found, lead = lead)))
            val figure = panel.figure
            if (figure != null) {
                looked++
                val about = "$name ${session.actions}, side ${session.side}"
                val value = if (figure.unit == PanelUnit.CHANCE) figure.value - 0.5 else figure.value
                val graph = session.graph(panel).find { it.moves == session.ply }?.share ?: 0.5
                val words = (panel.chance ?: 0.5) - 0.5
                val figures =
                    listOf(value, panel.share!! - 0.5, panel.proven?.result?.toDouble() ?: 0.0, graph - 0.5, words)
                val sides = figures.map(::sideOf).filter { it != 0 }.toSet()
                assertTrue("$about: $figures", sides.size <= 1)
                if (sides.singleOrNull() != sideOf((session.chanceShown ?: 0.5) - 0.5)) misled++
                // The mover's best move is worth what the position is, and none is worth more.
                val turn = if (state.toMove == session.side) 1 else -1
                for (option in panel.options) {
                    option.value?.let { assertTrue(about, turn * it <= turn * figure.value + 1e-9) }
                }
                panel.ratesOf(found)?.forEach { (action, rate) ->
                    assertEquals(about, panel.options.single { it.action == action }.value!!, rate, 0.0)
                }
                val isLost = panel.proven != null && panel.proven!!.result * turn < 0
                if (isLost && figure.unit == PanelUnit.CHANCE) assertEquals(about, emptyList<Int>(), panel.equal)
                val isWon = panel.headline == Headline.WON
                if (isWon) assertEquals(about, 1, panel.proven?.result)
            }
        }
        assertTrue("$looked of $DRAWN", looked > 0.9 * DRAWN)
        // What was thought on the way is as wrong as can be: drawn from it, the screens would contradict each other.
        assertTrue("$misled", misled > 200)
    }

    private fun play(name: String, settings: Settings, random: Random): Session {
        var session = startSession(begin(byName(name), settings), random.nextInt(2))
        val length = random.nextInt(40)
        while (session.moves < length && !session.latest.isTerminal) {
            session = session.rate(random.nextInt(101) / 100.0).play(session.latest.legalActions().random(random))
        }
        return session
    }

    /** What a hint finds with a search of few simulations. */
    private fun look(name: String, settings: Settings, session: Session): Analysis {
        val game = byName(name)
        val reading = Reading(game, game.encoding, game.numberings(session.states[0]).first(), settings)
        val found = Thinker(reading, HashEvaluator, hasValue = true).analyse(settings, session.actions, 12, Asked())
        return Worths(session.latest).measure(found)
    }

    private fun sideOf(number: Double): Int = if (abs(number) < 1e-9) 0 else number.sign.toInt()
}
