package org.azx.app.play

import org.azx.app.engine.GameError
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.READER
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.Verdict
import org.azx.app.engine.review.findKnown
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

class SessionTest {
    @Test
    fun `a game that is watched is nobody's, and told from the side of who began`() {
        val start = startSession(TicTacToe(), NOBODY)
        assertEquals(Phase.THEIRS, start.phase)
        val game = listOf(0, 3, 1, 4).fold(start.rate(0.75)) { session, action -> session.play(action).rate(0.6) }
        assertEquals(listOf(0.75, 0.4, 0.6, 0.4, 0.6), (0..4).map { game.rates.getValue(it) })
        assertFalse("there is nothing to take back", game.canUndo)
        val won = game.play(2)
        assertEquals(Triple(Phase.OVER, 1, 0), Triple(won.phase, won.result, won.winner))
        val back = SavedGame.from(savedText(won))?.session(TicTacToe())
        assertEquals(NOBODY to won.actions, back?.human to back?.actions)
        assertEquals(null, SavedGame.from(savedText(won).replace("human -1", "human -2")))
    }

    private fun session(game: String, human: Int, vararg actions: Int): Session =
        actions.fold(startSession(begin(GAMES.getValue(game)), human)) { session, action -> session.play(action) }

    @Test
    fun `whose turn it is follows from who the person is`() {
        assertEquals(Phase.YOURS, session("tictactoe", 0).phase)
        assertEquals(Phase.THEIRS, session("tictactoe", 1).phase)
        assertEquals(Phase.THEIRS, session("tictactoe", 0, 4).phase)
        assertEquals(Phase.OVER, session("tictactoe", 0, 0, 3, 1, 4, 2).phase)
    }

    @Test
    fun `the result is seen by the person`() {
        assertEquals(1, session("tictactoe", 0, 0, 3, 1, 4, 2).result)
        assertEquals(-1, session("tictactoe", 1, 0, 3, 1, 4, 2).result)
        assertEquals(0, session("tictactoe", 0, 0, 4, 8, 1, 7, 6, 2, 5, 3).result)
    }

    @Test
    fun `an illegal move is refused and changes nothing`() {
        val before = session("tictactoe", 0, 4)
        assertThrows(GameError::class.java) { before.play(4) }
        assertEquals(listOf(4), before.actions)
    }

    @Test
    fun `undo takes back the person's last move and the answer`() {
        val session = session("tictactoe", 0, 4, 0, 8)
        assertEquals(listOf(4, 0), session.undo().actions)
        assertEquals(emptyList<Int>(), session.undo().undo().actions)
    }

    @Test
    fun `undo does nothing before the person has moved`() {
        val session = session("tictactoe", 1, 4)
        assertFalse(session.canUndo)
        assertSame(session, session.undo())
    }

    @Test
    fun `undo forgets the chances of what is taken back`() {
        val session = session("tictactoe", 1).rate(0.5).play(4).play(0).rate(0.75).play(8)
        assertEquals(mapOf(0 to 0.5), session.undo().rates)
    }

    @Test
    fun `who completes a box moves again, the other one passes at once`() {
        val session = session("dots_and_boxes", 1, 0, 3, 12, 13)
        assertEquals(listOf(0, 3, 12, 13, 24), session.actions)
        assertEquals(Phase.YOURS, session.phase)
        assertEquals(0, session.forcedPasser)
        assertEquals("the pass is no move to be marked", 13, session.lastMove)
    }

    @Test
    fun `who can turn no disc over passes at once`() {
        val start = begin(GAMES.getValue("reversi"), mapOf("size" to 4))
        val moves = listOf(11, 15, 1, 8, 12, 2, 4, 7, 3, 13, 14)
        val session = moves.fold(startSession(start, 1)) { session, action -> session.play(action) }
        assertEquals(16, session.actions.last())
        assertEquals(1, session.forcedPasser)
        assertEquals(14, session.lastMove)
    }

    @Test
    fun `undo goes over a pass that was forced`() {
        val session = session("dots_and_boxes", 1, 0, 3, 12, 13)
        assertEquals(listOf(0, 3, 12), session.undo().actions)
        assertNull(session.undo().forcedPasser)
    }

    @Test
    fun `undo does not stop at the person's own forced pass`() {
        val session = session("dots_and_boxes", 0, 0, 3, 12, 13)
        assertEquals(0, session.forcedPasser)
        assertEquals(listOf(0, 3), session.undo().actions)
    }

    @Test
    fun `a replay shows earlier positions and keeps within the game`() {
        val session = session("tictactoe", 0, 4, 0, 8)
        assertEquals(1, session.show(1).ply)
        assertEquals(4, session.show(1).lastMove)
        assertEquals(0, session.show(-5).ply)
        assertEquals(3, session.show(99).ply)
        assertNull(session.show(0).lastMove)
        assertEquals("the game stays as it is", 3, session.show(1).moves)
    }

    @Test
    fun `the last position is shown as it changes, an earlier one until a move is made`() {
        val session = session("tictactoe", 0, 4, 0)
        assertEquals(3, session.show(2).play(8).ply)
        assertEquals(3, session.show(1).play(8).ply)
    }

