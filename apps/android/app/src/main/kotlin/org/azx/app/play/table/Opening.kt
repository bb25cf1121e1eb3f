/**
 * The openings of a series: their moves are drawn by chance from what the networks would play. Without them two sides
 * that always play what they think best would play the same game again and again.
 */
package org.azx.app.play.table

import org.azx.app.engine.Level
import org.azx.app.engine.State
import org.azx.app.engine.choose
import org.azx.app.engine.records.NOBODY
import org.azx.app.play.Session
import org.azx.app.play.startSession
import kotlin.random.Random

// As a level that plays by its policy alone: each move in proportion to the root of its probability.
private val DRAW = Level(0, 0.0, 2.0)

// How often a known opening is drawn again; tic-tac-toe has 72 openings of two moves.
private const val TRIES = 20

/** What the network of the player who is to move says of a position: a probability for each legal action. */
typealias Ask = (Session) -> Map<Int, Double>

/** A game of `plies` moves drawn by `seed`. No move passes by choice, and none ends the game. */
private fun drawOnce(start: State, plies: Int, ask: Ask, seed: Long): Session {
    var session = startSession(start, NOBODY)
    for (ply in 0 until plies) {
        val state = session.latest
        val policy = ask(session).filterKeys { it != state.pass }
        if (policy.isEmpty()) break
        val next = session.play(choose(policy, DRAW, seed, ply))
        if (next.latest.isTerminal) break
        session = next
    }
    return session
}

/** An opening other than the `known` ones, if one is found. It blocks. */
fun drawOpening(start: State, plies: Int, ask: Ask, known: Set<List<Int>>, random: Random = Random): Session {
    var session = startSession(start, NOBODY)
    for (time in 0 until TRIES) {
        session = drawOnce(start, plies, ask, random.nextLong())
        if (session.actions !in known) break
    }
    return session
}
