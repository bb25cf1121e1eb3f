package org.azx.app.screens

import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.bundle.Problem
import org.azx.app.bundle.ROOT
import org.azx.app.bundle.Text
import org.azx.app.engine.Refusal
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.play.Notice
import org.azx.app.play.Strength
import org.azx.app.screens.boards.themedContext
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import java.io.File

/** The words of the screens, in both languages. */
class WordsTest : Stage() {
    private val words get() = Words(app.resources)
    private val start = begin(GAMES.getValue("go"))

    private fun reasons(): List<String> =
        Refusal.Code.entries.map { words.notice(Notice.NotPossible(Refusal(it, 7)), start) }

    @Test
    fun `every reason has its own words`() {
        val said = reasons()
        assertEquals(said.size, said.toSet().size)
        assertTrue(said.all { it.startsWith("Not possible: ") && it.endsWith(".") })
        assertTrue(said.any { it.contains("move 7") })
    }

    @Test
    @Config(qualifiers = "zh-rCN-$PHONE")
    fun `every reason has Chinese words`() {
        for (said in reasons()) assertFalse(said, said.any { it in 'a'..'z' })
    }

    @Test
    fun `playing and the game have names of their own, in both languages`() {
        for (language in listOf("en", "zh-CN")) {
            val context = themedContext(language = language)
            val game = context.getString(R.string.game)
            for (id in listOf(R.string.play, R.string.mode_play, R.string.play_on)) {
                assertNotEquals(language, game, context.getString(id))
            }
        }
    }

    @Test
    @Config(qualifiers = "zh-rCN-$PHONE")
    fun `a game is played in Chinese`() {
        choose("connect4")
        remember("connect4", 0, 35, 28, 21, 14, 7, 0)
        val activity = play("connect4").get()
        assertEquals("四子棋", activity.title.toString())
        assertEquals("请点选一列落子", activity.text(R.id.status))
        activity.tap(0)
        assertEquals("不能这样走：这一列已满。", activity.text(R.id.notice))
        activity.press(R.id.hint)
        settle(activity)
        val hint = activity.text(R.id.notice)
        assertTrue(hint, Regex("提示：第 \\d 列（\\d+%），你的胜率 \\d+%。").matches(hint))
    }

    @Test
    fun `every string is translated`() {
        val same = setOf("app_name", "unknown", "grid_size", "cross", "nought", "ai", "begins_ai", "units_cpu") +
            setOf("language_english", "language_chinese")
        for (kind in listOf(R.string::class.java, R.plurals::class.java)) {
            for (field in kind.fields.filter { it.name !in same && !it.name.startsWith("board_") }) {
                val texts = listOf("en-rUS", "zh-rCN").map { text(it, kind, field.getInt(null)) }
                assertNotEquals(field.name, texts[0], texts[1])
            }
        }
    }

    private fun text(language: String, kind: Class<*>, id: Int): String {
        RuntimeEnvironment.setQualifiers("$language-$PHONE")
        val text = if (kind == R.string::class.java) app.resources.getText(id) else app.resources.getQuantityText(id, 2)
        return text.toString()
    }

    private fun hints(): List<String> {
        val grid = startDotsAndBoxes(3)
        return listOf(0, 11, 12, 22, 23).map { words.notice(Notice.Hint(it, 0.406, null), grid) }
    }

    @Test
    fun `a hint names the edge by its dots`() {
        val edges = listOf("A1–B1", "C4–D4", "A1–A2", "C3–C4", "D3–D4")
        assertEquals(edges.map { "Hint: $it (41 %)." }, hints())
    }

    @Test
    @Config(qualifiers = "zh-rCN-$PHONE")
    fun `a hint names the edge by its dots in Chinese`() {
        assertEquals("提示：A1–B1（41%）。", hints()[0])
    }

    @Test
    fun `a hint names all moves that are equally good, and says if every move loses`() {
        val grid = startDotsAndBoxes(3)
        val said = { rate: Double?, isLost: Boolean ->
            words.notice(Notice.Hint(0, 0.406, rate, listOf(0, 11), isLost), grid)
        }
        assertEquals("Hint: A1–B1, C4–D4 are equally good, as far as the search sees.", said(null, false))
        val chances = "Hint: A1–B1, C4–D4 are equally good as far as the search sees, your chances 50 %."
        assertEquals(chances, said(0.5, false))
        assertEquals("Hint: A1–B1. Every move loses if the opponent plays perfectly.", said(0.5, true))
    }

