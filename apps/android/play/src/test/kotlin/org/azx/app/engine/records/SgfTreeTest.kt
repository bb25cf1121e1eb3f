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
            Written(game, record.settings, states, names = record.names, beside = beside, setUp = record.setUp).sgf(),
        )
    }

    private fun read(text: String): Found {
        val record = readRecord(text)
        val states = record.states(begin(byName(record.game.orEmpty()), record.settings))
        return Found(record, states, readBeside(text, states, record.setUp))
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
    fun `beside stones that were set up comments and variations count the moves that place them`() {
        val found = read(
            "(;GM[1]SZ[9]HA[2]AB[gc][cg]C[two stones](;W[ee];B[dd];B[ff]C[twice])(;B[cc]C[another];W[dd]))",
        )
        assertEquals(3 to listOf(24, 81, 56, 40, 30, 81, 50), found.record.setUp to found.actions)
        assertEquals(listOf(Comment(3, "two stones"), Comment(7, "twice")), found.beside.comments)
        val line = Line(3, listOf(81, 20, 30), listOf(Comment(2, "another")), false)
        assertEquals(listOf(line) to 0, found.beside.lines to found.beside.leftOut)
        val written = found.sgf()
        assertTrue(
            written,
            "HA[2]AB[gc][cg]PL[W]C[two stones]\n(;W[ee];B[dd];W[];B[ff]C[twice])\n(;W[];B[cc]" in written,
        )
    }

    @Test
    fun `a variation of another position is left out and counted`() {
        val stones = ";GM[1]SZ[9]"
        val within = read("($stones;B[ee](;W[ec];B[cc])(;W[gg];AB[aa];B[bb])(;AW[cc];W[dd])(;AE[ee];W[ff]))").beside
        assertEquals(listOf(listOf(60)) to 3, within.lines.map { it.actions } to within.leftOut)
        val early = read("($stones(;AB[cc];W[dd](;B[ee])(;B[ff]))(;B[aa])(;B[bb]))").beside
        assertEquals(listOf(Line(2, listOf(50), emptyList(), false)) to 2, early.lines to early.leftOut)
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
        val stood = HashMap<String, Int>()
        for (seed in 0 until 120) {
            val drawn = Drawn(seed)
            val text = drawn.text
            val found = read(text)
            val again = read(found.sgf())
            assertEquals(text, drawn.placed, found.actions.take(found.record.setUp))
            assertEquals(text, drawn.placed.size, again.record.setUp)
            if (drawn.placed.isNotEmpty()) stood[drawn.game] = stood.getOrElse(drawn.game) { 0 } + 1
            assertEquals(text, found.actions, again.actions)
            assertEquals(text, found.beside, again.beside.copy(told = found.beside.told))
            lines += found.beside.lines.size
            comments += found.beside.comments.size
        }
        assertTrue("$lines lines and $comments comments", lines > 100 && comments > 100)
        assertEquals("$stood", setOf("go", "gomoku", "hex"), stood.filterValues { it > 5 }.keys)
    }

    /** A record that a seed fixes. */
    private class Drawn(seed: Int) {
        private val next = Random(seed)
        val game = SGF_GAMES.keys.elementAt(seed % SGF_GAMES.size)
        private val size = mapOf("go" to 9, "gomoku" to 15, "reversi" to 8, "hex" to 7).getValue(game)
        private val words = listOf("good", "too slow [a]", "why\\not", "a: b", "two\nlines", "白の手", "I'd play (x)")
        private val start = begin(byName(game), mapOf("size" to size))

        /** The moves that place the stones which stand before the first move: none of half of the records. */
        val placed: List<Int> = if (next.nextBoolean() || game == "reversi") emptyList() else place()
        val text = "(;GM[${SGF_GAMES[game]}]SZ[$size]EV[A cup]${standing()}" +
            line(placed.fold(start) { state, action -> state.apply(action) }, 12 + next.nextInt(20), 0) + ")"

        /** A handicap, or stones of both sides; in Go also where it is the other side's turn than stones in turn leave. */
        private fun place(): List<Int> {
            val points = (0 until size * size).shuffled(next).take(2 + next.nextInt(4))
            val isHandicap = game == "go" && next.nextBoolean()
            val moves = if (isHandicap) points.flatMap { listOf(size * size, it) }.drop(1) else points
            return if (game == "go" && next.nextInt(3) == 0) moves + size * size else moves
        }

        private fun standing(): String {
            if (game == "reversi") return "AB[ed][de]AW[dd][ee]"
            val sides = List(2) { player ->
                placed.filterIndexed { ply, action ->
                    ply % 2 == player && action < size * size
                }.map { "[${point(it)}]" }
            }
            return listOf("AB", "AW").zip(sides).filter { it.second.isNotEmpty() }
                .joinToString("") { (key, values) -> key + values.joinToString("") }
        }

        private fun point(action: Int): String {
            val isPass = action == size * size
            return if (isPass) "" else "${'a' + action % size}${'a' + action / size}"
        }

        private fun node(state: State, action: Int): String {
            val said = words[next.nextInt(words.size)].replace("\\", "\\\\").replace("]", "\\]")
            return ";${"BW"[state.toMove]}[${point(action)}]" + if (next.nextInt(4) == 0) "C[$said]" else ""
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
