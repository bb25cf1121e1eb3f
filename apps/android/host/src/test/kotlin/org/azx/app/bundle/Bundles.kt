/** Bundles for tests: those that have been exported on this machine, and broken copies of them. */
package org.azx.app.bundle

import java.io.File
import java.nio.ByteBuffer

/** The repository's root, wherever the tests are run. */
val ROOT: File by lazy {
    val named = System.getProperty("azx.root")?.let(::File)
    val above = generateSequence(File("").absoluteFile) { it.parentFile }
    named ?: above.first { File(it, "mobile_assets/fixtures").exists() }
}

/** The exported reference bundles. */
val BUNDLES: File by lazy { System.getProperty("azx.bundles")?.let(::File) ?: File(ROOT, "build/bundles") }

/** Tiny bundles, of which only the one without a policy can be played; a README beside them tells more. */
val SMALL: File by lazy { File(ROOT, "apps/android/host/src/test/small") }

/** Bundles of other networks, where somebody has exported some. */
val OTHERS: File by lazy { System.getProperty("azx.others")?.let(::File) ?: File(ROOT, "build/others") }

val GAMES_WITH_BUNDLES = listOf("connect4", "dots_and_boxes", "go", "gomoku", "reversi", "tictactoe")

/** The bundle in a folder, as an index would list it now. */
fun bundleIn(folder: File, problems: List<Problem> = emptyList()): Bundle =
    Bundle.open(entryFor(folder, problems), FolderStore(folder.parentFile))

fun reference(name: String): Bundle = bundleIn(File(BUNDLES, name))

fun small(name: String): Bundle = bundleIn(File(SMALL, name))

/** A network in half precision, as `azx install --precision` lists it, beside which the app has no other. */
fun half(artifact: String = "tictactoe.fp16.tflite"): Bundle {
    val files = listOf(fileEntry(File(SMALL, "half/manifest.json"), "manifest.json"))
    return Bundle.open(Entry("half", "half", "tictactoe", artifact, FORMAT, files), FolderStore(SMALL))
}

/** What an index says of the bundle in a folder. */
fun entryFor(folder: File, problems: List<Problem> = emptyList(), format: String? = null): Entry = Entry(
    folder.name, folder.name, "any", null, format,
    listOf(fileEntry(File(folder, "manifest.json"), "manifest.json")), problems,
)

/** A member of a manifest that says that another reading fits as well. */
const val ASSUMED = """"assumed": {"others": [{"name": "connect4-opponent-mover", "actions": [0, 1],
    "encoding": {"layout": "channels_first", "board": [6, 7], "planes": ["opponent", "mover"]}}]},"""

/** The same of tic-tac-toe: two readings that can be chosen, and one of more numbers than the network reads. */
const val CHOOSABLE = """"assumed": {"others": [{"name": "tictactoe-signed-opponent", "actions": "cell",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["signed_opponent"]}},
    {"name": "tictactoe-bottom-first", "actions": [6, 7, 8, 3, 4, 5, 0, 1, 2],
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["codes_player0"], "flip": true}},
    {"name": "tictactoe-planes", "actions": "cell",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["mover", "opponent"]}}]},"""

/** Bundles that are installed in a folder, as an app's assets hold them. */
class Shelf(private val folder: File) {
    val store: Store get() = FolderStore(folder)
    private val entries = ArrayList<String>()

    /** Put a copy of a bundle there, its manifest with `changes`; null leaves `problems` out of the index. */
    fun put(bundle: File, problems: List<Problem>?, name: String = bundle.name, vararg changes: Pair<String, String>) {
        val target = File(folder, name)
        for (file in bundle.listFiles().orEmpty().filter { it.isFile }) file.copyTo(File(target, file.name))
        val manifest = File(target, "manifest.json")
        for ((old, new) in changes) manifest.writeText(manifest.readText().also { check(old in it) }.replace(old, new))
        val game = Regex("\"game\": (null|\".*?\")").find(manifest.readText())!!.groupValues[1]
        val (path, sha256, size) = fileEntry(manifest, manifest.name).run { Triple(path, sha256, size) }
        val listed = problems?.joinToString(prefix = ", \"problems\": [", postfix = "]", transform = ::write)
        val files = """[{"path": "$path", "sha256": "$sha256", "size": $size}]"""
        entries += """{"name": "$name", "title": "$name", "game": $game, "files": $files${listed.orEmpty()}}"""
        File(folder, "index.json").writeText("""{"schema_version": 2, "bundles": [${entries.joinToString()}]}""")
    }
}

private fun write(problem: Problem): String =
    """{"code": "${problem.code}", "places": [${problem.places.joinToString { "\"$it\"" }}]}"""

fun fileEntry(file: File, path: String): FileEntry =
    FileEntry(path, sha256(ByteBuffer.wrap(file.readBytes())), file.length())

/** A copy of a reference bundle below `folder`, to be broken. */
class Broken(folder: File, private val name: String = "tictactoe") {
    val folder = File(folder, name).also(::copy)
    val model = File(this.folder, "$name.tflite")

    fun open(): Bundle = bundleIn(folder)

    fun edit(old: String, new: String) {
        val manifest = File(folder, "manifest.json")
        val text = manifest.readText()
        check(old in text) { "the manifest has no $old" }
        manifest.writeText(text.replace(old, new))
    }

    /** Put other bytes in the model's place, and their hash in the manifest's. */
    fun replaceModel(bytes: ByteArray) {
        val before = fileEntry(model, model.name)
        model.writeBytes(bytes)
        val after = fileEntry(model, model.name)
        edit(before.sha256, after.sha256)
        edit("\"size\": ${before.size}", "\"size\": ${after.size}")
    }

    private fun copy(target: File) {
        for (file in listOf("manifest.json", "golden.json", "$name.tflite")) {
            File(BUNDLES, "$name/$file").copyTo(File(target, file))
        }
    }
}

/** The text of the BundleError that `block` ends with. */
fun refusal(block: () -> Unit): Text = try {
    block()
    throw AssertionError("It was not refused.")
} catch (error: BundleError) {
    error.text
}