    @Test
    fun `one is singular`() {
        assertEquals("1 parameter", words.parameters(1))
        assertEquals("1,234 parameters", words.parameters(1234))
        assertEquals("1 second", words.strength(Strength.SECONDS_1))
    }

    @Test
    fun `a title of the index keeps the bundle's name`() {
        RuntimeEnvironment.setQualifiers("zh-rCN-$PHONE")
        assertEquals("围棋 (strong)", words.title(Entry("strong", "Go (strong)", "go", null, null, emptyList())))
        assertEquals("Go West", words.title(Entry("west", "Go West", null, null, null, emptyList())))
    }

    private val problems = listOf(
        Problem("no_game"), Problem("inputs", 2), Problem("unknown_game", "chess"), Problem("no_encoding"),
        Problem("unreadable", "because: (it is)"), Problem("size", 18, 9), Problem("no_heads"),
        Problem("batch", 8), Problem("unreadable_value", "1 (2)"), Problem("no_artifact"), Problem("no_golden"),
    )

    /** The keys of texts that the code names. */
    private fun keys(): Set<String> = listOf("app", "play")
        .flatMap { File(ROOT, "apps/android/$it/src/main/kotlin").walk() }.filter { it.isFile }
        .flatMap { Regex("\"((?:error|given|zip|record)_[a-z0-9_]+)\"").findAll(it.readText()) }
        .map { it.groupValues[1] }.toSet() + problems.map { "problem_${it.code}" }

    @Test
    fun `every key that the code names is a text, with its places in it`() {
        assertTrue(keys().size > 60)
        for (language in listOf("en-rUS", "zh-rCN")) {
            RuntimeEnvironment.setQualifiers("$language-$PHONE")
            for (key in keys()) {
                val id = app.resources.getIdentifier(key, "string", app.packageName)
                assertNotEquals(key, 0, id)
                if (key.startsWith("record_")) continue
                val count = Regex("%\\d\\$").findAll(app.resources.getString(id)).count()
                val places = List(count) { "place $it" }
                val text = Words(app.resources).text(Text(key, places))
                assertEquals(app.resources.getString(id, *places.toTypedArray()), text)
                assertTrue(text, places.all { it in text })
            }
        }
    }

    @Test
    fun `why a bundle cannot be played is said, and of a problem of a later azx its code`() {
        val said = problems.map { words.unplayable(listOf(it), null) }
        assertEquals("Cannot be played: it has no known game. Its self-test runs.", said[0])
        val size = "Cannot be played: its encoding makes 18 numbers and its network reads 9. Its self-test runs."
        assertEquals(size, said[5])
        assertEquals(said.size, said.toSet().size)
        val unknown = "Cannot be played: it gives a reason that this app does not know (too_late). Its self-test runs."
        assertEquals(unknown, words.unplayable(listOf(Problem("too_late", 7)), null))
        val inputs = "its network has 2 inputs, and nothing says what each of them reads"
        val both = "Cannot be played: it has no known game and $inputs."
        val why = "$both The self-test cannot run: it has no golden.json."
        assertEquals(why, words.unplayable(problems.take(2), Problem("no_golden")))
        val text = Text("error_unplayable", listOf("one"), problems.take(2))
        assertEquals(both.replace("Cannot", "Bundle 'one' cannot"), words.text(text))
    }

    @Test
    fun `a problem with other places than its text has is told by its code`() {
        val unknown = "it gives a reason that this app does not know (size)"
        for (places in listOf(emptyList(), listOf("18"))) {
            assertTrue(unknown in words.unplayable(listOf(Problem("size", places)), null))
        }
    }

    @Test
    @Config(qualifiers = "zh-rCN-$PHONE")
    fun `why a bundle cannot be played is said in Chinese`() {
        val said = problems.map { words.unplayable(listOf(it), null) }
        assertEquals("无法对局：不知道它下的是哪种棋。可以运行自检。", said[0])
        assertEquals("无法对局：它的网络有 2 个输入，而没有说明每个输入读取什么。可以运行自检。", said[1])
        assertEquals("无法对局：它的编码产生 18 个数，而它的网络读取 9 个。可以运行自检。", said[5])
        val kept = Regex("chess|because: \\(it is\\)|TFLite|golden\\.json")
        for (words in said) assertFalse(words, words.replace(kept, "").any { it in 'a'..'z' })
    }
}
