/** What this app reads of a bundle's manifest.json and golden.json; docs/bundle-format.md has all of them. */
package org.azx.app.bundle

import org.azx.app.engine.ValueHead
import org.azx.app.engine.membersOf
import org.azx.app.engine.valueHeadFrom

const val SCHEMA_VERSION = 1
internal const val MANIFEST = "manifest.json"
internal const val GOLDEN = "golden.json"

/** A network's input or output; `shape` is without the batch. */
open class Port(val name: String, val shape: List<Int>) {
    val size: Int get() = shape.fold(1) { product, length -> product * length }
}

enum class Role { VALUE, POLICY, OTHER }

/** What a policy's numbers are; a manifest writes it in lower case. */
enum class PolicyRange { LOGITS, PROBABILITIES }

private val PROBABILITIES = listOf("softmax", "sigmoid", "hard_sigmoid")

/**
 * `activation` is what the network ends with: tanh, softmax, linear (logits), ..., unknown. `policyRange` is the range of a
 * policy's numbers; `members` are all members of the output.
 */
class Output(
    name: String,
    shape: List<Int>,
    val role: Role,
    val activation: String,
    val policyRange: PolicyRange,
    private val members: Map<String, Any?>,
) : Port(name, shape) {
    /** How a value is read, null if the role is another; GameError if the manifest says what there is not. */
    val valueHead: ValueHead? by lazy { if (role == Role.VALUE) valueHeadFrom(members, size) else null }

    /** Whether it is the value or the policy by its shape alone. */
    internal val isAssumed = role != Role.OTHER && members["degree"] == "assumed"
}

/** The file that the bundle was made from. */
class Checkpoint(val file: String, val sha256: String, val parameters: Long)

/**
 * A bundle's manifest; errors name the bundle by `bundleName`, `members` is the whole manifest.
 *
 * `game` is null if unknown. `rows` is how many positions the network takes at a time, 1 if that is free. `artifact` is the
 * path of the network for Android, null without one; `threads` is how many it should run on. `problems` are the exporter's
 * reasons why no app can play it. `others` are the readings that fit besides an assumed encoding; null if it is known.
 */
class Manifest(
    val bundleName: String,
    val members: Map<String, Any?>,
    val name: String,
    val game: String?,
    val inputs: List<Port>,
    val outputs: List<Output>,
    val rows: Int,
    val artifact: String?,
    val threads: Int,
    val checkpoint: Checkpoint,
    val files: List<FileEntry>,
    val problems: List<Problem>,
    val others: List<Other>?,
) {
    /** In how many positions the answers were compared with the checkpoint's; null if the manifest does not say. */
    val compared: Int? get() = (membersOf(members["positions"])["count"] as? Int)?.takeIf { it > 0 }

    /** The artifacts that it lists, as JSON gives them. */
    internal val artifacts: List<Map<String, Any?>>
        get() = (members["artifacts"] as? List<*>).orEmpty().map(::membersOf)

    /** The output with a role; null if the network has none. */
    fun outputWith(role: Role): Output? = outputs.find { it.role == role }

    /** The entry of a path that stays below the bundle's folder; BundleError if none is listed. */
    fun fileOf(path: String): FileEntry = files.find { isInside(path) && it.path == path }
        ?: throw BundleError("error_unlisted", bundleName, path)
}

/** One of golden.json's positions: inputs and the reference's outputs by name, and the best of the legal moves. */
class Golden(
    val inputs: Map<String, FloatArray>,
    val outputs: Map<String, FloatArray>,
    val legal: IntArray?,
    val best: Int?,
)

/** The manifest that `data` is; BundleError if this app cannot read it. */
fun manifestFrom(data: Any?, bundleName: String): Manifest {
    val found = membersOf(data)
    val version = found["schema_version"]
    if (version != SCHEMA_VERSION) throw BundleError("error_version", bundleName, version.toString())
    return readManifest(Members(found, bundleName))
}

/** The members of a manifest; BundleError if one is unsound. */
private class Members(val all: Map<String, Any?>, val bundleName: String) {
    fun <Found : Any> read(name: String, read: (Any?) -> Found?): Found =
        read(all[name]) ?: throw BundleError("error_member", bundleName, name)

    /** The same for a member that may be null. */
    fun <Found : Any> readOrNull(name: String, read: (Any) -> Found?): Found? =
        if (all[name] == null) null else read(name) { read(it!!) }
}

