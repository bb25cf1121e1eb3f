/** Files that hold a network but no bundle: their probable format, and what to run so that they can be played. */
package org.azx.app.bundle

/** What is said of a network with this name. */
private typealias Remark = (name: String) -> BundleError

// People's name for what this app plays; `azx export` uses the index's name.
private const val SPOKEN = "TFLite"

// What HDF5 files begin with; and TFLite's, behind the place of their table.
private val HDF5 = bytes(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)
private val TFLITE = bytes(0x54, 0x46, 0x4c, 0x33)
private const val TFLITE_AT = 4

/** How many of a file's first bytes tell what it is. */
const val HEAD_BYTES = 8

// What Keras 3 puts into the .zip that it calls .keras.
private val KERAS_MEMBERS = listOf("config.json", "model.weights.h5")

private val keras: Remark = { BundleError("given_keras", it, FORMAT) }
private val alone: Remark = { BundleError("given_alone", it, SPOKEN) }

private fun other(format: String): Remark = { BundleError("given_other_format", it, format, SPOKEN, FORMAT) }

/** What is said of a single file, by its first bytes or else its name; null if it is no network. */
fun foreignFile(name: String, head: ByteArray): BundleError? = when {
    head.begins(HDF5) -> keras(name)
    head.begins(TFLITE, TFLITE_AT) -> alone(name)
    else -> byName(name)?.invoke(name)
}

/** What is said about the first network in a folder or a .zip called `what` that holds no bundle; null without one. */
fun foreignAmong(members: List<Member>, what: String): BundleError? {
    val paths = members.map { it.path }
    if (paths.containsAll(KERAS_MEMBERS)) return keras(what)
    // A .zip's own name is not in its paths, as a folder's is.
    val before = if (paths.any { it.startsWith("$what/") }) emptyList() else listOf(what)
    return paths.firstNotNullOfOrNull { path ->
        val parts = path.split('/')
        // Core ML's are folders.
        val at = parts.indexOfFirst { byName(it) != null }
        parts.getOrNull(at)?.let(::byName)?.invoke((before + parts.take(at + 1)).joinToString("/"))
    }
}

private fun byName(name: String): Remark? {
    val lower = name.lowercase()
    return when (lower) {
        "saved_model.pb" -> { it -> BundleError("given_saved_model", it, FORMAT) }
        "model.json" -> other("TF.js")
        else -> when (lower.substringAfterLast('.', "")) {
            "h5", "hdf5", "keras" -> keras
            "tflite" -> alone
            "onnx" -> other("ONNX")
            "pb" -> other("TensorFlow")
            "mlpackage", "mlmodel" -> other("Core ML")
            else -> null
        }
    }
}

private fun bytes(vararg values: Int) = ByteArray(values.size) { values[it].toByte() }

private fun ByteArray.begins(with: ByteArray, at: Int = 0): Boolean =
    size >= at + with.size && with.indices.all { this[at + it] == with[it] }
