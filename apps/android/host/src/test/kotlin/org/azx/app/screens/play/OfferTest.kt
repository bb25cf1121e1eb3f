package org.azx.app.screens.play

import org.azx.app.R
import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.GivenBundles
import org.azx.app.bundle.Member
import org.azx.app.play.Assets
import org.azx.app.play.bundleOf
import org.azx.app.screens.Stage
import org.azx.app.screens.elsewhere
import org.azx.app.screens.isSeen
import org.azx.app.screens.nameIn
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.text
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.io.File
import java.security.MessageDigest

/** A network that comes while a game is on the board. */
class OfferTest : Stage() {
    @get:Rule
    val temporary = TemporaryFolder()

    private val usual = Assets.given

    @Before
    fun giveRoom() {
        val given = GivenBundles(temporary.newFolder("given"))
        Assets.given = { given }
    }

    @After
    fun restore() {
        Assets.given = usual
    }

    /** A bundle that a person opens; one of another network where `isOther`: its file has some bytes more. */
    private fun open(bundle: String, isOther: Boolean = true) = elsewhere {
        val files = HashMap<String, ByteArray>()
        for (file in File(BUNDLES, bundle).listFiles()!!.filter { it.isFile }) files[file.name] = file.readBytes()
        if (isOther) {
            val name = files.keys.single { it.endsWith(".tflite") }
            val before = files.getValue(name)
            files[name] = before + ByteArray(16)
            val manifest = String(files.getValue("manifest.json"))
            files["manifest.json"] = manifest.replace(hashOf(before), hashOf(files.getValue(name)))
                .replace("\"size\": ${before.size}", "\"size\": ${before.size + 16}").toByteArray()
        }
        val members = files.map { (name, bytes) -> Member(name, bytes.size.toLong()) { bytes.inputStream() } }
        val given = Assets.given(app)
        given.take(members, bundle, given.entries().map { it.name } + bundle)
    }

    private fun hashOf(bytes: ByteArray) =
        MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") { "%02x".format(it) }

    private fun begun(): Pair<ActivityController<PlayActivity>, String> {
        choose("tictactoe")
        val id = remember("tictactoe", 0, 4, 0)
        return play("tictactoe") to id
    }

    private fun ActivityController<PlayActivity>.comeBack(): PlayActivity = get().also {
        pause().resume()
        settle(it)
    }

    @Test
    fun `a network for the board on the table is offered, and the game goes on with it as one of its own`() {
        val (controller, id) = begun()
        assertFalse(controller.comeBack().isSeen(R.id.offer))
        open("tictactoe")
        val activity = controller.comeBack()
        assertTrue(activity.isSeen(R.id.offer))
        val said = activity.text(R.id.offer_text)
        assertTrue(said, said.startsWith("Another network for this board has come: "))
        assertFalse("nothing says so", said.contains("stronger"))
        activity.press(R.id.offer_take)
        assertTrue(activity.isFinishing)
        val intent = checkNotNull(shadowOf(activity).nextStartedActivity)
        assertNotEquals("tictactoe", nameIn(intent))
        val next = start(PlayActivity::class.java, intent).get().also(::settle)
        assertEquals(listOf(4, 0), next.play.session.actions)
        assertNotEquals(id, next.play.record.id)
        assertTrue(checkNotNull(next.play.record.bundle).isGiven)
        assertEquals("the other stays as it is", listOf(4, 0), checkNotNull(library[id]).actions)
        assertFalse("it plays already", next.isSeen(R.id.offer))
    }

    @Test
    fun `it is played on from the position that is shown`() {
        val (controller) = begun()
        open("tictactoe")
        val activity = controller.comeBack()
        activity.press(R.id.mode_replay)
        activity.press(R.id.first)
        activity.press(R.id.forward)
        activity.press(R.id.offer_take)
        val intent = checkNotNull(shadowOf(activity).nextStartedActivity)
        val next = start(PlayActivity::class.java, intent).get().also(::settle)
        assertEquals(4, next.play.session.actions[0])
        assertEquals("the network has answered", 2, next.play.session.moves)
    }

    @Test
    fun `no other game's network is offered, nor the same one once more, nor one that was there before`() {
        open("tictactoe")
        val (controller) = begun()
        open("connect4")
        open("tictactoe", isOther = false)
        assertFalse(controller.comeBack().isSeen(R.id.offer))
        elsewhere { assertEquals("tictactoe", bundleOf(app, "tictactoe").entry.name) }
    }
}