    @Test
    fun `a chance that comes while an earlier position is shown leaves it shown`() {
        val session = session("tictactoe", 0, 4, 0).show(1).rate(0.3)
        assertEquals(1 to setOf(2), session.ply to session.rates.keys)
    }

    @Test
    fun `chances are the person's, whoever moves`() {
        val session = session("tictactoe", 0).rate(0.6).play(4).rate(0.3)
        assertEquals(0.6, session.rates.getValue(0), 1e-12)
        assertEquals(0.7, session.rates.getValue(1), 1e-12)
        assertSame("a network without a value says nothing", session, session.rate(null))
    }

    @Test
    fun `the curve ends with the result`() {
        val lost = session("tictactoe", 1).rate(0.4).play(0).play(3).play(1).play(4).play(2)
        assertEquals(listOf(0 to 0.6, 5 to 0.0), lost.curve())
        assertEquals(listOf(9 to 0.5), session("tictactoe", 0, 0, 4, 8, 1, 7, 6, 2, 5, 3).curve())
    }

    @Test
    fun `the chance that is shown is the last one known before the position`() {
        val session = session("tictactoe", 0).rate(0.6).play(4).play(0).rate(0.7).play(8)
        assertEquals(listOf(0.6, 0.6, 0.7, 0.7), (0..3).map { session.show(it).chanceShown })
        assertNull(session("tictactoe", 0, 4).chanceShown)
    }

    @Test
    fun `a saved game comes back as it was`() {
        val session = session("gomoku", 1, 112, 97).rate(0.125)
        val settings = mapOf("rule" to "renju", "size" to 15, "komi" to 7.5)
        val saved = checkNotNull(SavedGame.from(savedText(session, settings)))
        assertEquals(settings, saved.settings)
        val back = checkNotNull(saved.session(begin(GAMES.getValue("gomoku"))))
        assertEquals(session.actions, back.actions)
        assertEquals(session.human, back.human)
        assertEquals(session.rates, back.rates)
    }

    @Test
    fun `a game that has just begun can be saved`() {
        val saved = checkNotNull(SavedGame.from(savedText(session("go", 1))))
        assertEquals(0, checkNotNull(saved.session(begin(GAMES.getValue("go")))).moves)
    }

    @Test
    fun `a damaged text is no game`() {
        val text = savedText(session("tictactoe", 0, 4, 0).rate(0.5), mapOf("rule" to "renju"))
        assertNotNull(SavedGame.from(text))
        val damaged = listOf(
            null, "", "azx game 2\n", text.drop(1),
            text.replace("human 0", "human 2"), text.replace("human 0", "human"),
            text.replace("human 0", "human 0 1"), text.replace("actions 4", "actions x"), text.replace("=0.5", "=1.5"),
            text.replace("=0.5", "=NaN"), text.replace("2=0.5", "0.5"), text.replace("rule=", "=rule"), text + "\n",
            text.substringBeforeLast("\n"), text.replace("actions", "action"),
        )
        for (each in damaged) assertNull("$each", SavedGame.from(each))
    }

    @Test
    fun `every text cut short is no game, or one that begins like it`() {
        val text = savedText(session("tictactoe", 0, 4, 0))
        for (length in 0 until text.length) {
            val session = SavedGame.from(text.take(length))?.session(begin(GAMES.getValue("tictactoe"))) ?: continue
            assertTrue(text.take(length), session.actions == listOf(4, 0))
        }
    }

    @Test
    fun `moves that the rules forbid are no game`() {
        val start = begin(GAMES.getValue("tictactoe"))
        assertNull(SavedGame(emptyMap(), 0, listOf(4, 4), emptyMap()).session(start))
        assertNull(SavedGame(emptyMap(), 0, listOf(9), emptyMap()).session(start))
        val dots = begin(GAMES.getValue("dots_and_boxes"))
        assertNull("a pass is owed", SavedGame(emptyMap(), 1, listOf(0, 3, 12, 13), emptyMap()).session(dots))
    }

    @Test
    fun `chances of moves that were not played are forgotten`() {
        val saved = SavedGame(emptyMap(), 0, listOf(4), mapOf(1 to 0.5, 7 to 0.5))
        assertEquals(mapOf(1 to 0.5), checkNotNull(saved.session(begin(GAMES.getValue("tictactoe")))).rates)
    }

    private fun parts(seen: Map<Int, Seen>?) =
        seen?.mapValues { (_, it) -> listOf(it.mover, it.chance, it.best, it.isSure, it.known?.left) }