private fun readManifest(found: Members): Manifest {
    val name = found.read("name") { it as? String }
    val game = found.readOrNull("game") { it as? String }
    found.readOrNull("settings") { it as? Map<*, *> }
    val inputs = found.read("inputs") { portsOf(it, ::portOf)?.takeIf(List<Port>::isNotEmpty) }
    val outputs = found.read("outputs") { portsOf(it, ::outputOf) }
    val rows = found.readOrNull("batch") { rowsOf(it, inputs + outputs) } ?: 1
    val recommended = found.read("recommended") { it as? Map<*, *> }
    val files = found.read("files", ::filesOf)
    val threads = found.readOrNull("threads") { threads -> (threads as? Int)?.takeIf { it >= 1 } } ?: 1
    val checkpoint = found.read("checkpoint", ::checkpointOf)
    val problems = found.readOrNull("problems", ::problemsOf).orEmpty()
    val others = found.readOrNull("assumed") { othersOf(membersOf(it)["others"]) }
    return Manifest(
        found.bundleName, found.all, name, game, inputs, outputs, rows, recommended["android"] as? String, threads,
        checkpoint, files, problems, others,
    )
}

/** A list of ports; null if `data` is no list, or one of its items is no port. */
private fun <Of : Port> portsOf(data: Any?, read: (Any?) -> Of?): List<Of>? =
    (data as? List<*>)?.map { item -> read(item)?.takeIf { isSane(it.shape) } ?: return null }

/** How many positions are taken at a time; null if their tensors would be too large. */
private fun rowsOf(data: Any, ports: List<Port>): Int? =
    (data as? Int)?.takeIf { rows -> ports.all { isSane(it.shape + rows) } }

private fun portOf(data: Any?): Port? {
    val found = membersOf(data)
    return Port(found["name"] as? String ?: return null, intsOf(found["shape"]) ?: return null)
}

private fun outputOf(data: Any?): Output? {
    val port = portOf(data) ?: return null
    val found = membersOf(data)
    val role = Role.entries.find { it.name.lowercase() == found["role"] } ?: return null
    val activation = found["activation"] as? String ?: "unknown"
    val range = policyRangeOf(found["policy_range"], activation) ?: return null
    return Output(port.name, port.shape, role, activation, range, found)
}

/** The range of a policy's numbers, by the activation if the manifest does not say; null for an unknown word. */
private fun policyRangeOf(data: Any?, activation: String): PolicyRange? = when {
    data != null -> PolicyRange.entries.find { it.name.lowercase() == data }
    activation in PROBABILITIES -> PolicyRange.PROBABILITIES
    else -> PolicyRange.LOGITS
}

/** No board and no policy is anywhere near this many numbers. */
private fun isSane(shape: List<Int>): Boolean =
    shape.all { it >= 1 } && shape.fold(1L) { product, length -> minOf(product * length, 1L shl 24) } < 1L shl 24

private fun checkpointOf(data: Any?): Checkpoint? {
    val found = membersOf(data)
    val parameters = wholeOf(found["parameters"]) ?: return null
    return Checkpoint(found["file"] as? String ?: "", found["sha256"] as? String ?: "", parameters)
}

private fun wholeOf(data: Any?): Long? = if (data is Int || data is Long) (data as Number).toLong() else null

/** The positions of golden.json; BundleError if there are none, or one is another network's. */
fun goldenFrom(data: Any?, manifest: Manifest): List<Golden> {
    val positions = membersOf(data)["positions"] as? List<*> ?: emptyList<Any?>()
    if (positions.isEmpty()) throw BundleError("error_no_positions", manifest.bundleName)
    return positions.map {
        goldenOf(membersOf(it), manifest) ?: throw BundleError("error_other_positions", manifest.bundleName)
    }
}

private fun goldenOf(found: Map<String, Any?>, manifest: Manifest): Golden? {
    val inputs = tensorsOf(found["inputs"], manifest.inputs) ?: return null
    val outputs = tensorsOf(found["outputs"], manifest.outputs) ?: return null
    val width = manifest.outputWith(Role.POLICY)?.size ?: 0
    val legal = found["legal"]?.let { intsOf(it) ?: return null }
    val best = found["best"]?.let { it as? Int ?: return null }
    val known = legal ?: (0 until width).toList()
    val isSound = known.all { it in 0 until width } && (best == null || best in known)
    return if (isSound) Golden(inputs, outputs, legal?.toIntArray(), best) else null
}

/** The tensors of some ports by their names; null if one is missing or has another size. */
private fun tensorsOf(data: Any?, ports: List<Port>): Map<String, FloatArray>? {
    val found = membersOf(data)
    return ports.associate { port ->
        val numbers = floatsOf(found[port.name])?.takeIf { it.size == port.size } ?: return null
        port.name to numbers
    }
}

private fun floatsOf(data: Any?): FloatArray? {
    val list = data as? List<*> ?: return null
    return FloatArray(list.size) { at -> (list[at] as? Number)?.toFloat()?.takeIf(Float::isFinite) ?: return null }
}

internal fun intsOf(data: Any?): List<Int>? = (data as? List<*>)?.map { it as? Int ?: return null }
