package org.azx.app.bundle

import org.azx.app.engine.membersOf
import org.azx.app.engine.parseJson
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
    private fun change(vararg changes: Pair<String, String>): Bundle = Broken(temporary.newFolder()).run {
        for ((old, new) in changes) edit(old, new)
        open()
    }

    private fun assertUnplayable(bundle: Bundle, vararg problems: Problem) {
        assertEquals(problems.toList(), bundle.problems)
        assertNull(bundle.readingOrNull)
        assertEquals(Text("error_unplayable", listOf(bundle.entry.name), problems.toList()), refusal { bundle.reading })
    }

    /** Its place is an engine's own sentence. */
    private fun bare(problem: Problem) = if (problem.code == "unreadable") Problem("unreadable") else problem

    @Test
    fun `every manifest of playable json is judged as Python judges it`() {
        val file = File(ROOT, "mobile_assets/fixtures/playable.json")
        val cases = membersOf(parseJson(file.readText()))["cases"] as List<*>
        assertTrue(cases.size >= 22)
        val rest = mapOf(
            "schema_version" to 1, "name" to "one", "files" to emptyList<Any>(),
            "recommended" to mapOf("android" to "one.tflite"), "checkpoint" to mapOf("parameters" to 2),
        )
        val entry = Entry("one", "One", null, null, null, emptyList())
        for (case in cases.map(::membersOf)) {
            val judged = judge(entry, manifestFrom(rest + membersOf(case["manifest"]), "one"))
            val problems = checkNotNull(problemsOf(case["problems"]))
            assertEquals(case["about"].toString(), problems.map(::bare), judged.problems.map(::bare))
            assertEquals(case["about"].toString(), problems.isEmpty(), judged.reading != null)
        }
    }

    private val unknown = "\"game\": \"tictactoe\"" to "\"game\": null"

    @Test
    fun `what can be played has no problem, nor has a network without a policy`() {
        for (bundle in GAMES_WITH_BUNDLES.map(::reference) + small("value_only")) {
            assertEquals(emptyList<Problem>(), bundle.problems)
            assertNotNull(bundle.readingOrNull)
        }
    }

    @Test
    fun `a bundle without a known game is opened, and says so`() {
        assertUnplayable(change(unknown), Problem("no_game"))
        val chess = change("\"game\": \"tictactoe\"" to "\"game\": \"chess\"")
        assertUnplayable(chess, Problem("unknown_game", "chess"))
    }

    @Test
    fun `every problem is told, in Python's order`() {
        assertUnplayable(small("two_inputs"), Problem("no_game"), Problem("inputs", 2))
        assertUnplayable(small("batched"), Problem("no_game"), Problem("batch", 4))
        val role = "\"role\": \"policy\"" to "\"role\": \"other\""
        assertUnplayable(change(unknown, role), Problem("no_game"), Problem("no_heads"))
    }

    @Test
    fun `what cannot be drawn or read is told with the reason`() {
        fun place(code: String, change: Pair<String, String>): String {
            val problem = change(change).problems.single()
            assertEquals(code, problem.code)
            return problem.places.single()
        }
        val plane = place("unreadable", "\"signed\"" to "\"nobody\"")
        assertTrue(plane, "there is no plane 'nobody'" in plane)
        val history = place("unreadable", "\"layout\": \"flat\"," to "\"layout\": \"flat\", \"history\": \"y\",")
        assertTrue(history, history.startsWith("encoding: history 'y' is unknown, use"))
        val missing = change("\"encoding\": {" to "\"encoding\": null, \"was\": {")
        assertUnplayable(missing, Problem("no_encoding"))
        val planes = change("\"signed\"" to "\"signed\", \"ones\"")
        assertUnplayable(planes, Problem("size", 18, 9))
        val range = place("unreadable_value", "\"role\": \"policy\"" to "\"role\": \"value\", \"value_range\": \"z\"")
        assertTrue(range, range.startsWith("value_range 'z' is"))
    }

    @Test
    fun `the problems of the index, of the manifest and of this app are one list, each code once`() {
        val broken = Broken(temporary.newFolder())
        val other = Problem("of_another_kind", "4")
        assertUnplayable(bundleIn(broken.folder, listOf(other)), other)
        assertEquals(emptyList<Problem>(), bundleIn(broken.folder).problems)
        val later = """"problems": [{"code": "later", "places": ["7"]}, {"code": "no_game", "places": []}]"""
        broken.edit("\"problems\": []", later)
        broken.edit(unknown.first, unknown.second)
        val known = listOf(Problem("no_game"))
        assertUnplayable(bundleIn(broken.folder, known), Problem("no_game"), Problem("later", 7))
        assertUnplayable(bundleIn(broken.folder), Problem("no_game"), Problem("later", 7))
    }

    @Test
    fun `a manifest that lists a file twice is damaged`() {
        val one = """{"path": "a", "sha256": "0", "size": 1}"""
        val why = refusal { change("\"files\": [" to "\"files\": [$one, $one,") }
        assertEquals(Text("error_member", "tictactoe", "files"), why)
    }

    @Test
    fun `a manifest whose problems are no list of problems is damaged`() {
        for (wrong in listOf("1", "[\"no_game\"]", """[{"code": "no_game"}]""", """[{"places": []}]""")) {
            val why = refusal { change("\"problems\": []" to "\"problems\": $wrong") }
            assertEquals(wrong, Text("error_member", "tictactoe", "problems"), why)
        }
    }

    @Test
    fun `without a network for this app neither is possible`() {
        val none = Problem("no_artifact")
        val other = change("\"android\"" to "\"other\"")
        assertUnplayable(other, none)
        assertEquals(none, other.untestable)
        val web = Bundle.open(entryFor(File(BUNDLES, "go"), emptyList(), "tfjs"), FolderStore(BUNDLES))
        assertUnplayable(web, none)
        assertEquals(none, web.untestable)
    }

    @Test
    fun `without positions the self-test is not possible, the game is`() {
        val bundle = change("\"path\": \"golden.json\"" to "\"path\": \"silver.json\"")
        assertEquals(Problem("no_golden"), bundle.untestable)
        assertNotNull(bundle.readingOrNull)
        for (name in listOf("two_inputs", "batched", "value_only", "beside")) assertNull(small(name).untestable)
    }
}
