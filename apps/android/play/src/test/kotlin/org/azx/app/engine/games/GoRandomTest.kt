package org.azx.app.engine.games

import org.azx.app.engine.Refusal
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.util.Random
import kotlin.math.abs

/** The rules once more, as slow and plain as they are written: boards are texts, all of them are remembered. */
private class PlainGo(private val size: Int) {
    private val boards = mutableListOf(".".repeat(size * size))

    fun play(stone: Char, at: Int) {
        boards.add(if (at == size * size) boards.last() else after(stone, at))
    }

    /** Why a stone is illegal; null if it is not. */
    fun why(stone: Char, at: Int): Refusal? {
        if (boards.last()[at] != '.') return Refusal(Refusal.Code.OCCUPIED)
        val next = after(stone, at)
        if (next[at] == '.') return Refusal(Refusal.Code.SUICIDE)
        val move = boards.indexOf(next)
        return if (move < 0) null else Refusal(Refusal.Code.SUPERKO, move)
    }

    /** The board after a stone, without it where it is suicide. */
    private fun after(stone: Char, at: Int): String {
        val cells = boards.last().toCharArray().also { it[at] = stone }
        for (near in around(at)) if (cells[near] != '.' && cells[near] != stone) takeDead(cells, near)
        takeDead(cells, at)
        return String(cells)
    }

    private fun takeDead(cells: CharArray, at: Int) {
        val group = mutableSetOf(at)
        while (group.addAll(group.flatMap(::around).filter { cells[it] == cells[at] })) continue
        if (group.flatMap(::around).none { cells[it] == '.' }) for (point in group) cells[point] = '.'
    }

    private val neighbours = List(size * size) { at ->
        (0 until size * size).filter { abs(it / size - at / size) + abs(it % size - at % size) == 1 }
    }

    private fun around(at: Int): List<Int> = neighbours[at]
}

// Three kos, so that boards come again after more than two moves.
private val KOS = movesTo(".XO XO.O .XO .XO X.XO .XO .XO XO.O .XO")

class GoRandomTest {
    /** How many moves ago the boards were that were not to be repeated. */
    private val repeated = mutableListOf<Int>()

    /** A game in which nobody passes who can play, held to the plain rules after captures and now and then. */
    private fun playOut(seed: Int, opening: List<Int>): Go {
        val random = Random(seed.toLong())
        val plain = PlainGo(9)
        var state = startGo()
        while (!state.isTerminal) {
            if (state.played % 8 == 0 || state.captured.isNotEmpty()) compare(state, plain)
            val action = opening.getOrNull(state.played) ?: choose(state, random)
            plain.play("XO"[state.toMove], action)
            state = state.apply(action)
        }
        return state
    }

    /** Any point, of several one that takes stones: kos are what is looked for. */
    private fun choose(state: Go, random: Random): Int {
        val legal = state.legalActions().let { if (it.size > 1) it.dropLast(1) else it.toList() }
        val tried = List(30) { legal[random.nextInt(legal.size)] }
        return tried.find { state.apply(it).captured.isNotEmpty() } ?: tried[0]
    }

    private fun compare(state: Go, plain: PlainGo) {
        val stone = "XO"[state.toMove]
        val reasons = (0 until state.pass).map(state::whyIllegal)
        assertEquals((0 until state.pass).map { plain.why(stone, it) }, reasons)
        val legal = reasons.indices.filter { reasons[it] == null } + state.pass
        assertArrayEquals(legal.toIntArray(), state.legalActions())
        repeated.addAll(reasons.filter { it?.code == Refusal.Code.SUPERKO }.map { state.played - (it?.move ?: 0) })
    }

    @Test
    fun `agrees with the plain rules in whole games, superko included`() {
        val ends = (1..6).map { playOut(it, emptyList()) } + (1..6).map { playOut(it, KOS) }
        assertTrue("no game came to a superko", repeated.size > 20)
        assertTrue("no board of long before was repeated", repeated.any { it > 3 })
        val stopped = ends.filter { it.played == 3 * 81 }
        assertTrue("no game was stopped", stopped.isNotEmpty())
        for (state in ends) assertEquals(if (state.score() > 0) 1 else -1, state.returns())
    }
}
