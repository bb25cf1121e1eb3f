/** Reference outputs to hold a runtime to: golden.json's, the fixtures', and other people's. */
package org.azx.app.network

import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Manifest
import org.azx.app.bundle.ROOT
import org.azx.app.bundle.Role
import org.azx.app.engine.State
import org.azx.app.engine.parseJson
import java.io.DataInputStream
import java.io.File
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.zip.ZipFile
import kotlin.math.abs
import kotlin.math.max

/** One position: the network's inputs, and what the reference answers, by their names. */
class Answered(val inputs: Map<String, FloatArray>, val outputs: Map<String, FloatArray>)

/** The positions of golden.json. */
fun goldenAnswers(bundle: Bundle): List<Answered> = bundle.golden().map { Answered(it.inputs, it.outputs) }

/** The positions of the game's parity fixture, played in the Kotlin engine and encoded by it. */
fun fixtureAnswers(bundle: Bundle): List<Answered> {
    val fixture = membersOf(File(ROOT, "mobile_assets/fixtures/${bundle.manifest.game}/parity.json"))
    check(fixture["checkpoint_sha256"] == bundle.manifest.checkpoint.sha256) { "The fixture is of another network." }
    return (fixture["states"] as List<*>).map { answerOf(it as Map<*, *>, bundle) }
}

private fun answerOf(recorded: Map<*, *>, bundle: Bundle): Answered {
    @Suppress("UNCHECKED_CAST")
    val start = bundle.reading.start(recorded["settings"] as? Map<String, Any> ?: emptyMap())
    val state = (recorded["actions"] as List<*>).fold(start) { state: State, action -> state.apply(action as Int) }
    val outputs = bundle.manifest.outputs.associate { output ->
        val numbers = if (output.role == Role.VALUE) listOf(recorded["value"]) else recorded["policy"] as List<*>
        output.name to floats(numbers)
    }
    return Answered(inputsOf(bundle, state), outputs)
}

/** What the network of a bundle that can be played is given for a state. */
fun inputsOf(bundle: Bundle, state: State): Map<String, FloatArray> =
    mapOf(bundle.manifest.inputs.single().name to bundle.reading.tensor(state))

/** The positions of a NumPy archive whose arrays have the names of the inputs and outputs. */
fun archiveAnswers(archive: File, manifest: Manifest): List<Answered> = ZipFile(archive).use { zip ->
    val array = { name: String -> zip.getInputStream(zip.getEntry("$name.npy")).use(::numbers) }
    val inputs = manifest.inputs.associate { it.name to rows(array(it.name), it.size) }
    val outputs = manifest.outputs.associate { it.name to rows(array(it.name), it.size) }
    inputs.values.first().indices.map { row ->
        Answered(inputs.mapValues { it.value[row] }, outputs.mapValues { it.value[row] })
    }
}

private fun rows(numbers: FloatArray, width: Int): List<FloatArray> =
    (0 until numbers.size / width).map { numbers.copyOfRange(it * width, (it + 1) * width) }

/** A .npy file's numbers: bytes, or floats of four bytes. */
private fun numbers(stream: InputStream): FloatArray {
    val data = DataInputStream(stream)
    data.skipBytes(8)
    val header = ByteArray(data.readUnsignedByte() + 256 * data.readUnsignedByte()).also(data::readFully)
    val bytes = ByteBuffer.wrap(data.readBytes()).order(ByteOrder.LITTLE_ENDIAN)
    return when {
        "'|u1'" in String(header) -> FloatArray(bytes.remaining()) { (bytes[it].toInt() and 255).toFloat() }
        "'<f4'" in String(header) -> FloatArray(bytes.remaining() / 4) { bytes.getFloat(4 * it) }
        else -> error("unknown numbers: ${String(header)}")
    }
}

/** For each output the limit that the bundle's own proof held fp32 to: max(1e-5, 4 x the reference's own distance). */
fun limitsOf(folder: File): Map<String, Double> {
    val artifacts = (membersOf(File(folder, "parity.json"))["artifacts"] as List<*>).map { it as Map<*, *> }
    val heads = artifacts.single { it["format"] == "tflite" }["heads"] as List<*>
    return heads.map { it as Map<*, *> }.associate { head ->
        val limit = max(1e-5, 4 * (head["reference_distance"] as Number).toDouble())
        check(abs(limit - (head["limit"] as Number).toDouble()) < 1e-12) { "The proof was held to another limit." }
        head["head"] as String to limit
    }
}

/** The largest errors of the outputs by name, each divided by max(1, |reference|). */
fun largestErrors(network: Network, positions: List<Answered>): Map<String, Double> {
    check(positions.isNotEmpty()) { "There are no positions to compare." }
    val largest = HashMap<String, Double>()
    for (position in positions) {
        val found = network.outputs(position.inputs)
        check(found.keys == position.outputs.keys) { "The network answers with ${found.keys}." }
        for ((name, expected) in position.outputs) largest.merge(name, error(found.getValue(name), expected), ::maxOf)
    }
    return largest
}

private fun error(found: FloatArray, expected: FloatArray): Double {
    check(found.size == expected.size) { "The network answers with ${found.size} numbers instead of ${expected.size}." }
    return expected.indices.maxOf {
        val error = abs(found[it].toDouble() - expected[it]) / max(1.0, abs(expected[it].toDouble()))
        if (error.isNaN()) Double.POSITIVE_INFINITY else error
    }
}

private fun membersOf(file: File): Map<*, *> = parseJson(file.readText()) as Map<*, *>

private fun floats(numbers: List<*>): FloatArray = FloatArray(numbers.size) { (numbers[it] as Number).toFloat() }
