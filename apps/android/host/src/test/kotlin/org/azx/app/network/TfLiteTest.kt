package org.azx.app.network

import org.azx.app.bundle.Broken
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.SMALL
import org.azx.app.bundle.Shelf
import org.azx.app.bundle.Text
import org.azx.app.bundle.readIndex
import org.azx.app.bundle.reference
import org.azx.app.bundle.refusal
import org.azx.app.bundle.small
import org.azx.host.HostTfLite
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.BeforeClass
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.tensorflow.lite.Interpreter
import java.io.File
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.concurrent.thread

class TfLiteTest {
    @get:Rule
    val temporary = TemporaryFolder()

    private val broken by lazy { Broken(temporary.root, "connect4") }

    private fun network(bundle: Bundle) = TfLite(bundle.model(), bundle.manifest, bundle.readingOrNull)

    private val refused get() = refusal { network(broken.open()).close() }

    @Test
    fun `an evaluation is the outputs as the game reads them`() {
        val bundle = reference("connect4")
        network(bundle).use { network ->
            val state = bundle.reading.start().apply(38)
            val outputs = network.outputs(inputsOf(bundle, state))
            val evaluation = network.evaluate(state)
            assertTrue(network.hasValue)
            assertEquals(outputs.getValue("value_head")[0].toDouble(), evaluation.value, 0.0)
            val policy = bundle.reading.policy(outputs.getValue("policy_head"), state)
            assertArrayEquals(policy, evaluation.policy, 0f)
            assertTrue("the policy ends linear", evaluation.logits)
        }
    }

    @Test
    fun `a value is read as the manifest says, and turned where it is that of who began`() {
        broken.edit("\"role\": \"value\"", "\"role\": \"value\", \"value_range\": \"unit\"")
        broken.edit("\"encoding\": {", "\"encoding\": {\"value\": \"player0\", ")
        val bundle = broken.open()
        network(bundle).use { network ->
            for (state in listOf(bundle.reading.start(), bundle.reading.start().apply(38))) {
                val chance = network.outputs(inputsOf(bundle, state)).getValue("value_head")[0]
                val ofFirst = 2.0 * chance - 1
                assertEquals(if (state.toMove == 0) ofFirst else -ofFirst, network.evaluate(state).value, 0.0)
            }
        }
    }

    @Test
    fun `a softmax policy is told apart from logits`() {
        val bundle = reference("go")
        network(bundle).use { assertFalse(it.evaluate(bundle.reading.start()).logits) }
    }

    @Test
    fun `a network without a value says so and is even`() {
        val bundle = reference("tictactoe")
        network(bundle).use {
            assertFalse(it.hasValue)
            assertEquals(0.0, it.evaluate(bundle.reading.start()).value, 0.0)
        }
    }

    @Test
    fun `a network without a policy has none`() {
        broken.edit("\"role\": \"policy\"", "\"role\": \"other\"")
        val bundle = broken.open()
        network(bundle).use { assertEquals(null, it.evaluate(bundle.reading.start()).policy) }
    }

    /** The largest error of golden.json's positions. */
    private fun errorOf(bundle: Bundle): Double =
        network(bundle).use { largestErrors(it, goldenAnswers(bundle)) }.values.max()

    @Test
    fun `a network without a game, with two inputs or with several positions at a time answers as recorded`() {
        for (name in listOf("two_inputs", "batched", "value_only", "beside")) {
            assertTrue(name, errorOf(small(name)) < 1e-5)
        }
    }

    @Test
    fun `a network that reads in a second input who moves is given its part of the position in each`() {
        val bundle = small("beside")
        network(bundle).use { network ->
            for (state in listOf(bundle.reading.start(), bundle.reading.start().apply(4))) {
                val board = FloatArray(9).also { if (state.toMove == 1) it[4] = 1f }
                val turn = floatArrayOf(if (state.toMove == 0) 1f else -1f)
                val outputs = network.outputs(mapOf("turn" to turn, "board" to board))
                val evaluation = network.evaluate(state)
                assertArrayEquals(outputs.getValue("policy_head"), evaluation.policy, 0f)
                assertEquals(turn[0].toDouble() * outputs.getValue("value_head")[0], evaluation.value, 0.0)
            }
        }
    }

    @Test
    fun `inputs are found by their names, in whatever order the manifest lists them`() {
        val manifest = File(SMALL, "two_inputs/manifest.json").readText()
        val inputs = manifest.substringAfter("\"inputs\": [").substringBefore("\n ],")
        val (board, clock) = inputs.split("\n  },\n").let { it[0] + "\n  }" to it[1] }
        val shelf = Shelf(temporary.root)
        shelf.put(File(SMALL, "two_inputs"), null, "turned", inputs to "$clock,$board")
        val turned = Bundle.open(readIndex(shelf.store).single(), shelf.store)
        assertEquals(listOf("clock", "board"), turned.manifest.inputs.map { it.name })
        assertTrue(errorOf(turned) < 1e-5)
    }

