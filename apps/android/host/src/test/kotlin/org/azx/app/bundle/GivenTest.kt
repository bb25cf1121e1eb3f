package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

/** Bundles that a person opens, as folders and as .zips: sound ones are kept, others refused in a sentence. */
class GivenTest {
    @get:Rule
    val temporary = TemporaryFolder()

    private val folder by lazy { File(temporary.root, "kept") }
    private val given by lazy { GivenBundles(folder) }
    private val bundle = File(BUNDLES, "tictactoe")

    private fun files(): Map<String, ByteArray> = bundle.walk().filter { it.isFile }
        .associate { "mine/" + it.relativeTo(bundle).path to it.readBytes() }

    private fun members(files: Map<String, ByteArray>): List<Member> =
        files.map { (path, bytes) -> Member(path, bytes.size.toLong()) { ByteArrayInputStream(bytes) } }

    private fun zip(files: Map<String, ByteArray>): ByteArray {
        val bytes = ByteArrayOutputStream()
        ZipOutputStream(bytes).use { out ->
            for ((path, content) in files) {
                out.putNextEntry(ZipEntry(path))
                out.write(content)
            }
        }
        return bytes.toByteArray()
    }

    private fun unzip(bytes: ByteArray) = zipMembers(ByteBuffer.wrap(bytes), "it.zip")

    private fun refuse(files: Map<String, ByteArray>): Text = refuse(members(files))

    private fun refuse(members: List<Member>): Text = refusal { given.take(members, "mine", emptySet()) }
        .also { assertEquals("nothing is kept", emptyList<Entry>(), given.entries()) }

    private fun refusedZip(bytes: ByteArray): Text = refusal { given.take(unzip(bytes), "it.zip", emptySet()) }
        .also { assertEquals("nothing is kept", emptyList<Entry>(), given.entries()) }

    @Test
    fun `a folder is kept, with the files that the app reads`() {
        assertEquals("tictactoe", given.take(members(files()), "mine", emptySet()))
        val kept = File(folder, "tictactoe").walk().filter { it.isFile }.map { it.name }.toSet()
        assertEquals(setOf("manifest.json", "golden.json", "tictactoe.tflite"), kept)
        val entry = given.entries().single()
        assertEquals(Triple("tictactoe", "Tic-tac-toe", true), Triple(entry.name, entry.title, entry.isGiven))
        val opened = Bundle.open(entry, given.store)
        assertEquals("tictactoe", opened.reading.game.name)
        assertEquals(20, opened.golden().size)
        assertEquals(File(bundle, "tictactoe.tflite").length(), opened.model().remaining().toLong())
    }

    @Test
    fun `a zip of it as well, packed with its folder or without`() {
        assertEquals("tictactoe", given.take(unzip(zip(files())), "it.zip", emptySet()))
        val flat = files().mapKeys { it.key.removePrefix("mine/") }
        assertEquals("its name is taken", "tictactoe-2", given.take(unzip(zip(flat)), "it.zip", setOf("tictactoe")))
        assertEquals(listOf("tictactoe", "tictactoe-2"), given.entries().map { it.name })
        assertEquals("tictactoe", Bundle.open(given.entries()[1], given.store).reading.game.name)
    }

    @Test
    fun `one that is called as one that the app was built with since gets another name`() {
        given.take(members(files()), "mine", emptySet())
        repeat(2) { assertEquals(listOf("tictactoe-2"), given.entries(listOf("tictactoe")).map { it.name }) }
        assertEquals("tictactoe", Bundle.open(given.entries()[0], given.store).reading.game.name)
    }

