package org.azx.app.play

import org.azx.app.engine.Fixtures
import org.azx.app.engine.GameError
import org.azx.app.engine.HashEvaluator
import org.azx.app.engine.Json
import org.azx.app.engine.LEVELS
import org.azx.app.engine.Level
import org.azx.app.engine.Reading
import org.azx.app.engine.SearchSettings
import org.azx.app.engine.UNMEASURED
import org.azx.app.engine.begin
import org.azx.app.engine.chance
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.choose
import org.azx.app.engine.double
import org.azx.app.engine.games.byName
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.levelsOf
import org.azx.app.engine.passing
import org.azx.app.engine.splitmix64
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertSame
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

class LevelsTest {
    private val file = checkNotNull(Fixtures.readOrNull("levels")) { "mobile_assets/fixtures/levels.json is not there" }

    private fun level(written: Json) =
        Level(written.int("simulations"), written.double("threshold"), written.double("temperature"))

    private fun Json.seed(): Long = (getValue("seed") as Number).toLong()

    @Test
    fun `a thought ends once the move is decided, where the bundle says so, and no hint's`() {
        val game = byName("connect4")
        val reading = Reading(game, game.encoding, null, emptyMap())
        val both = listOf(SearchSettings(), SearchSettings(earlyStop = true)).map {
            Thinker(reading, HashEvaluator, true, it)
        }
        val (whole, ended) = both.map { it.think(emptyMap(), listOf(38, 31), Limit.Simulations(2000)) {} }
        assertEquals(whole.action, ended.action)
        assertTrue(ended.progress.simulations < whole.progress.simulations)
        val (hint, other) = both.map { thinker ->
            thinker.analyse(emptyMap(), listOf(38, 31), 2000, Asked()).candidates.map { it.action to it.visits }
        }
        assertEquals(hint, other)
    }

    @Test
    fun `are those of every language`() {
        val parts = { level: Level -> Triple(level.simulations, level.threshold, level.temperature) }
        val written = file.children("table").associate { it["game"] to it.children("levels").map(::level).map(parts) }
        assertEquals(written, (LEVELS + (null to UNMEASURED)).mapValues { it.value.map(parts) })
    }

    @Test
    fun `are others without a policy, and of a game that was not measured`() {
        assertSame(LEVELS["connect4"], levelsOf("connect4", true))
        assertSame(UNMEASURED, levelsOf("connect4", false))
        assertSame(UNMEASURED, levelsOf("chess", true))
    }

    @Test
    fun `draw the numbers of every language`() {
        for (written in file.children("numbers")) {
            val number = splitmix64(written.seed(), written.int("ply"))
            assertEquals("$written", written.text("number"), "%016x".format(number))
            assertEquals((number ushr 11) / 9007199254740992.0, chance(written.seed(), written.int("ply")), 0.0)
        }
    }

    @Test
    fun `choose as every language does`() {
        val choices = file.children("choices")
        assertTrue(choices.size > 100)
        for (written in choices) {
            val weights = (written["weights"] as List<*>).map { it as List<*> }
                .associate { (action, weight) -> (action as Number).toInt() to (weight as Number).toDouble() }
            val pass = (written["passing"] as Number?)?.toInt()
            val found = choose(weights, level(written.child("level")), written.seed(), written.int("ply"), pass)
            assertEquals("$written", written.int("action"), found)
        }
        assertThrows(GameError::class.java) { choose(emptyMap(), UNMEASURED[7], 0, 0) }
    }

    @Test
    fun `play whole games as every language does`() {
        for (written in file.children("games")) {
            val game = byName(written.text("game"))
            val reading = Reading(game, game.encoding, game.numberings(begin(game)).first(), emptyMap())
            val (thinker, actions) = Thinker(reading, HashEvaluator, true) to written.ints("actions")
            assertTrue(actions.size > 4)
            for ((ply, action) in actions.withIndex()) {
                val limit = Limit.Level(1 + ply % 8, written.seed())
                val thought = thinker.think(emptyMap(), actions.take(ply), limit) {}
                assertEquals("${written["game"]}, ply $ply", action, thought.action)
            }
        }
    }

    @Test
    fun `only Go passes among other moves`() {
        val passes = LEVELS.keys.associateWith { passing(begin(byName(it))) }
        assertEquals(mapOf("go" to 81), passes.filterValues { it != null })
    }
}