    @Test
    fun `a network with another number of inputs than its manifest says is refused`() {
        val shelf = Shelf(temporary.root)
        val renamed = "\"inputs\": [" to "\"inputs\": [{\"name\": \"third\", \"shape\": [2]},"
        shelf.put(File(SMALL, "two_inputs"), null, "three", renamed)
        val three = Bundle.open(readIndex(shelf.store).single(), shelf.store)
        assertEquals(Text("error_input_count", "three", 2, 3), refusal { network(three).close() })
    }

    @Test
    fun `what cannot be played answers for no state`() {
        val state = reference("tictactoe").reading.start()
        network(small("two_inputs")).use { network ->
            val error = assertThrows(IllegalStateException::class.java) { network.evaluate(state) }
            assertEquals("Bundle 'two_inputs' cannot be played: run its self-test alone.", error.message)
        }
    }

    @Test
    fun `an answer is not written over by the next one`() {
        val bundle = reference("tictactoe")
        network(bundle).use { network ->
            val input = inputsOf(bundle, bundle.reading.start())
            val first = network.outputs(input).getValue("policy_head")
            val kept = first.clone()
            network.outputs(inputsOf(bundle, bundle.reading.start().apply(4)))
            assertArrayEquals(kept, first, 0f)
            assertArrayEquals(kept, network.outputs(input).getValue("policy_head"), 0f)
        }
    }

    @Test
    fun `a network is asked once as it is opened, so that the first move is not slow`() {
        val field = TfLite::class.java.getDeclaredField("interpreter").apply { isAccessible = true }
        network(reference("connect4")).use { network ->
            val asked = (field[network] as Interpreter).lastNativeInferenceDurationNanoseconds
            assertTrue("$asked", asked > 0)
        }
    }

    @Test
    fun `closing twice does no harm, and a closed network answers no more`() {
        val bundle = reference("tictactoe")
        val network = network(bundle)
        repeat(2) { network.close() }
        val error = assertThrows(IllegalStateException::class.java) { network.evaluate(bundle.reading.start()) }
        assertEquals("The network of 'tictactoe' has been closed: open the bundle again.", error.message)
    }

    @Test
    fun `a network may be closed while another thread asks it`() {
        val bundle = reference("connect4")
        val network = network(bundle)
        var ended: Throwable? = null
        val worker = thread {
            ended = runCatching { while (true) network.evaluate(bundle.reading.start()) }.exceptionOrNull()
        }
        Thread.sleep(50)
        network.close()
        worker.join(300_000)
        assertTrue("$ended", ended is IllegalStateException)
    }

    @Test
    fun `each of two threads that ask at once has its own answers`() {
        val bundle = reference("connect4")
        network(bundle).use { network ->
            val states = bundle.reading.start().let { listOf(it, it.apply(38)) }
            val values = states.map { network.evaluate(it).value }
            val found = List(2) { mutableSetOf<Double>() }
            val threads = states.indices.map { at ->
                thread { repeat(200) { found[at].add(network.evaluate(states[at]).value) } }
            }
            threads.forEach { it.join() }
            assertEquals(values.map { setOf(it) }, found)
        }
    }

    @Test
    fun `more threads give the same answers`() {
        val bundle = reference("connect4")
        val input = inputsOf(bundle, bundle.reading.start())
        val alone = network(bundle).use { it.outputs(input).getValue("policy_head") }
        TfLite(bundle.model(), bundle.manifest, bundle.reading, threads = 1000).use { network ->
            assertArrayEquals(alone, network.outputs(input).getValue("policy_head"), 1e-5f)
            val used = Runtime.getRuntime().availableProcessors()
            assertTrue("${network.runs}", "${network.runs}".endsWith(if (used == 1) " 1 thread" else " $used threads"))
        }
    }

    @Test
    fun `a truncated model with the hash of its manifest is refused`() {
        for (length in listOf(0, 3, 100, 4000, 7800)) {
            val copy = Broken(temporary.newFolder()).apply { replaceModel(model.readBytes().copyOf(length)) }
            val (key, places) = refusal { network(copy.open()).close() }
            assertEquals("error_load" to "tictactoe", key to places[0])
        }
    }

    @Test
    fun `an operation of no known number is refused at the door, one that the runtime lacks by the runtime`() {
        val sound = broken.model.readBytes()
        broken.replaceModel(withOperation(sound, version = 9999))
        assertEquals(Text("error_unsafe_operation", "connect4", "9999"), refused)
        // GELU is younger than the runtime of the tests.
        broken.replaceModel(withOperation(sound, version = 150))
        assertEquals("error_load", refused.key)
    }

    @Test
    fun `an output that the network lacks is named with those it has`() {
        broken.edit("\"name\": \"value_head\"", "\"name\": \"worth\"")
        assertEquals(Text("error_no_output", "connect4", "worth", "value_head, policy_head"), refused)
    }

