package org.azx.app.play.people

import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.byName
import org.azx.app.engine.records.BOTH
import org.azx.app.engine.records.Origin
import org.azx.app.engine.records.newIdentity
import org.azx.app.engine.records.readRecord
import org.azx.app.play.Kept
import org.azx.app.play.Session
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text
import org.azx.app.play.linkOf
import org.azx.app.play.shelveShared
import org.azx.app.play.textOf
import org.azx.app.play.unshelveShared
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random

/** Positions that people set up: possible ones are played on from, and the rules refuse the others. */
class SetUpTest {
    private fun empty(game: String, settings: Map<String, Any> = emptyMap()) = SetUp(byName(game), settings)

    private fun whyNot(setUp: SetUp): Refusal.Code? =
        assertThrows(Impossible::class.java) { setUp.states() }.reason?.code

    @Test
    fun `60 seeded positions of every game are reached again, and shared`() {
        for (seed in 0 until 60) {
            val game = GAMES.values.toList()[seed % GAMES.size]
            val random = Random(seed)
            val shape = game.shapes[random.nextInt(game.shapes.size)]
            val setUp = randomPosition(game.name, shape.settings, random) ?: continue
            val states = setUp.states()
            val what = "seed $seed: ${game.name} ${shape.settings} ${setUp.pieces} ${setUp.moves}"
            assertEquals(what, setUp.toMove, states.last().toMove)
            assertEquals(what, cellsOf(setUp.shown), cellsOf(states.last()))
            val session = Session(states, BOTH, names = "" to "", setUp = states.size - 1)
            val agreed = beginShared(setUp.settings, states, game, Agreed("Ann" to "Bo", true, 5, 3))
            val record = checkNotNull(readGameRecord(shelveShared(agreed, game).text())) { what }
            val back = checkNotNull(record.unshelveShared()) { what }
            // The root is the position that was set up: nothing before it is shown or taken back.
            assertEquals(what, session.ply, back.session.show(0).ply)
            assertEquals(what, 0, back.session.played)
            val kept = Kept(session, setUp.settings, newIdentity(Origin.PLAYED))
            for (text in listOf(textOf(kept, game, agreed.settings, "" to ""), linkOf(kept, game))) {
                val read = readRecord(text)
                val last = read.states(
                    begin(
                        game,
                        game.settings.associate {
                            it.name to
                                (read.settings[it.name] ?: it.default)
                        },
                    ),
                ).last()
                assertEquals("$what $text", states.last().toMove, last.toMove)
                if (text != textOf(kept, game, agreed.settings, "" to "")) assertEquals(what, session.setUp, read.setUp)
                assertEquals("$what $text", cellsOf(states.last()), cellsOf(last))
            }
        }
    }

    /** What lies on a board, whoever is to move. */
    private fun cellsOf(state: State): List<Float> {
        val names = if (state is DotsAndBoxes) listOf("edges") else listOf("player0", "player1")
        return names.flatMap { state.plane(it).toList() } +
            (state as? DotsAndBoxes)?.scores.orEmpty().map { it.toFloat() }
    }

    private fun IntArray?.orEmpty(): IntArray = this ?: IntArray(0)

    /** Pieces of a position that random moves lead to, put in an order of their own; null if the game ended. */
    private fun randomPosition(game: String, settings: Map<String, Any>, random: Random): SetUp? {
        var setUp = empty(game, settings)
        var state = begin(byName(game), settings)
        val length = 2 + random.nextInt(minOf(20, state.actions / 2))
        if (setUp.isByMoves) {
            repeat(length) {
                val last = setUp.shown
                if (!last.isTerminal) setUp = setUp.put(last.legalActions().random(random), last.toMove)
            }
            return setUp.takeUnless { it.shown.isTerminal }
        }
        repeat(length) { if (!state.isTerminal) state = state.apply(state.legalActions().random(random)) }
        if (state.isTerminal) return null
        val planes = listOf("player0", "player1").map { state.plane(it) }
        val pieces = planes.flatMapIndexed { player, plane ->
            plane.indices.filter { plane[it] > 0 }.map { it to player }
        }
        // Pieces of Connect4 fall: the lowest first.
        val order = if (state is Connect4) pieces.sortedBy { -it.first } else pieces.shuffled(random)
        for ((at, player) in order) setUp = setUp.put(at, player)
        val isEmpty = pieces.isEmpty()
        return if (state is Go && !isEmpty) setUp.letMove(random.nextInt(2)) else setUp.letMove(state.toMove)
    }

    @Test
    fun `the rules refuse what cannot come about`() {
        val two = empty("tictactoe").put(0, 0).put(1, 0)
        assertTrue("two more of one side", assertThrows(Impossible::class.java) { two.states() }.isTurn)
        var row = empty("tictactoe")
        for (at in 0..2) row = row.put(at, 0)
        for (at in 3..4) row = row.put(at, 1)
        assertEquals("a row that has won", Refusal.Code.OVER, whyNot(row.letMove(1)))
        // A chain without a liberty, in the corner.
        val taken = empty("go").put(0, 0).put(1, 1).put(9, 1)
        assertEquals(0, assertThrows(Impossible::class.java) { taken.states() }.at)
        assertEquals(
            Refusal.Code.TURNS_NOTHING,
            assertThrows(Impossible::class.java) {
                empty("reversi").put(0, 0)
            }.reason?.code,
        )
        assertEquals(
            Refusal.Code.DRAWN,
            assertThrows(Impossible::class.java) {
                empty("dots_and_boxes").put(0, 0).put(0, 1)
            }.reason?.code,
        )
    }

    @Test
    fun `a disc falls, and the highest one of a column is taken`() {
        val two = empty("connect4").put(3, 0).put(3, 1)
        assertEquals(mapOf(38 to 0, 31 to 1), two.pieces)
        assertEquals(mapOf(38 to 0), two.take(3).pieces)
        assertTrue(two.clear().run { pieces.isEmpty() && moves.isEmpty() })
    }

    @Test
    fun `with Renju's rule black's stones find an order that is not forbidden`() {
        var setUp = empty("gomoku", mapOf("rule" to "renju"))
        // A four in a row of black's that is no overline.
        for ((black, white) in listOf(112 to 0, 113 to 2, 114 to 4, 115 to 6)) setUp = setUp.put(black, 0).put(white, 1)
        assertEquals(8, setUp.states().size - 1)
    }
}
