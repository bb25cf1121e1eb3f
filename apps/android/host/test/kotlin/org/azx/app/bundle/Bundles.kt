/** Bundles for tests: those that have been exported on this machine, and broken copies of them. */
package org.azx.app.bundle

import java.io.File
import java.io.FileInputStream
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.channels.FileChannel

/** A folder of bundles, read as an app reads its assets. */
class FolderStore(private val folder: File) : Store {
    override fun open(path: String): InputStream = FileInputStream(File(folder, path))

    override fun map(path: String): ByteBuffer = FileInputStream(File(folder, path)).channel.use {
        it.map(FileChannel.MapMode.READ_ONLY, 0, it.size())
    }
}

/** The repository's root, wherever the tests are run. */
val ROOT: File by lazy {
    val named = System.getProperty("azx.root")?.let(::File)
    val above = generateSequence(File("").absoluteFile) { it.parentFile }
    named ?: above.first { File(it, "mobile_assets/fixtures").exists() }
}

/** The exported reference bundles. */
val BUNDLES: File by lazy { System.getProperty("azx.bundles")?.let(::File) ?: File(ROOT, "build/bundles") }

/** Bundles of other networks, where somebody has exported some. */
val OTHERS: File by lazy { System.getProperty("azx.others")?.let(::File) ?: File(ROOT, "build/others") }

val GAMES_WITH_BUNDLES = listOf("connect4", "dots_and_boxes", "go", "gomoku", "tictactoe")

/** The bundle in a folder, as an index would list it now. */
fun bundleIn(folder: File): Bundle = Bundle.open(entryFor(folder), FolderStore(folder.parentFile))

fun reference(name: String): Bundle = bundleIn(File(BUNDLES, name))

/** What an index says of the bundle in a folder. */
fun entryFor(folder: File): Entry = Entry(
    folder.name, folder.name, "any", null, null, listOf(fileEntry(File(folder, "manifest.json"), "manifest.json")),
)

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

/** The sentence of the BundleError that `block` ends with. */
fun refusal(block: () -> Unit): String = try {
    block()
    throw AssertionError("It was not refused.")
} catch (error: BundleError) {
    error.message!!
}
