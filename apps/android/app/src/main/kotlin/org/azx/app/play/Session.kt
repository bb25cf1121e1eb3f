/** A game: its positions, its players, and what is known of it. Immutable. */
package org.azx.app.play

import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.scoreWithout
import org.azx.app.engine.play
import org.azx.app.engine.records.BOTH
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.READER
import org.azx.app.engine.review.Judged
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.Seen
import org.azx.app.engine.review.findDoubts
import org.azx.app.engine.review.judge
import org.azx.app.engine.review.nextMistake
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sign

/**
 * `states` are all positions, from the first one on. `human` is the person, NOBODY, READER or BOTH. `rates` holds the
 * network's chances of `side` (0 to 1), and `seen` the findings of a review; both by the number of moves. `shown` is the
 * number of moves of the shown position, null for the last one. `ending` is how people ended the game, null if the rules
 * did. `names` are those of players 0 and 1 in other people's record, else null.
 *
 * The first `setUp` moves were not played: they place the stones that stood before the first one. They count as moves in
 * every number of moves. No position before them is shown, judged or reached by undo.
 */
class Session(
    val states: List<State>,
    val human: Player,
    val rates: Map<Int, Double> = emptyMap(),
    private val shown: Int? = null,
    val ending: Ending? = null,
    val seen: Map<Int, Seen> = emptyMap(),
    val names: Pair<String, String>? = null,
    val setUp: Int = 0,
) {
    val isWatched: Boolean get() = human == NOBODY

    /** Whether it is a record of other people's game. */
    val isRead: Boolean get() = human == READER

    /** Whether two people play it here. */
    val isOfTwo: Boolean get() = human == BOTH

    /** Whether a person here plays one of the sides, against a network. */
    val hasPerson: Boolean get() = human == 0 || human == 1

    /** The side whose chances and result are shown: the person's; without a person, the side that began. */
    val side: Player get() = if (hasPerson) human else 0

    /** How many moves lead to the last position, forced passes among them. */
    val moves: Int get() = states.size - 1

    /** How many of them were played. */
    val played: Int get() = moves - setUp

    val latest: State get() = states.last()

    /** How many moves lead to the position that is shown. */
    val ply: Int get() = shown ?: moves

    val visible: State get() = states[ply]

    val phase: Phase
        get() = when {
            ending != null -> Phase.OVER
            isRead -> if (latest.isTerminal && !isUnsettled(states)) Phase.OVER else Phase.READ
            latest.isTerminal -> if (!isWatched && isUnsettled(states)) Phase.SCORING else Phase.OVER
            isOwn(latest) -> Phase.YOURS
            else -> Phase.THEIRS
        }

    /** Whether a person here makes the move that follows a position. */
    private fun isOwn(state: State): Boolean = isOfTwo || state.toMove == human

    /** The moves from the first position on. */
    val actions: List<Int> get() = states.drop(1).map { checkNotNull(it.lastAction) }

    /** +1 if `side` has won, -1 if the other side has, else 0. */
    val result: Int
        get() {
            val returns = when (val ended = ending) {
                is Ending.Resigned -> return -1
                is Ending.Lost -> if (ended.by == 0) -1 else 1
                is Ending.Told -> return ended.winner?.let { 1 - 2 * it } ?: 0
                is Ending.Agreed -> sign((latest as Go).scoreWithout(ended.dead)).toInt()
                null -> latest.returns()
            }
            return if (side == 0) returns else -returns
        }

    val winner: Player?
        get() = when {
            result == 0 -> null
            result > 0 -> side
            else -> 1 - side
        }

    /** The last move before the shown position, forced passes left out; null before the first one. */
    val lastMove: Int?
        get() {
            var at = ply
            while (at > setUp && states[at - 1].mustPass) at--
            return if (at > setUp) states[at].lastAction else null
        }

    /** The player who had to pass just now, because the other one moves again; null without a forced pass. */
    val forcedPasser: Player?
        get() = states.getOrNull(states.size - 2)?.takeIf { it.mustPass }?.toMove

    val canUndo: Boolean get() = ending is Ending.Resigned || beforeOwnMove() >= 0

    /** Whether the game is not over, and a person has moved or a watched game has begun. */
    val isUnderWay: Boolean get() = phase != Phase.OVER &&
        if (isWatched) played > 0 else (hasPerson || isOfTwo) && canUndo

    /** Why `action` is illegal in a position of this game; null if it is legal. Moves are counted from the first played one. */
    fun whyIllegal(action: Int, state: State): Refusal? =
        state.whyIllegal(action)?.run { copy(move = move?.let { max(0, it - setUp) }) }

    /** The session after `action` and the forced passes that follow it. GameError if the action is illegal. */
    fun play(action: Int): Session = copy(states + latest.play(action), ending = null)

    /** The session before the person's last move; unchanged if there is none. */
    fun undo(): Session {
        if (ending is Ending.Resigned) return copy(ending = null)
        val at = beforeOwnMove()
        return if (at < 0) this else shorten(at)
    }

    /** The session of the first `count` moves, at its end. */
    fun shorten(count: Int): Session {
        val (said, known) = rates.filterKeys { it <= count } to seen.filterKeys { it <= count }
        return copy(states.take(count + 1), rates = said, ending = null, seen = known)
    }

    /** The session after the person gave up. */
    fun resign(): Session = copy(ending = Ending.Resigned)

    /** The session with this ending. */
    fun end(ending: Ending): Session = copy(ending = ending)

    /** The session whose players agreed that the stones on `dead` are dead. */
    fun agree(dead: List<Int>): Session = copy(ending = Ending.Agreed(dead))

    /** The session before the two passes that have ended it. */
    fun playOn(): Session = shorten(max(setUp, moves - 2))

    /** The same game. In other people's game the person takes over the side to move. */
    fun takeOver(): Session =
        if (isRead) Session(states, latest.toMove, rates, null, ending, seen, setUp = setUp) else this

    /** This game with something else, at its end unless `shown` says where. */
    private fun copy(
        states: List<State> = this.states,
        rates: Map<Int, Double> = this.rates,
        shown: Int? = null,
        ending: Ending? = this.ending,
        seen: Map<Int, Seen> = this.seen,
    ) = Session(states, human, rates, shown, ending, seen, names, setUp)

    private fun beforeOwnMove(): Int {
        var at = states.size - 2
        while (at >= setUp && (!isOwn(states[at]) || states[at].mustPass)) at--
        return if (at < setUp) -1 else at
    }

    /** The session showing the position after `count` moves, or the nearest one. The last position follows the game. */
    fun show(count: Int): Session {
        val at = max(setUp, min(moves, count))
        return copy(shown = if (at == moves) null else at)
    }

    /** The session with the network's chance of the last position's mover; unchanged for null. */
    fun rate(winRate: Double?): Session {
        if (winRate == null) return this
        val own = if (latest.toMove == side) winRate else 1 - winRate
        return copy(rates = rates + (moves to own), shown = shown)
    }

    /** The session with what a review found after `moves` moves. */
    fun know(found: Seen, moves: Int): Session = copy(shown = shown, seen = seen + (moves to found))

    /** The chances of `side` by number of moves. A review's replace the network's; a finished game ends with its result. */
    fun curve(): List<Pair<Int, Double>> {
        val found = seen.mapValues { (_, it) -> if (it.mover == side) it.chance else 1 - it.chance }
        val points = (rates + found).filterKeys { it >= setUp }.toSortedMap()
        if (phase == Phase.OVER) points[moves] = (result + 1) / 2.0
        return points.toList()
    }

    /** The chance of `side` in the shown position, or in the last one before it that has one; null if unknown. */
    val chanceShown: Double? get() = curve().lastOrNull { it.first <= ply }?.second

    /** The number of moves of the first position that a review has not seen; null if it has seen all. */
    val nextUnseen: Int? get() = (setUp..moves).firstOrNull { it !in seen }

    /** How many positions a review looks at. */
    val positions: Int get() = played + 1

    /** How many positions from the first one on a review has seen without a gap. */
    val seenSoFar: Int get() = nextUnseen?.minus(setUp) ?: positions

    val isSeen: Boolean get() = nextUnseen == null

    private val looked: List<Seen> get() = List(seenSoFar) { seen.getValue(setUp + it) }

    /** The positions that need a second look before a move is called a blunder. */
    val doubted: List<Int> get() = findDoubts(looked, actions.drop(setUp)).map { setUp + it }

    /** The verdicts of the first moves, as far as a review has come. */
    val judged: List<Judged> by lazy { judge(looked, actions.drop(setUp)) }

    /** The verdict on the move before the shown position; null if it was not judged. */
    val judgedMove: Judged? get() = judged.getOrNull(ply - setUp - 1)

    /** The next position after a mistake or a blunder, behind the one after `moves` moves; null without mistakes. */
    fun nextMistake(moves: Int = setUp): Int? = nextMistake(judged, moves - setUp)?.plus(setUp)
}

/** A game that begins at `start`. */
fun startSession(start: State, human: Player): Session = Session(listOf(start), human)

/** The pass that a person may choose; null if the game has none. */
fun passOf(state: State): Int? = if (state is Go && !state.isTerminal) state.pass else null
