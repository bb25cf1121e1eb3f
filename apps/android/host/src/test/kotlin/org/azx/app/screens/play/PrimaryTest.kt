package org.azx.app.screens.play

import android.content.Intent
import android.view.View
import org.azx.app.R
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.review.Act
import org.azx.app.play.table.panel
import org.azx.app.screens.Stage
import org.azx.app.screens.TABLET
import org.azx.app.screens.await
import org.azx.app.screens.games.GamesActivity
import org.azx.app.screens.people.PeopleActivity
import org.azx.app.screens.play
import org.azx.app.screens.press
import org.azx.app.screens.primary
import org.azx.app.screens.settle
import org.azx.app.screens.tap
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf

/** Each moment has one primary button at most: the panel's act. A new game is never it while a game runs. */
class PrimaryTest : Stage() {
    private fun check(activity: PlayActivity, act: Act, button: String?) {
        assertEquals(act, activity.play.panel.act)
        assertEquals(listOfNotNull(button), activity.primary())
    }

    @Test
    fun `a game, its end, its review, and a mistake that is tried again`() {
        for (device in listOf(null, TABLET)) {
            device?.let(RuntimeEnvironment::setQualifiers)
            choose("connect4")
            remember("connect4", 0, 38, 37, 31, 30, 24, 23)
            val activity = play("connect4").get()
            check(activity, Act.PLAY, null)
            activity.tap(17)
            settle(activity)
            check(activity, Act.REVIEW, "result_replay")
            activity.press(R.id.result_replay)
            assertEquals("the review begins at once", Act.STOP, activity.play.panel.act)
            settle(activity)
            // On a phone the button is behind the tab of the analysis.
            activity.findViewById<View>(R.id.tab_analysis)?.performClick()
            check(activity, Act.NEXT_MISTAKE, "next_mistake")
            activity.press(R.id.next_mistake)
            assertEquals(Act.TRY_AGAIN, activity.play.panel.act)
            assertEquals(listOf("retry"), activity.primary())
            activity.press(R.id.retry)
            check(activity, Act.TO_GAME, "to_game")
            activity.finish()
        }
    }

    @Test
    fun `a game that is watched, and the points of Go`() {
        choose("connect4")
        remember("connect4", NOBODY, 38, 37)
        val watched = play("connect4").get()
        check(watched, Act.RESUME, "pause")
        choose("go")
        remember("go", 0, 40, 81)
        val go = play("go").get()
        go.press(R.id.pass)
        settle(go)
        check(go, Act.AGREE, "agree")
        assertFalse(go.findViewById<View>(R.id.new_game).isActivated)
    }

    @Test
    fun `the list of games has one, and two people are on it`() {
        remember("go", 0, 40, 41)
        val list = start(GamesActivity::class.java, Intent(app, GamesActivity::class.java)).get()
        await("the list") { !list.isBusy }
        assertEquals(listOf("play"), list.primary())
        val people = list.findViewById<View>(R.id.people)
        assertTrue(people.isShown)
        people.performClick()
        assertEquals(PeopleActivity::class.java.name, shadowOf(list).nextStartedActivity.component?.className)
    }
}
