/**
 * Checks a TFLite file before an interpreter gets it; nothing of it is run. It must be one graph of operations that only
 * calculate, all of it in the file, with a signature of its own inputs and outputs.
 *
 * A bundle may come from anybody, and TFLite has operations that keep a state, call other graphs, or are whatever an app
 * has registered. The fields are numbered as in TFLite's schema.fbs.
 */
package org.azx.app.network

import org.azx.app.bundle.BundleError
import org.azx.app.engine.membersOf
import org.azx.app.engine.readTable
import java.nio.ByteBuffer
import kotlin.math.abs
import kotlin.math.max

/** The operations by their numbers, and which of them a network may be made of. */
private object Operations {
    private val table = membersOf(readTable("tflite_operations"))
    private val names = (table.getValue("names") as List<*>).map { it as String }
    private val allowed = (table.getValue("allowed") as List<*>).toSet()

    fun nameOf(number: Int): String = names.getOrNull(number) ?: "$number"

    fun allows(name: String): Boolean = name in allowed
}

// As many as the tool that makes bundles takes: nodes, and numbers of an input and of any other tensor.
private const val MOST_OPERATORS = 200_000
private const val MOST_INPUT = 1L shl 20
private const val MOST_TENSOR = 1L shl 24

// The types of tensors that hold no numbers: text, a resource, a variant.
private val NO_NUMBERS = setOf(5, 13, 14)

/** Refuse a model that does more than calculate what its inputs come to; BundleError says why. */
fun checkModel(model: ByteBuffer, bundle: String) {
    try {
        val root = FlatTable.root(model, "TFL3") ?: throw BundleError("error_load", bundle, "it is no TFLite file")
        Door(root, bundle).check()
    } catch (error: IndexOutOfBoundsException) {
        throw BundleError("error_load", bundle, "it is damaged", cause = error)
    }
}

private class Door(private val model: FlatTable, private val bundle: String) {
    private val graphs = model.tables(SUBGRAPHS)
    private val graph = graphs.firstOrNull() ?: refuse("graphs", 0)
    private val tensors = graph.tables(TENSORS)
    private val inputs = graph.ints(INPUTS)
    private val outputs = graph.ints(OUTPUTS)

    fun check() {
        if (graphs.size != 1) refuse("graphs", graphs.size)
        checkFile()
        checkSignature()
        tensors.forEachIndexed(::checkTensor)
        checkOperators()
        checkOrder()
    }

    private fun refuse(what: String, vararg places: Any): Nothing =
        throw BundleError("error_unsafe_$what", bundle, *places)

    /** All weights are in the file: none lies behind the model or in another one. */
    private fun checkFile() {
        if (model.count(EXTERNAL_GROUPS) > 0 || model.count(EXTERNAL_BUFFERS) > 0) refuse("outside")
        // 1 stands for a place that the writer has left open.
        val places = model.tables(BUFFERS).flatMap { listOf(it.long(BUFFER_OFFSET), it.long(BUFFER_SIZE)) }
        if (places.any { it !in 0..1L }) refuse("outside")
    }

    /** One signature at most, of this graph's inputs and outputs and no others. */
    private fun checkSignature() {
        val signatures = model.tables(SIGNATURES)
        val signature = signatures.firstOrNull() ?: return
        val named = { field: Int -> signature.tables(field).map { it.int(TENSOR_INDEX) }.sorted() }
        val isOwn = signature.int(SIGNATURE_GRAPH) == 0 &&
            named(SIGNATURE_INPUTS) == inputs.sorted() && named(SIGNATURE_OUTPUTS) == outputs.sorted()
        if (signatures.size > 1 || !isOwn) refuse("signature")
    }

    private fun checkTensor(at: Int, tensor: FlatTable) {
        val name = nameOf(at)
        val keeps = tensor.byte(IS_VARIABLE) != 0 || tensor.count(VARIANTS) > 0
        if (keeps || tensor.byte(TENSOR_TYPE) in NO_NUMBERS) refuse("tensor", name)
        if (tensor.has(EXTERNAL_BUFFER) && tensor.int(EXTERNAL_BUFFER) != 0) refuse("outside")
        if (countOf(tensor.ints(SHAPE)) > if (at in inputs) MOST_INPUT else MOST_TENSOR) refuse("size", name)
    }

