package org.azx.app.engine.review

import org.azx.app.engine.Fixtures
import org.azx.app.engine.Json
import org.azx.app.engine.child
import org.azx.app.engine.children
import org.azx.app.engine.double
import org.azx.app.engine.int
import org.azx.app.engine.ints
import org.azx.app.engine.text
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The panel of a shown position, as mobile_assets/fixtures/panel.json says. */
class PanelTest {
    private val cases = checkNotNull(Fixtures.readOrNull("panel")) { "There is no panel.json." }.children("cases")

    @Test
    fun `the panels are as written`() {
        assertTrue("many cases", cases.size >= 100)
        for (case in cases) check(case.text("about"), case.child("panel"), panelOf(facts(case.child("facts"))))
    }

    @Test
    fun `every act, headline and source but those of no case is there`() {
        val panels = cases.map { it.child("panel") }
        assertTrue(panels.map { it.text("act") }.toSet().size >= 10)
        assertEquals(Headline.entries.map { nameOf(it) }.toSet(), panels.map { it.text("headline") }.toSet())
        val sources = panels.mapNotNull { it.part("figure")?.text("source") }.toSet()
        assertEquals(Source.entries.map { nameOf(it) }.toSet(), sources)
    }

    private fun check(about: String, wanted: Json, found: Panel) {
        val figure = wanted.part("figure")
        assertEquals(
            about, figure?.run { Triple(int("side"), text("unit"), text("source")) },
            found.figure?.run {
                Triple(side, nameOf(unit), nameOf(source))
            },
        )
        same(about, figure?.double("value"), found.figure?.value)
        same(about, figure?.double("spread"), found.figure?.spread)
        same(about, wanted.number("share"), found.share)
        val proven = wanted.part("proven")?.run { int("result") to get("distance") }
        assertEquals(about, proven, found.proven?.run { result to distance })
        val played = wanted.part("played")?.run { Triple(int("action"), text("verdict"), part("reason")) }
        assertEquals(about, played, found.played?.run { Triple(action, nameOf(verdict), reason?.let(::written)) })
        val better = wanted.part("better")?.run { int("action") to ints("line") }
        assertEquals(about, better, found.better?.let { it to found.played?.line })
        assertEquals(about, wanted.ints("equal"), found.equal)
        assertEquals(about, wanted.text("headline") to wanted.text("act"), nameOf(found.headline) to nameOf(found.act))
        val options = wanted.children("options")
        assertEquals(
            about, options.map { it.int("action") to it["is_equal"] },
            found.options.map {
                it.action to
                    it.isEqual
            },
        )
        for ((one, other) in options.zip(found.options)) {
            same(about, one.number("value"), other.value)
            same(about, one.number("loss"), other.loss)
            same(about, one.double("share"), other.share)
        }
    }

    private fun same(about: String, wanted: Double?, found: Double?) {
        assertEquals(about, wanted == null, found == null)
        if (wanted != null && found != null) assertEquals(about, wanted, found, 1e-9)
    }

    private fun written(reason: Reason) = mapOf("code" to nameOf(reason.code), "action" to reason.action)

    private fun facts(case: Json) = PanelFacts(
        case.int("side"), case.int("mover"), PanelUnit.valueOf(case.text("unit").uppercase()), case.double("scale"),
        case.part("end")?.run { Ended(int("result"), number("lead")) },
        case.part("known")?.run {
            val (result, margin, outcome) = listOf("result", "margin", "outcome").map { get(it) as Int? }
            Known(ints("legal"), ints("left"), result, margin, outcome = outcome)
        },
        case["distance"] as Int?,
        case.part("search")?.run {
            Searched(number("chance"), get("proven") as Int?, children("candidates").map(::candidate))
        },
        case.part("points")?.run { Lead(double("mean"), double("spread")) },
        case.number("network"), case.number("earlier"), case.part("played")?.let(::played),
        moment(case.child("moment")),
    )

    private fun candidate(row: Json) = PanelCandidate(
        row.int("action"), row.int("visits"), row.double("win_rate"), row.ints("line"), row.number("loss"),
    )

    private fun played(row: Json) = PlayedMove(
        row.int("action"), row.int("player"), Verdict.valueOf(row.text("verdict").uppercase()),
        row.part("reason")?.run { Reason(Reason.Code.valueOf(text("code").uppercase()), int("action")) },
        row["better"] as Int?, row.ints("line"),
    )

    private fun moment(row: Json): Moment {
        val has = { name: String -> row[name] == true }
        return Moment(
            Phase.valueOf(row.text("phase").uppercase()), row["has_network"] != false, has("is_replay"),
            has("is_busy"), has("is_stuck"), has("is_watched"), has("is_paused"), has("is_trying"),
            has("can_review"), has("is_reviewed"), has("has_mistakes"),
        )
    }

    private fun nameOf(value: Enum<*>): String = value.name.lowercase()

    private fun Json.number(name: String): Double? = (get(name) as Number?)?.toDouble()

    private fun Json.part(name: String): Json? = if (get(name) == null) null else child(name)
}