    @Test
    fun `a shape that is not the manifest's is refused`() {
        broken.edit("    42\n", "    6,\n    7\n")
        val (has, says) = "FLOAT32 [1, 42]" to "FLOAT32 [1, 6, 7]"
        assertEquals(Text("error_tensor", "connect4", "policy_head", has, says), refused)
    }

    /** Whether the policy of a bundle, its manifest changed, is read as logits: in each of eight positions. */
    private fun isLogits(name: String, change: Pair<String, String>): List<Boolean> {
        val copy = Broken(temporary.newFolder(), name).apply {
            val stated = if (name == "go") "probabilities" else "logits"
            edit("\"policy_range\": \"$stated\",\n", "")
            edit(change.first, change.second)
        }
        val states = generateSequence(copy.open().reading.start()) { it.apply(it.legalActions()[3]) }.take(8)
        return network(copy.open()).use { network -> states.map { network.evaluate(it).logits }.toList() }
    }

    @Test
    fun `a policy is read alike in every position, by its activation where the manifest says no more`() {
        val (softmax, linear) = "\"activation\": \"softmax\"" to "\"activation\": \"linear\""
        for (activation in listOf("relu", "tanh", "linear", "unknown")) {
            assertEquals(activation, List(8) { true }, isLogits("go", softmax to "\"activation\": \"$activation\""))
        }
        for (activation in listOf("softmax", "sigmoid", "hard_sigmoid")) {
            assertEquals(
                activation,
                List(8) {
                    false
                },
                isLogits("connect4", linear to "\"activation\": \"$activation\""),
            )
        }
    }

    @Test
    fun `the manifest's policy_range comes before the activation`() {
        val (softmax, linear) = "\"activation\": \"softmax\"" to "\"activation\": \"linear\""
        assertEquals(List(8) { true }, isLogits("go", softmax to "$softmax, \"policy_range\": \"logits\""))
        val probabilities = linear to "$linear, \"policy_range\": \"probabilities\""
        assertEquals(List(8) { false }, isLogits("connect4", probabilities))
        val other = linear to "$linear, \"policy_range\": \"odds\""
        assertEquals(Text("error_member", "connect4", "outputs"), refusal { isLogits("connect4", other) })
    }

    @Test
    fun `what is no number is refused`() {
        val bundle = reference("connect4")
        broken.replaceModel(withoutNumbers(broken.model.readBytes()))
        val why = refusal { network(broken.open()).use { it.evaluate(bundle.reading.start()) } }
        assertEquals(Text("error_no_number", "connect4"), why)
    }

    /** The model with another version of the first of its operations that has one. */
    private fun withOperation(model: ByteArray, version: Int): ByteArray {
        val bytes = ByteBuffer.wrap(model.clone()).order(ByteOrder.LITTLE_ENDIAN)
        val codes = bytes.follow(bytes.field(bytes.follow(0), OPERATOR_CODES)!!)
        val tables = (1..bytes.getInt(codes)).map { bytes.follow(codes + 4 * it) }
        val place = tables.firstNotNullOf { bytes.field(it, VERSION) ?: bytes.field(it, BUILTIN_CODE) }
        bytes.putInt(place, version)
        return bytes.array()
    }

    /** The model with NaN in the place of every weight. */
    private fun withoutNumbers(model: ByteArray): ByteArray {
        val bytes = ByteBuffer.wrap(model.clone()).order(ByteOrder.LITTLE_ENDIAN)
        val buffers = bytes.follow(bytes.field(bytes.follow(0), BUFFERS)!!)
        val tables = (1..bytes.getInt(buffers)).map { bytes.follow(buffers + 4 * it) }
        val data = tables.mapNotNull { table -> bytes.field(table, 0)?.let { bytes.follow(it) } }
        for (numbers in data.filter { bytes.getInt(it) >= WEIGHTS }) {
            for (at in 0 until bytes.getInt(numbers) / 4) bytes.putFloat(numbers + 4 + 4 * at, Float.NaN)
        }
        return bytes.array()
    }

    private fun ByteBuffer.follow(at: Int): Int = at + getInt(at)

    /** Where a FlatBuffers table has a field; null if it has none. */
    private fun ByteBuffer.field(table: Int, number: Int): Int? {
        val offsets = table - getInt(table)
        if (4 + 2 * number >= getShort(offsets)) return null
        return getShort(offsets + 4 + 2 * number).toInt().takeIf { it > 0 }?.let { table + it }
    }

    companion object {
        // Fields of the TFLite schema's Model and OperatorCode.
        private const val OPERATOR_CODES = 1
        private const val BUFFERS = 4
        private const val VERSION = 2
        private const val BUILTIN_CODE = 3

        // A buffer of at least so many bytes holds weights, a smaller one a shape.
        private const val WEIGHTS = 64

        @BeforeClass
        @JvmStatic
        fun load() = HostTfLite.load()
    }
}