    @Test
    fun `what a review has seen is kept with the game, as far as it fits`() {
        val played = session("tictactoe", 0, 4, 0)
        val looked = listOf(Seen(0, 0.5, 4), Seen(1, 0.25, 0), Seen(0, 1.0, 8))
        val seen = looked.indices.associateWith { looked[it].copy(known = findKnown(played.states[it])) }
        val session = seen.entries.fold(played) { known, (at, found) -> known.know(found, at) }
        val start = begin(GAMES.getValue("tictactoe"))
        val text = savedText(session)
        assertEquals(parts(seen), parts(SavedGame.from(text)?.session(start)?.seen))
        assertEquals("before one's own move too", parts(seen - listOf(1, 2)), parts(session.undo().seen))
        for (other in listOf("1=1:0.25:4", "1=0:0.25:0")) {
            val fitting = SavedGame.from(text.replace("1=1:0.25:0", other))?.session(start)
            assertEquals("a move that is not there, or another mover", parts(seen - 1), parts(fitting?.seen))
        }
        for (damaged in listOf("1=1:2.0:0", "1=1", "1=1:x:0", "1")) {
            assertNull(damaged, SavedGame.from(text.replace("1=1:0.25:0", damaged)))
        }
        val resigned = SavedGame.from(savedText(session.resign()))?.session(start)
        assertEquals(parts(seen) to Phase.OVER, parts(resigned?.seen) to resigned?.phase)
    }

    @Test
    fun `what a review has seen of a game that is watched is told from the side of who began`() {
        val session = session("tictactoe", NOBODY, 4, 0).know(Seen(0, 0.75, 4), 0).know(Seen(1, 0.625, 0), 1)
        assertEquals(listOf(0 to 0.75, 1 to 0.375), session.curve())
    }

    /** A game of Go with a handicap of two: `D4 pass F6`, then white's and black's first moves. */
    private fun handicap(human: Int, vararg actions: Int): Session {
        val placed = listOf(24, 81, 56).fold(startSession(begin(GAMES.getValue("go")), human)) { game, it ->
            game.play(it)
        }
        return actions.fold(Session(placed.states, human, setUp = 3)) { session, action -> session.play(action) }
    }

    @Test
    fun `nothing before the stones that were set up is shown, marked or come back to`() {
        val session = handicap(1, 40, 30)
        assertEquals(listOf(3, 3, 4, 5), listOf(0, 3, 4, 9).map { session.show(it).ply })
        assertEquals(listOf(null, 40, 30), (3..5).map { session.show(it).lastMove })
        assertEquals(2, session.played)
        assertEquals(3 to false, session.undo().run { moves to canUndo })
        assertFalse("white has passed, and not moved", handicap(1).canUndo)
        assertFalse(handicap(NOBODY).isUnderWay)
        assertTrue(handicap(NOBODY, 40).isUnderWay)
        assertEquals("a pass that places stones is no end", 3, handicap(1, 81, 81).playOn().moves)
        val flipped = Session(handicap(0, 81).states, 0, setUp = 4).play(81)
        assertEquals(4, flipped.playOn().moves)
        val read = Session(session.states, READER, setUp = 3)
        assertEquals(3, read.shorten(4).takeOver().setUp)
    }

    @Test
    fun `a review judges what was played, and nothing of the stones that were set up`() {
        val early = Seen(0, 0.9, 0)
        val unseen = handicap(1, 40, 30).know(early, 0).know(Seen(1, 0.1, 0), 1)
        assertEquals(listOf(3, 0, 3, null), unseen.run { listOf(positions, seenSoFar, nextUnseen, nextMistake()) })
        val seen = unseen.know(Seen(1, 0.9, 20), 3).know(Seen(0, 0.6, 22), 4).know(Seen(1, 0.4, 20), 5)
        assertTrue(seen.isSeen)
        assertEquals(listOf(40, 30), seen.judged.map { it.action })
        assertEquals(listOf(Verdict.BLUNDER, Verdict.GOOD), seen.judged.map { it.verdict })
        assertEquals(listOf(3, 4), seen.doubted)
        assertEquals(listOf(4, 4), listOf(seen.nextMistake(), seen.nextMistake(4)))
        assertEquals(40, seen.show(4).judgedMove?.action)
        assertNull(seen.show(3).judgedMove)
        assertEquals(listOf(3, 4, 5), seen.curve().map { it.first })
    }

    @Test
    fun `a board that would be repeated is called by the number that its move has`() {
        // A ko: black takes white's second stone, and white may not take that one at once.
        val placed = listOf(1, 2, 9, 12, 19, 20).fold(startSession(begin(GAMES.getValue("go")), 0)) { game, it ->
            game.play(it)
        }
        val taken = listOf(80, 10, 11).fold(Session(placed.states, 0, setUp = 6)) { game, it -> game.play(it) }
        assertEquals(8, taken.latest.whyIllegal(10)?.move)
        assertEquals(2, taken.whyIllegal(10, taken.latest)?.move)
    }

    @Test
    fun `verdicts are told of the first positions, without a gap`() {
        val session = session("tictactoe", 1, 4, 0, 8).know(Seen(0, 0.9, 0), 0).know(Seen(1, 0.6, 0), 1)
        assertEquals(listOf(Verdict.BLUNDER), session.judged.map { it.verdict })
        assertEquals(2, session.know(Seen(1, 0.5, 1), 3).seenSoFar)
        val tenths = session.curve().map { (moves, rate) -> moves to Math.round(rate * 10) }
        assertEquals("by the person's side", listOf(0 to 1L, 1 to 6L), tenths)
        assertEquals(Verdict.BLUNDER, session.show(1).judgedMove?.verdict)
        assertNull(session.show(0).judgedMove)
    }
}
