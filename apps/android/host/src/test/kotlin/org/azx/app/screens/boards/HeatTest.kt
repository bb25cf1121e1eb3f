package org.azx.app.screens.boards

import org.junit.Assert.assertEquals
import org.junit.Test

/** What is written at an action that a hint considers. */
class HeatTest {
    private val shares = mapOf(1 to 0.6, 2 to 0.3, 3 to 0.09, 4 to 0.004)
    private val rates = mapOf(1 to 0.55, 2 to 0.48, 3 to 0.2, 4 to 0.1)

    private fun figures(heat: Heat) = (1..4).map(heat::figure)

    @Test
    fun `a network alone has shares`() = assertEquals(listOf("60", "30", "9", null), figures(Heat(shares)))

    @Test
    fun `a search has chances`() = assertEquals(listOf("55", "48", "20", null), figures(Heat(shares, rates)))

    @Test
    fun `points against the best take the place of chances`() {
        val points = mapOf(1 to 0, 2 to 2, 3 to -3, 4 to -5)
        assertEquals(listOf("0", "+2", "−3", null), figures(Heat(shares, rates, points)))
    }

    @Test
    fun `no heat has no figure`() = assertEquals(List(4) { null }, figures(Heat(null, null, mapOf(1 to 0))))
}
