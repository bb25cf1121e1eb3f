package org.azx.app.bundle

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

/** Why a bundle cannot be played: by the index, or by this app where the index does not say. */
class PlayableTest {
    @get:Rule
    val temporary = TemporaryFolder()

    /** Tic-tac-toe's bundle with changes of its manifest. */
    private fun changed(vararg changes: Pair<String, String>): Bundle = Broken(temporary.newFolder()).run {
        for ((old, new) in changes) edit(old, new)
        open()
    }

    private fun assertUnplayable(bundle: Bundle, vararg problems: String) {
        assertEquals(problems.toList(), bundle.problems)
        assertNull(bundle.readingOrNull)
        val why = "Bundle '${bundle.entry.name}' cannot be played: ${problems.joinToString(" and ")}."
        assertEquals(why, refusal { bundle.reading })
    }

    /** What stands in brackets is an engine's own sentence. */
    private fun bare(clause: String) = clause.replace(Regex("^(what .* be drawn) \\(.+\\)$"), "$1")

    @Test
    fun `every manifest of playable json is judged as Python judges it`() {
        val file = File(ROOT, "mobile_assets/fixtures/playable.json")
        val cases = membersOf(parseJson(file.readText()))["cases"] as List<*>
        assertTrue(cases.size >= 22)
        val rest = mapOf(
            "schema_version" to 1, "name" to "one", "files" to emptyList<Any>(),
            "recommended" to mapOf("android" to "one.tflite"), "checkpoint" to mapOf("parameters" to 2),
        )
        val entry = Entry("one", "One", null, null, null, emptyList(), null)
        for (case in cases.map(::membersOf)) {
            val judged = judge(entry, manifestFrom(rest + membersOf(case["manifest"]), "Bundle 'one'"))
            val problems = (case["problems"] as List<*>).map { it as String }
            assertEquals(case["about"].toString(), problems.map(::bare), judged.problems.map(::bare))
            assertEquals(case["about"].toString(), problems.isEmpty(), judged.reading != null)
        }
    }

    private val unknown = "\"game\": \"tictactoe\"" to "\"game\": null"

    @Test
    fun `what can be played has no problem, nor has a network without a policy`() {
        for (bundle in GAMES_WITH_BUNDLES.map(::reference) + small("value_only")) {
            assertEquals(emptyList<String>(), bundle.problems)
            assertNotNull(bundle.readingOrNull)
        }
    }

    @Test
    fun `a bundle without a known game is opened, and says so`() {
        assertUnplayable(changed(unknown), "it has no known game")
        val chess = changed("\"game\": \"tictactoe\"" to "\"game\": \"chess\"")
        assertUnplayable(chess, "its game, 'chess', is none that the apps know")
    }

    @Test
    fun `every problem is told, in Python's order`() {
        val two = "its network has 2 inputs, and the apps play those with one"
        assertUnplayable(small("two_inputs"), "it has no known game", two)
        val four = "its artifacts take 4 positions at a time, and the apps give them one"
        assertUnplayable(small("batched"), "it has no known game", four)
        val role = "\"role\": \"policy\"" to "\"role\": \"other\""
        assertUnplayable(changed(unknown, role), "it has no known game", "it has neither a policy nor a value")
    }

    @Test
    fun `what cannot be drawn or read is told with the reason`() {
        val drawn = "what its network reads is not described so that it can be drawn "
        val plane = changed("\"signed\"" to "\"nobody\"").problems.single()
        assertTrue(plane, plane.startsWith("$drawn(") && "there is no plane 'nobody'" in plane && plane.endsWith(")"))
        val history = changed("\"layout\": \"flat\"," to "\"layout\": \"flat\", \"history\": \"y\",").problems.single()
        assertTrue(history, history.startsWith("$drawn(encoding: history 'y' is unknown, use"))
        val missing = changed("\"encoding\": {" to "\"encoding\": null, \"was\": {")
        assertUnplayable(missing, "what its network reads is not described")
        val planes = changed("\"signed\"" to "\"signed\", \"ones\"")
        assertUnplayable(planes, "its encoding makes 18 numbers and its network reads 9")
        val range = changed("\"role\": \"policy\"" to "\"role\": \"value\", \"value_range\": \"z\"").problems.single()
        assertTrue(range, range.startsWith("its value is not described so that it can be read (value_range 'z' is"))
    }

    @Test
    fun `the index has the word where it tells a problem, and this app where it tells none`() {
        val broken = Broken(temporary.newFolder())
        assertUnplayable(bundleIn(broken.folder, listOf("it is of another kind")), "it is of another kind")
        assertEquals(emptyList<String>(), bundleIn(broken.folder, emptyList()).problems)
        broken.edit(unknown.first, unknown.second)
        assertUnplayable(bundleIn(broken.folder, emptyList()), "it has no known game")
    }

    @Test
    fun `without a network for this app neither is possible`() {
        val none = "it was installed without its TFLite artifact, which is what an Android app loads"
        val other = changed("\"android\"" to "\"other\"")
        assertUnplayable(other, none)
        assertEquals(none, other.untestable)
        val web = Bundle.open(entryFor(File(BUNDLES, "go"), emptyList(), "tfjs"), FolderStore(BUNDLES))
        assertUnplayable(web, none)
        assertEquals(none, web.untestable)
    }

    @Test
    fun `without positions the self-test is not possible, the game is`() {
        val bundle = changed("\"path\": \"golden.json\"" to "\"path\": \"silver.json\"")
        assertEquals("it has no golden.json", bundle.untestable)
        assertNotNull(bundle.readingOrNull)
        for (name in listOf("two_inputs", "batched", "value_only")) assertNull(small(name).untestable)
    }
}
