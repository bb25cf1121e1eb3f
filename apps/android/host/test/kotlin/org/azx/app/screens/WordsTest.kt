package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.Reason
import org.azx.app.engine.begin
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.startDotsAndBoxes
import org.azx.app.play.Notice
import org.azx.app.play.Strength
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

/** The words of the screens, in both languages. */
class WordsTest : Stage() {
    private val words get() = Words(app.resources)
    private val start = begin(GAMES.getValue("go"))

    private fun reasons(): List<String> =
        Reason.Kind.entries.map { words.notice(Notice.NotPossible(Reason(it, "words", 7)), start) }

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
        val same = setOf("app_name", "unknown", "grid_size", "cross", "nought", "ai", "begins_ai")
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
    fun `a hint names the edge by its place`() {
        val edges = listOf(
            "horizontal edge, row 1, column 1", "horizontal edge, row 4, column 3",
            "vertical edge, row 1, column 1", "vertical edge, row 3, column 3", "vertical edge, row 3, column 4",
        )
        assertEquals(edges.map { "Hint: $it (41 %)." }, hints())
    }

    @Test
    @Config(qualifiers = "zh-rCN-$PHONE")
    fun `a hint names the edge by its place in Chinese`() {
        assertEquals("提示：第 1 行第 1 列的横边（41%）。", hints()[0])
        assertEquals("提示：第 3 行第 3 列的竖边（41%）。", hints()[3])
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
        assertEquals("围棋 (strong)", words.title("Go (strong)", "go", "Go"))
    }
}
