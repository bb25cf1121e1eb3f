package org.azx.app.engine

import org.azx.app.engine.games.gameFrom
import org.azx.app.engine.games.withGame

private val PLANES = listOf("mover", "opponent")

/** A tiny game, added by rules and an entry and nothing else: three in a row on one row of cells. */
class Row(val cells: List<Int>, val winner: Player? = null, override val lastAction: Int? = null) : State {
    override val actions get() = cells.size
    override val encoding get() = ROW.encoding.copy(board = listOf(1, cells.size))
    override val toMove get() = cells.count { it != 0 } % 2
    override val isTerminal get() = winner != null || 0 !in cells

    override fun legalActions(): IntArray =
        if (isTerminal) IntArray(0) else cells.indices.filter { cells[it] == 0 }.toIntArray()

    override fun whyIllegal(action: Int): Refusal? =
        refuseOutside(action) ?: Refusal(Refusal.Code.OCCUPIED).takeIf { cells[action] != 0 }

    override fun apply(action: Int): State {
        if (whyIllegal(action) != null) throw illegal("row", action, legalActions())
        val next = cells.toMutableList().also { it[action] = mark(toMove) }
        val won = next.windowed(3).any { three -> three.all { it == mark(toMove) } }
        return Row(next, toMove.takeIf { won }, action)
    }

    override fun returns(): Int = if (winner == null) 0 else 1 - 2 * winner

    override fun plane(name: String): FloatArray {
        if (name !in PLANES) throw unknownPlane("row", name, PLANES)
        val piece = mark(ownerOf(name, toMove))
        return FloatArray(cells.size) { if (cells[it] == piece) 1f else 0f }
    }

    override fun label(action: Int): String = action.toString()
}

/** What games/data/shapes.json would have of it. */
private const val ENTRY = """
    {"name": "row", "title": "Three in a row",
     "settings": [{"name": "size", "default": 6, "choices": [6, 8], "about": "cells"}],
     "encoding": {"layout": "channels_first", "planes": ["mover", "opponent"]},
     "board": [{"setting": "size", "times": 0, "plus": 1}, {"setting": "size", "times": 1, "plus": 0}],
     "policies": [{"name": "cell", "factors": [{"setting": "size", "times": 1, "plus": 0}], "plus": 0}]}
"""

val ROW: Game = gameFrom(membersOf(parseJson(ENTRY))) { Row(List(it["size"] as Int) { 0 }) }

/** What `body` finds while the engine knows this game. */
fun <Found> withRow(body: () -> Found): Found = withGame(ROW, body)
