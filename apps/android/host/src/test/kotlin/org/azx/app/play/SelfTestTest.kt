package org.azx.app.play

import org.azx.app.bundle.GAMES_WITH_BUNDLES
import org.azx.app.bundle.Limits
import org.azx.app.bundle.SMALL
import org.azx.app.bundle.half
import org.azx.app.bundle.lowerAt
import org.azx.app.bundle.manifestFrom
import org.azx.app.bundle.reference
import org.azx.app.bundle.small
import org.azx.app.engine.Evaluation
import org.azx.app.engine.State
import org.azx.app.engine.membersOf
import org.azx.app.engine.parseJson
import org.azx.app.network.Network
import org.azx.app.network.Runs
import org.azx.app.network.TfLite
import org.azx.host.HostTfLite
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.BeforeClass
import org.junit.Test
import java.io.File
import kotlin.concurrent.thread

class SelfTestTest {
    private val bundle = reference("tictactoe")

    /** The recorded answers, changed by `change`. */
    private inner class Recorded(private val change: (name: String, numbers: FloatArray) -> FloatArray?) : Network {
        override val hasValue = true

        override fun evaluate(state: State) = Evaluation(0.0, null, false)

        override fun outputs(inputs: Map<String, FloatArray>): Map<String, FloatArray> {
            val position = bundle.golden().first { it.inputs.all { (name, it) -> it.contentEquals(inputs[name]) } }
            return position.outputs.mapNotNull { (name, it) -> change(name, it.clone())?.let { name to it } }.toMap()
        }

        override fun close() = Unit
    }

    private fun compareWith(change: (String, FloatArray) -> FloatArray?): Found =
        compare(bundle.golden(), bundle.manifest, outputs = Recorded(change)::outputs)

    private fun first(numbers: FloatArray, change: (Float) -> Float) = numbers.also { it[0] = change(it[0]) }

    @Test
    fun `every reference bundle passes on the real runtime`() {
        for (name in GAMES_WITH_BUNDLES) {
            val bundle = reference(name)
            val tested = TfLite(bundle.model(), bundle.manifest, bundle.reading).use {
                SelfTest(bundle, it).run("this machine", 0.05)!!
            }
            assertTrue(tested.text(), tested.passed && tested.found.withBest == 20)
            assertTrue(tested.text(), tested.times.p50 in 1e-4..tested.times.p90 && tested.playoutsPerSecond!! > 0)
        }
    }

    @Test
    fun `what is played in a lower precision is tested, by its own limits`() {
        val bundle = half()
        assertEquals("fp16", bundle.lower!!.precision)
        assertEquals(File(SMALL, "half/tictactoe.fp16.tflite").length(), bundle.model().remaining().toLong())
        val tested = Assets.network(bundle).use { SelfTest(bundle, it).run("this machine", 0.05)!! }
        assertTrue(tested.text(), tested.passed && tested.text().startsWith("azx self-test: PASS"))
        assertTrue(tested.text(), Regex("Runtime: .*, CPU, 1 thread, fp16\n").containsMatchIn(tested.text()))
        assertTrue(tested.text(), "allowed in fp16: win rate 5.0e-02, best moves kept 98.0 %" in tested.text())
        // Farther off than what is to be equal may be.
        assertTrue(tested.text(), tested.found.largestError > 1e-6)
    }

    @Test
    fun `what is outside its gate, or is not listed, is not played`() {
        for (path in listOf("tictactoe.tflite", "other.tflite")) {
            assertEquals(null, half(path).lower)
            assertEquals(File(SMALL, "half/tictactoe.tflite").length(), half(path).model().remaining().toLong())
        }
        val failing = membersOf(parseJson(File(SMALL, "half/manifest.json").readText().replace("true", "false")))
        assertEquals(null, lowerAt(manifestFrom(failing, "half"), "tictactoe.fp16.tflite"))
    }

    @Test
    fun `an approximation may be off as far as its gate allows, and no farther`() {
        val connect4 = reference("connect4")
        fun passes(name: String, change: (Float) -> Float) = judge(
            connect4.golden(), connect4.manifest, Limits(valueMax = 0.05, bestMove = 0.98, margin = 0.01),
        ) { inputs ->
            val position = connect4.golden().first { it.inputs.all { (name, it) -> it.contentEquals(inputs[name]) } }
            position.outputs.mapValues { (at, numbers) -> if (at == name) map(numbers, change) else numbers }
        }.passed
        // Half of a value's change is the win rate's.
        assertTrue(passes("value_head") { it + 0.09f })
        assertFalse(passes("value_head") { it + 0.11f })
        assertFalse(passes("value_head") { Float.NaN })
        // The same moves are the best ones, then the worst ones.
        assertTrue(passes("policy_head") { 1.5f * it })
        assertFalse(passes("policy_head") { -it })
        assertFalse(passes("policy_head") { Float.NaN })
    }