    @Test
    fun `what is kept is checked again, and can be removed`() {
        given.take(members(files()), "mine", emptySet())
        val model = File(folder, "tictactoe/tictactoe.tflite")
        model.writeBytes(model.readBytes().also { it[100] = (it[100] + 1).toByte() })
        assertEquals("error_hash", refusal { Bundle.open(given.entries()[0], given.store).model() }.key)
        File(folder, "tictactoe/manifest.json").writeText("{")
        assertEquals("error_size", refusal { Bundle.open(given.entries()[0], given.store) }.key)
        given.remove("tictactoe")
        assertEquals(emptyList<Entry>(), given.entries())
        assertFalse(model.exists())
        val (key, places) = refusal { given.remove("../kept") }
        assertEquals("given_not_removed" to "../kept", key to places[0])
        assertTrue(folder.exists())
    }

    @Test
    fun `what is no bundle says why`() {
        assertEquals(Text("given_nothing"), refuse(emptyMap()))
        val other = mapOf("mine/notes.txt" to ByteArray(4))
        assertEquals(Text("given_no_manifest", "mine"), refuse(other))
        val two = files().mapKeys { "all/" + it.key } + files().mapKeys { "all/other/" + it.key.removePrefix("mine/") }
        assertEquals(Text("given_several", "mine", 2), refuse(two))
        val many = (0..MOST_MEMBERS).associate { "mine/$it" to ByteArray(0) }
        assertEquals(Text("given_too_many", "mine", 2000), refuse(many))
        val noJson = files() + ("mine/manifest.json" to ByteArray(3))
        assertEquals(Text("error_json", "mine", "manifest.json"), refuse(noJson))
        val huge = Member("mine/manifest.json", null) { Endless() }
        assertEquals(Text("given_json_too_large", "mine", "manifest.json", 17, 16), refuse(listOf(huge)))
    }

    private class Endless : InputStream() {
        override fun read(): Int = 32
    }

    @Test
    fun `no path leads out of a bundle, and none stands there twice`() {
        for (path in listOf("../manifest.json", "/etc/hosts", "mine//golden.json", "mine/./x", "mine\\x")) {
            assertEquals(Text("given_outside", "mine", path), refuse(files() + (path to ByteArray(1))))
        }
        val twice = members(files()) + members(mapOf("mine/golden.json" to ByteArray(1)))
        assertEquals(Text("given_twice", "mine", "mine/golden.json"), refuse(twice))
        assertEquals("only what is kept lies there", emptyList<String>(), folder.list().orEmpty().toList())
    }

    @Test
    fun `a damaged file is named`() {
        val (model, found) = "mine/tictactoe.tflite" to files()
        val bytes = found.getValue(model)
        val name = "tictactoe.tflite"
        assertEquals(Text("given_missing", "tictactoe", name), refuse(found - model))
        assertEquals(Text("given_missing", "tictactoe", "golden.json"), refuse(found - "mine/golden.json"))
        val short = Text("given_size", "tictactoe", name, bytes.size - 1, bytes.size)
        assertEquals(short, refuse(found + (model to bytes.copyOf(bytes.size - 1))))
        val long = Text("given_size", "tictactoe", name, bytes.size + 1, bytes.size)
        assertEquals(long, refuse(found + (model to bytes.copyOf(bytes.size + 1))))
        val other = bytes.copyOf().also { it[9] = (it[9] + 1).toByte() }
        assertEquals(Text("given_hash", "tictactoe", name), refuse(found + (model to other)))
        val unread = found.getValue("mine/tictactoe.onnx").copyOf().also { it[9] = (it[9] + 1).toByte() }
        val foreign = Text("given_hash", "tictactoe", "tictactoe.onnx")
        assertEquals("though the app does not read it", foreign, refuse(found + ("mine/tictactoe.onnx" to unread)))
        val gone = members(found - model) + Member(model, bytes.size.toLong()) { throw IOException("It is gone.") }
        val why = Text("given_unreadable", "tictactoe", model, "It is gone")
        assertEquals(why, refuse(gone))
    }

