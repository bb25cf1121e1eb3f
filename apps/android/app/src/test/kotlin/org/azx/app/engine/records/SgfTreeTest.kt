package org.azx.app.engine.records

import org.azx.app.engine.State
import org.azx.app.engine.begin
import org.azx.app.engine.games.byName
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random

/** SGF with comments and variations: read, written, read again. */
class SgfTreeTest {
    private class Found(val record: Record, val states: List<State>, val beside: Beside) {
        val actions = states.drop(1).map { it.lastAction }

        private val game get() = byName(record.game.orEmpty())

        fun sgf(): String = checkNotNull(
            Written(game, record.settings, states, names = record.names, beside = beside).sgf(),
        )
    }

    private fun read(text: String): Found {
        val record = readRecord(text)
        val states = record.states(begin(byName(record.game.orEmpty()), record.settings))
        return Found(record, states, readBeside(text, states))
    }

    @Test
    fun `names, result, komi, rules, comments and variations are read, and written as they were told`() {
        val found = read(
            "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]RE[B+R]RU[Japanese];B[ee]C[A good point]" +
                ";W[ec];B[cc](;W[ce])(;W[gg];B[gc]))",
        )
        assertEquals(listOf(Comment(1, "A good point")), found.beside.comments)
        assertEquals(listOf(Line(3, listOf(60, 24), emptyList(), false)), found.beside.lines)
        assertEquals("A cup" to "B+R", found.beside.told["EV"] to found.beside.told["RE"])
        assertEquals(
            "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Japanese]PB[Honinbo]PW[Gennan]RE[B+R]EV[A cup];B[ee]" +
                "C[A good point];W[ec];B[cc]\n(;W[ce])\n(;W[gg];B[gc]))\n",
            found.sgf(),
        )
    }

    @Test
    fun `a variation ends at a move that the rules forbid, and is counted`() {
        val found = read("(;GM[1]SZ[9];B[ee](;W[ec])(;W[ee])(;W[gg];B[gg])(;W[ii]N[named]C[said\\]]))")
        assertEquals(2, found.beside.leftOut)
        val said = listOf(Comment(1, "named\nsaid]"))
        assertEquals(
            listOf(listOf(60) to emptyList<Comment>(), listOf(80) to said),
            found.beside.lines.map {
                it.actions to
                    it.comments
            },
        )
    }

    @Test
    fun `passes that Reversi forces and a record leaves out count, in the game and in a variation`() {
        val moves = ";B[cd];W[dd];B[ab];W[bd];B[dc];W[db]"
        val found = read("(;GM[2]SZ[4]$moves(;W[ac]C[after a pass];B[ad])(;W[aa]C[another]))")
        assertEquals(listOf(14, 15, 4, 13, 11, 7, 16, 8, 12), found.actions)
        assertEquals(listOf(Comment(8, "after a pass")), found.beside.comments)
        assertEquals(listOf(Line(6, listOf(16, 0), listOf(Comment(2, "another")), false)), found.beside.lines)
        val forbidden = read("(;GM[2]SZ[4]$moves(;W[ac];B[ad])(;W[cd]))").beside
        assertEquals(emptyList<Line>() to 1, forbidden.lines to forbidden.leftOut)
    }

    @Test
    fun `lines that were tried out behind the last move are beside a node without a move`() {
        val start = begin(byName("tictactoe"))
        assertEquals(null, Written(byName("tictactoe"), emptyMap(), listOf(start)).sgf())
        val go = begin(byName("go"), mapOf("size" to 9))
        val beside = Beside(lines = listOf(Line(1, listOf(41), emptyList(), true)))
        val text =
            checkNotNull(Written(byName("go"), mapOf("size" to 9), listOf(go, go.apply(40)), beside = beside).sgf())
        assertTrue(text, text.endsWith(";B[ee]\n(;)\n(;W[fe]))\n"))
        assertEquals(listOf(listOf(41)), read(text).beside.lines.map { it.actions })
    }

    @Test
    fun `a record with variations within variations says the same once it is saved and opened again`() {
        var (lines, comments) = 0 to 0
        for (seed in 0 until 60) {
            val text = Drawn(seed).text
            val found = read(text)
            val again = read(found.sgf())
            assertEquals(text, found.actions, again.actions)
            assertEquals(text, found.beside, again.beside.copy(told = found.beside.told))
            lines += found.beside.lines.size
            comments += found.beside.comments.size
        }
        assertTrue("$lines lines and $comments comments", lines > 100 && comments > 100)
    }

    /** A record that a seed fixes. */
    private class Drawn(seed: Int) {
        private val next = Random(seed)
        private val game = SGF_GAMES.keys.elementAt(seed % SGF_GAMES.size)
        private val size = mapOf("go" to 9, "gomoku" to 15, "reversi" to 8, "hex" to 7).getValue(game)
        private val words = listOf("good", "too slow [a]", "why\\not", "a: b", "two\nlines", "白の手", "I'd play (x)")
        val text = "(;GM[${SGF_GAMES[game]}]SZ[$size]EV[A cup]" +
            line(begin(byName(game), mapOf("size" to size)), 12 + next.nextInt(20), 0) + ")"

        private fun node(state: State, action: Int): String {
            val said = words[next.nextInt(words.size)].replace("\\", "\\\\").replace("]", "\\]")
            val point = if (action == size * size) "" else "${'a' + action % size}${'a' + action / size}"
            return ";${"BW"[state.toMove]}[$point]" + if (next.nextInt(4) == 0) "C[$said]" else ""
        }

        private fun line(from: State, moves: Int, depth: Int): String {
            if (moves == 0 || from.isTerminal) return ""
            val drawn = from.legalActions().toList().shuffled(next).take(
                if (depth < 3 &&
                    next.nextInt(4) == 0
                ) {
                    3
                } else {
                    1
                },
            )
            val rest = { action: Int, left: Int, deeper: Int ->
                node(from, action) +
                    line(from.apply(action), left, deeper)
            }
            if (drawn.size == 1) return rest(drawn[0], moves - 1, depth)
            return drawn.mapIndexed { at, action ->
                "(${if (at == 0) rest(action, moves - 1, depth) else rest(action, 1 + next.nextInt(5), depth + 1)})"
            }.joinToString("")
        }
    }
}