    private fun map(numbers: FloatArray, change: (Float) -> Float) = FloatArray(numbers.size) { change(numbers[it]) }

    @Test
    fun `what cannot be played passes as well, without playouts`() {
        for ((name, best) in listOf("two_inputs" to 20, "batched" to 20)) {
            val bundle = small(name)
            val tested = TfLite(bundle.model(), bundle.manifest, null).use {
                SelfTest(bundle, it).run("this machine", 0.05)!!
            }
            assertTrue(tested.text(), tested.passed && tested.found.withBest == best)
            assertTrue(tested.text(), tested.times.perSecond > 0 && tested.playoutsPerSecond == null)
            assertTrue(tested.text(), tested.text().endsWith("Playouts a second: none, it cannot be played"))
        }
    }

    @Test
    fun `a network of two inputs fails where one of them is lost`() {
        val bundle = small("two_inputs")
        TfLite(bundle.model(), bundle.manifest, null).use { network ->
            val found = compare(bundle.golden(), bundle.manifest) { inputs ->
                network.outputs(inputs + ("clock" to FloatArray(2)))
            }
            assertFalse(found.passed)
        }
    }

    @Test
    fun `a network without a policy passes, and is played`() {
        val bundle = small("value_only")
        val tested = TfLite(bundle.model(), bundle.manifest, bundle.reading).use {
            SelfTest(bundle, it).run("this machine", 0.05)!!
        }
        assertTrue(tested.text(), tested.passed && tested.found.withBest == 0 && tested.playoutsPerSecond!! > 0)
        assertTrue(tested.text(), "Best move: no policy" in tested.text())
    }

    @Test
    fun `the text tells everything that was found`() {
        val times = Times(0.41, 0.5, 2400.4)
        val text = Tested(bundle, "a phone", Found(20, 2e-6, 20, 20), times, 2300.6, Runs("a runtime", 2)).text()
        val checkpoint = bundle.manifest.checkpoint
        val expected = """
            azx self-test: PASS
            Bundle: tictactoe (tictactoe, ${checkpoint.file} ${checkpoint.sha256.take(12)})
            Device: a phone
            Runtime: a runtime, CPU, 2 threads
            Positions: 20
            Largest error: 2.0e-06, allowed 1.0e-04
            Best move: 20 of 20
            One evaluation: p50 0.41 ms, p90 0.50 ms
            Evaluations a second: 2400
            Playouts a second: 2301
        """.trimIndent()
        assertEquals(expected, text)
        val failed = Tested(bundle, "a phone", Found(20, 1.0, 0, 0), Times(1.0, 1.0, 1.0), 1.0).text()
        assertTrue(failed, failed.startsWith("azx self-test: FAIL") && "Best move: no policy" in failed)
        assertTrue("what runs it is not known", "Runtime: unknown\n" in failed)
    }

    @Test
    fun `the recorded answers pass without an error`() {
        val found = compareWith { _, numbers -> numbers }
        assertEquals(listOf(20, 20, 20), listOf(found.positions, found.sameBest, found.withBest))
        assertTrue(found.passed && found.largestError == 0.0)
    }

    @Test
    fun `an output that is off fails`() {
        val found = compareWith { name, numbers ->
            if (name ==
                "policy_head"
            ) {
                first(numbers) { it + 2e-4f }
            } else {
                numbers
            }
        }
        assertEquals(2e-4, found.largestError, 2e-6)
        assertFalse(found.passed)
    }

    @Test
    fun `a missing or a short output and what is no number fail`() {
        val wrong = listOf<(String, FloatArray) -> FloatArray?>(
            { name, numbers -> numbers.takeIf { name != "policy_head" } },
            { name, numbers -> if (name == "policy_head") numbers.copyOf(3) else numbers },
            { _, numbers -> first(numbers) { Float.NaN } },
        )
        for (change in wrong) {
            val found = compareWith(change)
            assertTrue(found.largestError == Double.POSITIVE_INFINITY && !found.passed)
        }
    }

    @Test
    fun `another best move fails`() {
        val found = compareWith { _, numbers -> numbers.map { -it }.toFloatArray() }
        assertTrue("${found.sameBest}", found.sameBest < found.withBest && !found.passed)
    }

    @Test
    fun `no positions are no proof`() {
        assertFalse(Found(0, 0.0, 0, 0).passed)
    }

    @Test
    fun `a cancelled test ends soon, with nothing`() {
        val test = SelfTest(bundle, Recorded { _, numbers -> numbers })
        var tested: Tested? = Tested(bundle, "", Found(0, 0.0, 0, 0), Times(0.0, 0.0, 0.0), 0.0)
        val worker = thread { tested = test.run("a phone", 36_000.0) }
        Thread.sleep(100)
        test.cancel()
        worker.join(300_000)
        assertNull(tested)
    }

    companion object {
        @BeforeClass
        @JvmStatic
        fun load() = HostTfLite.load()
    }
}
