package org.azx.app.screens.games

import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.records.READER
import org.azx.app.engine.review.Phase
import org.azx.app.screens.Stage
import org.azx.app.screens.await
import org.azx.app.screens.idle
import org.azx.app.screens.nameIn
import org.azx.app.screens.play
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.press
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.azx.app.screens.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.Shadows.shadowOf

/** Records of games: pasted, shared by another app, and shared with it. */
class RecordsScreenTest : Stage() {
    private fun games(intent: Intent = Intent(app, GamesActivity::class.java)): GamesActivity {
        val activity = start(GamesActivity::class.java, intent).get()
        await("the list") { !activity.isBusy }
        return activity
    }

    private fun shareText(text: String): GamesActivity {
        val send = Intent(app, GamesActivity::class.java).setAction(Intent.ACTION_SEND).setType("text/plain")
        return games(send.putExtra(Intent.EXTRA_TEXT, text))
    }

    /** The screen that a list has opened. */
    private fun openedScreen(activity: GamesActivity): PlayActivity {
        val screen = start(PlayActivity::class.java, shadowOf(activity).nextStartedActivity).get()
        settle(screen)
        return screen
    }

    private fun refusal(text: String): String {
        val activity = shareText(text)
        val dialog = checkNotNull(activity.records.dialog) { "nothing is said of '$text'" }
        assertTrue(dialog.isShowing)
        assertEquals(null, shadowOf(activity).nextStartedActivity)
        return dialog.findViewById<TextView>(android.R.id.message).text.toString()
    }

    @Test
    fun `a text that is pasted shows its game in a replay, and can be continued`() {
        choose("tictactoe")
        val activity = games()
        shadowOf(activity).clickMenuItem(R.id.open_game)
        val dialog = checkNotNull(activity.records.dialog)
        dialog.findViewById<EditText>(R.id.record).setText("tictactoe: 4 0")
        dialog.getButton(android.app.AlertDialog.BUTTON_POSITIVE).performClick()
        // A dialog tells of its buttons by a message of the main thread.
        idle()
        await("the game") { !activity.isBusy }
        val screen = openedScreen(activity)
        assertEquals(listOf(4, 0), screen.play.session.actions)
        assertTrue(screen.play.isReplay)
        val read = screen.play.identity.id
        screen.press(R.id.play_from_here)
        screen.tap(1)
        settle(screen)
        assertEquals(listOf(4, 0, 1), screen.play.session.actions.take(3))
        assertEquals(4, screen.play.session.moves)
        assertEquals("the record stays as it is", listOf(4, 0), library[read]?.actions)
    }

    @Test
    fun `a record takes the place of no game, and is there once however often it is opened`() {
        remember("tictactoe", 0, 4, 0)
        // A record of settings that there are not is in nobody's way.
        val odd = checkNotNull(library[remember("gomoku", 0)]).copy(human = READER, settings = mapOf("size" to "x"))
        library.keep(odd)
        openedScreen(shareText("gomoku size=15:"))
        library.list().filter { it.game == "gomoku" }.forEach { library.remove(it.id) }
        val first = openedScreen(shareText("tictactoe: 4 0 1"))
        assertEquals(listOf(4, 0, 1), first.play.session.actions)
        assertEquals(first.play.identity.id, openedScreen(shareText("tictactoe: 4 0 1")).play.identity.id)
        assertEquals(setOf(listOf(4, 0, 1), listOf(4, 0)), library.list().map { it.actions }.toSet())
        assertEquals(2, library.list().size)
    }

    @Test
    fun `another app's link of Go is opened with its komi`() {
        val activity = shareText("See https://host.example/azx/#my-net/moves=E5.D4&game=go&komi=6.5")
        val screen = openedScreen(activity)
        assertEquals("go", nameIn(screen.intent))
        assertEquals(listOf(40, 48), screen.play.session.actions)
        assertEquals(6.5, screen.play.settings["komi"])
        assertEquals(Phase.READ, screen.play.session.phase)
    }

    @Test
    fun `what is no record is told of in one sentence, and nothing is opened`() {
        assertEquals(
            "This is no record of a game: a link, SGF, or a line such as connect4: 3 3 2 is read.",
            refusal("Hello!"),
        )
        assertEquals("Move 7 is not possible: the column is full.", refusal("connect4: 3 3 3 3 3 3 3"))
        assertEquals("Move 2, 'x', is no move of this game.", refusal("go: D4 x"))
        assertEquals(
            "No network here plays Go on the board of this record.",
            refusal("(;GM[1]SZ[19];B[pd])"),
        )
    }

