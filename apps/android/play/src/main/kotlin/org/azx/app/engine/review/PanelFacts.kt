/** What is known of the shown position, from which `panelOf` makes its panel. Absent is null. */
package org.azx.app.engine.review

import org.azx.app.engine.Player

/** What a figure counts: a chance, 0 to 1, or by how many boxes, discs or points a side leads. */
enum class PanelUnit { CHANCE, BOXES, DISCS, POINTS }

/**
 * Whose turn it is at the end of the game; SCORING follows two passes in Go, until the dead stones are agreed on. READ is
 * the end of other people's game whose result is unknown.
 */
enum class Phase { YOURS, THEIRS, SCORING, OVER, READ }

/**
 * A move that a search considers: its visits, and the chance (0 to 1) of the player who makes it.
 *
 * `line` holds the moves that follow it. `loss` is what it loses against the best move in the game's unit.
 */
class PanelCandidate(
    val action: Int,
    val visits: Int,
    val winRate: Double,
    val line: List<Int> = emptyList(),
    val loss: Double? = null,
)

/** What a search found: `chance` of the mover (null if the network has no value), `proven` result for the mover. */
class Searched(val chance: Double?, val proven: Int?, val candidates: List<PanelCandidate> = emptyList())

/** The result for player 0 (1, 0, -1) of a game that is over, and player 0's lead; null if nothing was counted. */
class Ended(val result: Int, val lead: Double? = null)

/** A mean lead in points, player 0's in a panel's facts, and its spread. */
class Lead(val mean: Double, val spread: Double)

/** The judged move that led to the shown position, with a better one and its line. */
class PlayedMove(
    val action: Int,
    val player: Player,
    val verdict: Verdict,
    val reason: Reason? = null,
    val better: Int? = null,
    val line: List<Int> = emptyList(),
)

/** What goes on at the table. `phase` is the live game's; `isBusy` while a hint or an analysis is under way. */
class Moment(
    val phase: Phase = Phase.YOURS,
    val hasNetwork: Boolean = true,
    val isReplay: Boolean = false,
    val isBusy: Boolean = false,
    /** The network was asked for a move and gave none. */
    val isStuck: Boolean = false,
    val isWatched: Boolean = false,
    val isPaused: Boolean = false,
    /** A mistake is tried again, and no good move is found yet. */
    val isTrying: Boolean = false,
    val canReview: Boolean = false,
    val isReviewed: Boolean = false,
    val hasMistakes: Boolean = false,
)

/**
 * All facts of a panel.
 *
 * `mover` is to move. `unit` is the game's currency, `scale` the lead in it at which a bar is full. `distance` is the
 * proven number of plies to the end. `network` is the mover's chance without a search, `earlier` the last known chance
 * of `side` before this position.
 */
class PanelFacts(
    val side: Player,
    val mover: Player,
    val unit: PanelUnit = PanelUnit.CHANCE,
    val scale: Double = 1.0,
    val end: Ended? = null,
    val known: Known? = null,
    val distance: Int? = null,
    val search: Searched? = null,
    val points: Lead? = null,
    val network: Double? = null,
    val earlier: Double? = null,
    val played: PlayedMove? = null,
    val moment: Moment = Moment(),
)
