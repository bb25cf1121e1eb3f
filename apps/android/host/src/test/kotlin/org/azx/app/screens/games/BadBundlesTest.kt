package org.azx.app.screens.games

import android.content.Context
import android.content.Intent
import android.content.res.Configuration
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.FolderStore
import org.azx.app.bundle.Recipe
import org.azx.app.bundle.Text
import org.azx.app.bundle.readIndex
import org.azx.app.play.Assets
import org.azx.app.play.Listed
import org.azx.app.play.SelfTest
import org.azx.app.play.Wanted
import org.azx.app.play.bundleOf
import org.azx.app.play.bundlesIn
import org.azx.app.play.failureOf
import org.azx.app.play.open
import org.azx.app.screens.Guarded
import org.azx.app.screens.Stage
import org.azx.app.screens.Words
import org.azx.app.screens.await
import org.azx.app.screens.elsewhere
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import java.util.Locale

/** What a person reads of each bundle of bad_bundles.json. */
class BadBundlesTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private val english by lazy { Words(app.resources) }
    private val chinese by lazy {
        val configuration = Configuration(app.resources.configuration).apply { setLocale(Locale.SIMPLIFIED_CHINESE) }
        Words(app.createConfigurationContext(configuration).resources)
    }

    /** What is said in place of the list, on the card, on opening its game, and by its self-test; null for nothing. */
    private class Said(val list: String?, val card: String?, val play: String?, val test: String?)

    private fun refusalOf(act: () -> Unit): Text? = runCatching(act).exceptionOrNull()?.let(::failureOf)

    private fun readCard(folder: File, words: Words): Said {
        val context: Context = app
        Assets.store = { FolderStore(folder) }
        val list = refusalOf { readIndex(FolderStore(folder)) }?.let(words::text)
        if (list != null) return Said(list, null, null, null)
        val card = when (val listed = bundlesIn(context) {}.single()) {
            is Listed.Game -> null
            is Listed.Unplayable -> words.unplayable(listed.bundle.problems, listed.bundle.untestable)
            is Listed.Damaged -> words.text(listed.failure)
        }
        val play = refusalOf { open(context, NAME, Wanted(null)).network.use { it.open() } }?.let(words::text)
        val test = refusalOf {
            val bundle = bundleOf(context, NAME)
            Assets.network(bundle).use { SelfTest(bundle, it).run("a test", 0.001) }
        }
        return Said(null, card, play, test?.let(words::text))
    }

    /** The text of a key, whatever stands in its places. */
    private fun patternOf(key: String): Regex {
        val places = arrayOf("(1)", "(2)", "(3)", "(4)")
        val text = app.getString(app.resources.getIdentifier(key, "string", app.packageName), *places)
        val pieces = text.split(Regex("\\(\\d\\)")).joinToString(".*", transform = Regex::escape)
        val isClause = key.startsWith("problem_")
        return Regex(if (isClause) "Cannot be played: $pieces\\. (Its|The) self-test .*\\." else pieces)
    }

    private fun Said.on(screen: String): String? =
        mapOf("list" to list, "card" to card, "play" to play, "test" to test)[screen]

    private fun hold(recipe: Recipe) {
        val folder = temporary.newFolder().also(recipe::make)
        val (said, also) = readCard(folder, english) to readCard(folder, chinese)
        folder.deleteRecursively()
        val key = recipe.key ?: return assertEquals(List(4) { null }, said.run { listOf(list, card, play, test) })
        val (sentence, translated) = said.on(recipe.screen).orEmpty() to also.on(recipe.screen).orEmpty()
        assertTrue(sentence, patternOf(key).matches(sentence))
        assertTrue(translated, translated.endsWith("。") && translated.any { it in '\u4e00'..'\u9fff' })
        for (text in listOf(sentence, translated)) assertTrue(text, recipe.names in text)
        if (recipe.screen in listOf("play", "test")) assertEquals(null, said.card)
        if (recipe.screen == "test") assertEquals(null, said.play)
    }

    @Test
    fun `each is told on its screen in both languages`() {
        assertTrue(Recipe.all.size > 90)
        val faults = ArrayList<String>()
        // What another thread throws fails no test.
        elsewhere {
            for (recipe in Recipe.all) runCatching { hold(recipe) }.onFailure { faults += "${recipe.about}: $it" }
            faults += "done"
        }
        assertEquals("done", faults.joinToString("\n"))
    }

    private fun install(about: String) {
        val recipe = Recipe.all.single { it.about == about }
        elsewhere { recipe.make(temporary.root) }
        Assets.store = { Guarded(FolderStore(temporary.root)) }
    }

    private fun cards(): List<View> {
        val activity = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !activity.isBusy }
        return activity.findViewById<ViewGroup>(R.id.list).run { List(childCount, ::getChildAt) }
    }

    private fun View.text(id: Int): String = findViewById<TextView>(id).text.toString()

    @Test
    fun `a damaged index is said in place of the list`() {
        install("an index that is cut")
        val card = cards().single()
        assertEquals("The list of games cannot be read", card.text(R.id.alert_title))
        assertEquals(english.text(Text("error_index")), card.text(R.id.sentence))
    }

    @Test
    fun `a damaged manifest is said on its card, without a way to play`() {
        install("a manifest of a newer azx")
        val card = cards().single()
        assertTrue(card.findViewById<View>(R.id.alert).isShown)
        assertFalse(card.findViewById<View>(R.id.buttons).isShown)
        val sentence = "Bundle 'tictactoe': its manifest has version 2, this app reads 1: use a newer app."
        assertEquals(sentence, card.text(R.id.sentence))
    }

    @Test
    fun `a damaged network is said in place of its game`() {
        install("a network that is changed")
        val activity = play(NAME).get()
        assertTrue(activity.findViewById<View>(R.id.failure).isShown)
        assertFalse(activity.findViewById<View>(R.id.play).isShown)
        assertEquals("Cannot be opened", activity.text(R.id.alert_title))
        assertTrue(activity.text(R.id.sentence).endsWith("(SHA-256 differs): install the bundle again."))
    }

    private companion object {
        const val NAME = "tictactoe"
    }
}