    @Test
    fun `other people's game is spoken of by their names, with what its text says, and shared as it was`() {
        val text =
            "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]RE[B+R]RU[Japanese];B[ee]C[A good point];W[ec]" +
                ";B[cc](;W[ce])(;W[gg];B[gc]))"
        val screen = openedScreen(shareText(text))
        assertEquals("The winner is Honinbo", screen.text(R.id.status))
        assertEquals(listOf("Honinbo", "Gennan"), listOf(R.id.player_one, R.id.player_two).map { screen.name(it) })
        assertEquals(listOf("Event, A cup", "Result, B+R", "Komi, 6.5", "Rules, Japanese"), screen.facts())
        for (id in listOf(R.id.mode_play, R.id.mode_replay, R.id.undo)) {
            assertFalse(screen.findViewById<View>(id).isShown)
        }
        screen.press(R.id.back)
        assertEquals("Gennan to move", screen.text(R.id.status))
        assertEquals(listOf("Variations:", "G3"), screen.branches().map { it.text.toString() })
        screen.branches()[1].performClick()
        idle()
        assertEquals("Variation: 1 after move 3", screen.text(R.id.ply_text))
        assertEquals(listOf("G7"), screen.branches().drop(1).map { it.text.toString() })
        screen.press(R.id.forward)
        assertEquals("Variation: 2 after move 3", screen.text(R.id.ply_text))
        screen.press(R.id.back)
        assertEquals("Variation: 1 after move 3", screen.text(R.id.ply_text))
        screen.press(R.id.to_game)
        screen.press(R.id.first)
        screen.press(R.id.forward)
        assertEquals("A good point", screen.text(R.id.comment))
        val sent = checkNotNull(share(screen).getStringExtra(Intent.EXTRA_TEXT))
        assertEquals(
            "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Japanese]PB[Honinbo]PW[Gennan]RE[B+R]EV[A cup];B[ee]" +
                "C[A good point];W[ec];B[cc]\n(;W[ce])\n(;W[gg];B[gc]))\n",
            sent,
        )
        val read = library.list().single()
        screen.press(R.id.play_from_here)
        settle(screen)
        assertEquals("You", screen.name(R.id.player_one))
        assertEquals("the record stays as it was", read, library[read.id])
    }

    private fun PlayActivity.name(chip: Int): String =
        findViewById<View>(chip).findViewById<TextView>(R.id.who).text.toString()

    private fun PlayActivity.facts(): List<String> =
        findViewById<ViewGroup>(R.id.told).run { List(childCount) { getChildAt(it).contentDescription.toString() } }

    private fun PlayActivity.branches(): List<TextView> =
        (findViewById<ViewGroup>(R.id.branches).getChildAt(0) as ViewGroup).run {
            List(childCount) { getChildAt(it) as TextView }
        }

    @Test
    fun `a move that is tried out stays with its game`() {
        choose("tictactoe")
        val id = remember("tictactoe", 0, 4, 0, 8)
        val screen = play("tictactoe").get()
        screen.press(R.id.mode_replay)
        screen.press(R.id.first)
        screen.tap(4)
        assertEquals("the game's own move is no line", null, screen.play.line)
        screen.tap(1)
        screen.tap(2)
        val lines = checkNotNull(library[id]).identity.beside.lines
        assertEquals(listOf(Triple(1, listOf(1, 2), true)), lines.map { Triple(it.from, it.actions, it.isOwn) })
    }

    @Test
    fun `a game is shared as a record`() {
        remember("go", 0, 40, 41)
        val screen = play("go").get()
        val send = share(screen)
        assertEquals(Intent.ACTION_SEND to "text/plain", send.action to send.type)
        assertEquals(
            "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[7.5]RU[Tromp-Taylor]PB[You]PW[AI];B[ee];W[fe])\n",
            send.getStringExtra(Intent.EXTRA_TEXT),
        )
        screen.play.resign()
        val text = share(screen).getStringExtra(Intent.EXTRA_TEXT)
        assertTrue("$text", "PW[AI]RE[W+R];B[ee]" in checkNotNull(text))
    }

    /** What is sent where a person shares the game. */
    @Suppress("DEPRECATION")
    private fun share(screen: PlayActivity): Intent {
        shadowOf(screen).clickMenuItem(R.id.share_game)
        idle()
        return checkNotNull(shadowOf(screen).nextStartedActivity.getParcelableExtra(Intent.EXTRA_INTENT))
    }
}
