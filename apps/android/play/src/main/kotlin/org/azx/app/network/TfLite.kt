package org.azx.app.network

import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Manifest
import org.azx.app.bundle.Output
import org.azx.app.bundle.PolicyRange
import org.azx.app.bundle.Port
import org.azx.app.bundle.Role
import org.azx.app.engine.Evaluation
import org.azx.app.engine.Reading
import org.azx.app.engine.State
import org.tensorflow.lite.DataType
import org.tensorflow.lite.Interpreter
import org.tensorflow.lite.Tensor
import org.tensorflow.lite.TensorFlowLite
import java.nio.Buffer
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.FloatBuffer

/**
 * A bundle's network in TensorFlow Lite on the CPU, by XNNPACK; `model` is a direct buffer that has been checked, in this
 * `precision` if that is below float32.
 *
 * Without a `reading` it answers for tensors alone, not for states. A network that takes several positions at a time gets
 * the same one several times, and its first answer counts. It has one set of buffers: evaluations, and `close`, wait for
 * each other. BundleError if the model cannot be run here, does more than calculate (`checkModel`) or is not the manifest's.
 */
class TfLite(
    model: ByteBuffer,
    private val manifest: Manifest,
    private val reading: Reading?,
    threads: Int = manifest.threads,
    private val precision: String? = null,
) : Network {
    private val used = threads.coerceIn(1, Runtime.getRuntime().availableProcessors())
    private val interpreter = load(model, used, manifest.bundleName)
    private var isClosed = false
    private val inputs = manifest.inputs.map { Numbers(it, manifest.rows) }
    private val buffers = arrayOfNulls<Any>(inputs.size)
    private val outputs = manifest.outputs.map { Numbers(it, manifest.rows) }
    private val places = HashMap<Int, Any>()
    private val value = portWith(Role.VALUE)
    private val policy = portWith(Role.POLICY)
    private val givesLogits = policy?.port?.policyRange == PolicyRange.LOGITS

    init {
        try {
            bind()
            // Asked once, so that it is known to run, and the first move is not slow.
            run()
        } catch (error: RuntimeException) {
            interpreter.close()
            throw error as? BundleError ?: refusal(manifest.bundleName, error)
        }
    }

    override val hasValue: Boolean get() = value != null

    override val runs: Runs get() = Runs("TensorFlow Lite ${TensorFlowLite.runtimeVersion()}", used, precision)

    @Synchronized
    override fun evaluate(state: State): Evaluation {
        val reading =
            checkNotNull(reading) { "Bundle '${manifest.bundleName}' cannot be played: run its self-test alone." }
        feed(reading, state)
        run()
        val answers = policy?.read()
        val found = value?.let { it.port.valueHead?.read(it.read()) } ?: 0.0
        if (!found.isFinite() || answers?.all { it.isFinite() } == false) {
            throw BundleError("error_no_number", manifest.bundleName)
        }
        val policy = answers?.let { reading.policy(it, state) }
        return Evaluation(reading.value(found, state), policy, givesLogits)
    }

    @Synchronized
    override fun outputs(inputs: Map<String, FloatArray>): Map<String, FloatArray> {
        for (input in this.inputs) inputs.getValue(input.port.name).copyInto(input.array)
        run()
        return this.outputs.associate { it.port.name to it.read().clone() }
    }

    /** May be called again, and from any thread: it waits for an evaluation that is being made. */
    @Synchronized
    override fun close() {
        if (!isClosed) interpreter.close()
        isClosed = true
    }

    /** Each input's part of the position; the only input is drawn in place. */
    private fun feed(reading: Reading, state: State) {
        val only = inputs.singleOrNull()
        if (only != null) {
            reading.tensor(state, only.array)
            return
        }
        val tensor = reading.tensor(state)
        inputs.fold(0) { from, input ->
            tensor.copyInto(input.array, 0, from, from + input.port.size)
            from + input.port.size
        }
    }

    /** Run the network on the numbers of the inputs' arrays. */
    private fun run() {
        check(!isClosed) { "The network of '${manifest.bundleName}' has been closed: open the bundle again." }
        for (input in inputs) input.write()
        for (output in outputs) output.rewind()
        interpreter.runForMultipleInputsOutputs(buffers, places)
    }

    /** Find the manifest's tensors in the model by their names, and hold their types and shapes to it. */
    private fun bind() {
        val (count, says) = interpreter.inputTensorCount to inputs.size
        if (count != says) throw BundleError("error_input_count", manifest.bundleName, count, says)
        val names = List(count) { interpreter.getInputTensor(it).name() }
        val at = inputs.map { placeOf(it.port, names) }
        for ((place, input) in at.zip(inputs)) {
            if (hasFreeBatch(interpreter.getInputTensor(place), input.port)) {
                interpreter.resizeInput(place, shapeOf(input.port).toIntArray())
            }
            buffers[place] = input.buffer
        }
        interpreter.allocateTensors()
        for ((place, input) in at.zip(inputs)) hold(interpreter.getInputTensor(place), input.port)
        bindOutputs()
    }

    private fun bindOutputs() {
        val names = List(interpreter.outputTensorCount) { interpreter.getOutputTensor(it).name() }
        for (output in outputs) {
            val place = placeOf(output.port, names)
            hold(interpreter.getOutputTensor(place), output.port)
            places[place] = output.buffer
        }
    }

    private fun placeOf(wanted: Port, names: List<String>): Int {
        val place = names.indexOfFirst { it == wanted.name || it == "${wanted.name}:0" }
        if (place >= 0) return place
        throw BundleError("error_no_output", manifest.bundleName, wanted.name, names.joinToString(", "))
    }

    /** Whether only the batch differs from what is wanted. */
    private fun hasFreeBatch(tensor: Tensor, wanted: Port): Boolean {
        val shape = tensor.shape()
        return shape.size == wanted.shape.size + 1 && shape[0] != manifest.rows && shape.drop(1) == wanted.shape
    }

    private fun hold(tensor: Tensor, wanted: Port) {
        val (shape, says) = tensor.shape().toList() to shapeOf(wanted)
        if (tensor.dataType() == DataType.FLOAT32 && shape == says) return
        val has = "${tensor.dataType()} $shape"
        throw BundleError("error_tensor", manifest.bundleName, wanted.name, has, "${DataType.FLOAT32} $says")
    }

    /** A tensor's shape with the batch. */
    private fun shapeOf(port: Port): List<Int> = listOf(manifest.rows) + port.shape

    private fun portWith(role: Role): Numbers<Output>? = outputs.find { it.port.role == role }

    /** A port's numbers twice: the array that a reading knows, and the buffer of `rows` that the runtime knows. */
    private class Numbers<Kind : Port>(val port: Kind, private val rows: Int) {
        val array = FloatArray(port.size)
        val buffer: FloatBuffer =
            ByteBuffer.allocateDirect(4 * rows * port.size).order(ByteOrder.nativeOrder()).asFloatBuffer()

        // As Buffer, whose methods every Android has; later ones have FloatBuffer's own too.
        private val place: Buffer = buffer

        fun rewind() {
            place.rewind()
        }

        fun write() {
            rewind()
            repeat(rows) { buffer.put(array) }
            rewind()
        }

        fun read(): FloatArray {
            rewind()
            buffer.get(array)
            return array
        }
    }

    private companion object {
        fun load(model: ByteBuffer, threads: Int, bundle: String): Interpreter {
            checkModel(model, bundle)
            return try {
                // Older runtimes only run their slower kernels unless they are told.
                Interpreter(model, Interpreter.Options().setUseXNNPACK(true).apply { setNumThreads(threads) })
            } catch (error: RuntimeException) {
                throw refusal(bundle, error)
            } catch (error: LinkageError) {
                throw BundleError("error_no_runtime", bundle, cause = error)
            }
        }

        fun refusal(bundle: String, error: RuntimeException): BundleError {
            val words = error.message.orEmpty().lineSequence().first().trim().trimEnd('.').ifEmpty { "no reason given" }
            return BundleError("error_load", bundle, words, cause = error)
        }
    }
}
