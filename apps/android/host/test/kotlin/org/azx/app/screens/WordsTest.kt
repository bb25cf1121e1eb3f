package org.azx.app.screens

import org.azx.app.R
import org.azx.app.engine.GAMES
import org.azx.app.engine.Reason
import org.azx.app.engine.begin
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

    @Test
    fun `one is singular`() {
        assertEquals("1 parameter", parameters(app.resources, words, 1))
        assertEquals("1,234 parameters", parameters(app.resources, words, 1234))
        assertEquals("1 second", words.strength(Strength.SECONDS_1))
    }

    @Test
    fun `a title of the index keeps the bundle's name`() {
        RuntimeEnvironment.setQualifiers("zh-rCN-$PHONE")
        assertEquals("围棋 (strong)", words.title("Go (strong)", "go", "Go"))
    }
}