    /** How many numbers a tensor has, a free axis counted as one; more than any may have if that is no number. */
    private fun countOf(shape: List<Int>): Long = shape.fold(1L) { count, axis ->
        if (count > MOST_TENSOR) count else count * max(1L, abs(axis.toLong()))
    }

    private fun checkOperators() {
        val codes = model.tables(OPERATOR_CODES)
        codes.firstNotNullOfOrNull { it.text(CUSTOM_CODE) }?.let { refuse("operation", it) }
        val operators = graph.tables(OPERATORS)
        if (operators.size > MOST_OPERATORS) refuse("size", "${operators.size} operations")
        val names = codes.map { Operations.nameOf(max(it.byte(DEPRECATED_CODE), it.int(BUILTIN_CODE))) }
        for (operator in operators) {
            val name = names[operator.int(OPCODE)]
            val isOwn = operator.count(CUSTOM_OPTIONS) > 0 || operator.long(LARGE_OPTIONS) != 0L
            if (isOwn || !Operations.allows(name)) refuse("operation", name)
            val keeps = operator.bytes(MUTATING).any { it.toInt() != 0 } || operator.count(INTERMEDIATES) > 0
            if (keeps) refuse("tensor", name)
            val places = operator.ints(OPERATOR_INPUTS).filter { it != ABSENT } + operator.ints(OPERATOR_OUTPUTS)
            if (places.any { it !in tensors.indices }) throw IndexOutOfBoundsException("a tensor of $name")
        }
    }

    private fun nameOf(tensor: Int): String = tensors[tensor].text(TENSOR_NAME) ?: "$tensor"

    /** Each tensor is written once, and read behind that: TFLite keeps what stood in it when it was asked before. */
    private fun checkOrder() {
        val buffers = model.tables(BUFFERS)
        val stored = tensors.indices.filter { at ->
            buffers.getOrNull(tensors[at].int(TENSOR_BUFFER))?.let { it.count(BUFFER_DATA) > 0 } == true
        }
        val written = (inputs + stored).toHashSet()
        for (operator in graph.tables(OPERATORS)) {
            // A tensor without a number in it is nothing that could be kept.
            val read = operator.ints(OPERATOR_INPUTS).filter { it != ABSENT && 0 !in tensors[it].ints(SHAPE) }
            read.firstOrNull { it !in written }?.let { refuse("tensor", nameOf(it)) }
            operator.ints(OPERATOR_OUTPUTS).firstOrNull { !written.add(it) }?.let { refuse("tensor", nameOf(it)) }
        }
        outputs.firstOrNull { it !in written }?.let { refuse("tensor", nameOf(it)) }
    }

    private companion object {
        // Of Model.
        const val OPERATOR_CODES = 1
        const val SUBGRAPHS = 2
        const val BUFFERS = 4
        const val SIGNATURES = 7
        const val EXTERNAL_GROUPS = 8
        const val EXTERNAL_BUFFERS = 9

        // Of OperatorCode: the older number has but one byte.
        const val DEPRECATED_CODE = 0
        const val CUSTOM_CODE = 1
        const val BUILTIN_CODE = 3

        // Of SubGraph.
        const val TENSORS = 0
        const val INPUTS = 1
        const val OUTPUTS = 2
        const val OPERATORS = 3

        // Of Tensor.
        const val SHAPE = 0
        const val TENSOR_TYPE = 1
        const val TENSOR_BUFFER = 2
        const val TENSOR_NAME = 3
        const val IS_VARIABLE = 5
        const val VARIANTS = 9
        const val EXTERNAL_BUFFER = 10

        // Of Operator; an input that is left out is -1.
        const val OPCODE = 0
        const val OPERATOR_INPUTS = 1
        const val OPERATOR_OUTPUTS = 2
        const val CUSTOM_OPTIONS = 5
        const val MUTATING = 7
        const val INTERMEDIATES = 8
        const val LARGE_OPTIONS = 10
        const val ABSENT = -1

        // Of Buffer.
        const val BUFFER_DATA = 0
        const val BUFFER_OFFSET = 1
        const val BUFFER_SIZE = 2

        // Of SignatureDef and TensorMap.
        const val SIGNATURE_INPUTS = 0
        const val SIGNATURE_OUTPUTS = 1
        const val SIGNATURE_GRAPH = 4
        const val TENSOR_INDEX = 1
    }
}
