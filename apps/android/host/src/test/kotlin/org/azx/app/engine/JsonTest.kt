package org.azx.app.engine

import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test

class JsonTest {
    @Test
    fun `every kind of value is read`() {
        val read = parseJson(
            """ {"a": [1, -2.5, 3e2, 5000000000, true, false, null], "b": {"c": ""}, "d": [], "e": {} } """,
        )
        val expected = mapOf(
            "a" to listOf(1, -2.5, 300.0, 5000000000L, true, false, null), "b" to mapOf("c" to ""),
            "d" to emptyList<Any>(), "e" to emptyMap<String, Any>(),
        )
        assertEquals(expected, read)
    }

    @Test
    fun `escapes are undone`() {
        assertEquals("a\"\\/\b\u000C\n\r\té", parseJson(""""a\"\\\/\b\f\n\r\t\u00e9""""))
    }

    @Test
    fun `what is no JSON is refused`() {
        val wrong = listOf(
            "", " ", "{", "[1", "[1,]", "{\"a\":1,}", "{a: 1}", "{'a': 1}", "{\"a\" = 1}", "{\"a\"}", "[1 2]", "01",
            "1.", "+1", ".5", "NaN", "Infinity", "tru", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"",
            "\"\\u００４１\"", "1 // one", "1 1", "]",
        )
        for (text in wrong) assertThrows(text, JsonError::class.java) { parseJson(text) }
    }

    @Test
    fun `the place of a mistake is told`() {
        val error = assertThrows(JsonError::class.java) { parseJson("[1, x]") }
        assertEquals("Character 5 of the JSON is wrong: a value was expected.", error.message)
    }

    @Test
    fun `deep nesting is refused before the stack is full`() {
        for (opening in listOf("[", "{\"a\":")) {
            val error = assertThrows(JsonError::class.java) { parseJson(opening.repeat(1_000_000)) }
            assertEquals("The JSON is nested deeper than 32.", error.message)
        }
    }
}