    @Test
    fun `a bundle without TFLite, and one that is too large`() {
        val manifest = files().getValue("mine/manifest.json").decodeToString()
        val without = manifest.replace("\"android\": \"tictactoe.tflite\"", "\"android\": null")
        assertTrue(without != manifest)
        val bare = refuse(files() + ("mine/manifest.json" to without.toByteArray()))
        assertEquals(Text("error_no_artifact", "mine"), bare)
        val size = File(bundle, "tictactoe.tflite").length()
        val large = manifest.replace("\"size\": $size", "\"size\": 400000000")
        assertTrue(large != manifest)
        val tooLarge = refuse(files() + ("mine/manifest.json" to large.toByteArray()))
        assertEquals(Text("given_too_large", "mine", 300), tooLarge)
    }

    @Test
    fun `what there is no room for is not kept`() {
        val full = GivenBundles(folder) { 20_000_100L }
        val why = refusal { full.take(members(files()), "mine", emptySet()) }
        assertEquals(Text("given_no_room", "tictactoe", 1), why)
        assertEquals(emptyList<Entry>(), full.entries())
    }

    @Test
    fun `the room that is needed counts all that is kept, to the last byte`() {
        val kept = listOf("manifest.json", "golden.json", "tictactoe.tflite").sumOf { File(bundle, it).length() }
        val room = { left: Long -> GivenBundles(folder) { left } }
        val why = refusal { room(20_000_000L + kept - 1).take(members(files()), "mine", emptySet()) }
        assertEquals("given_no_room", why.key)
        assertEquals("tictactoe", room(20_000_000L + kept).take(members(files()), "mine", emptySet()))
    }

    @Test
    fun `what is no sound zip says why`() {
        val bytes = zip(files())
        assertEquals(Text("zip_none", "it.zip"), refusedZip(ByteArray(0)))
        assertEquals(Text("zip_none", "it.zip"), refusedZip("no zip at all".repeat(9).toByteArray()))
        assertEquals("cut short", Text("zip_none", "it.zip"), refusedZip(bytes.copyOf(bytes.size - 1)))
        val end = bytes.size - 22
        assertEquals(Text("zip_parts", "it.zip"), refusedZip(bytes.with(end + 4, 1)))
        assertEquals(Text("zip_64", "it.zip"), refusedZip(bytes.with(end + 10, 0xffff)))
        val many = bytes.with(end + 8, 3000).with(end + 10, 3000)
        assertEquals(Text("zip_entries", "it.zip", 3000, 2000), refusedZip(many))
        val first = directory(bytes)
        val path = unzip(bytes)[0].path
        assertEquals(Text("zip_encrypted", "it.zip", path), refusedZip(bytes.with(first + 8, 1)))
        assertEquals(Text("zip_packing", "it.zip", path, 12), refusedZip(bytes.with(first + 10, 12)))
        assertEquals(Text("zip_damaged", "it.zip"), refusedZip(bytes.with(first, 0)))
    }

    @Test
    fun `a zip that holds more or less than it says is not unpacked`() {
        val bytes = zip(mapOf("mine/manifest.json" to ByteArray(5_000_000)))
        val first = directory(bytes)
        assertEquals(Text("zip_more", "it.zip"), refusedZip(bytes.with(first + 24, 1000).with(first + 26, 0)))
        assertEquals(Text("zip_damaged", "it.zip"), refusedZip(bytes.with(first + 26, 200)))
        assertEquals(Text("zip_damaged", "it.zip"), refusedZip(bytes.with(first + 42, 9)))
        val bad = bytes.with(30 + "mine/manifest.json".length, 0xffff)
        assertEquals(Text("zip_damaged", "it.zip"), refusedZip(bad))
    }

    private fun directory(bytes: ByteArray): Int =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.size - 6)

    /** The same bytes with two of them replaced by a number. */
    private fun ByteArray.with(at: Int, number: Int): ByteArray = copyOf().also {
        it[at] = number.toByte()
        it[at + 1] = (number shr 8).toByte()
    }
}
