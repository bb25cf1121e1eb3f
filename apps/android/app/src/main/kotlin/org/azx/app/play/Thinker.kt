/** The search above one game, which follows the moves that are played. */
package org.azx.app.play

import org.azx.app.engine.Evaluation
import org.azx.app.engine.Evaluator
import org.azx.app.engine.GameError
import org.azx.app.engine.Level
import org.azx.app.engine.Reading
import org.azx.app.engine.Search
import org.azx.app.engine.SearchSettings
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.after
import org.azx.app.engine.best
import org.azx.app.engine.choose
import org.azx.app.engine.findForced
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.mayPass
import org.azx.app.engine.levelsOf
import org.azx.app.engine.passing
import org.azx.app.engine.priors
import org.azx.app.engine.review.Known
import org.azx.app.engine.review.findKnown
import java.util.concurrent.atomic.AtomicInteger
import kotlin.math.min

/** The progress of a search. `winRate` is the mover's chance, null if unknown; if `proven`, it is the proven result. */
class Progress(
    val simulations: Int,
    val depth: Int,
    val winRate: Double?,
    val seconds: Double,
    val proven: Boolean = false,
)

class Thought(val progress: Progress, val action: Int)

/**
 * The network's own answer: a probability for each legal action, and the mover's chance. `known` are the proofs of the
 * position, and a proven chance replaces the network's. null if neither is known.
 */
class Advice(val policy: Map<Int, Double>, val winRate: Double?, val known: Known)

/**
 * Thinks about positions, given as the actions that lead to them, and keeps its tree while a game goes on. `settings` are
 * the bundle's; a stop of another thinker with the same `stops` ends this one's thoughts too.
 *
 * `think` and `advise` block: call them on one thread of their own. `stop` and `ticket` may be called on any thread.
 */
class Thinker(
    internal val reading: Reading,
    internal val network: Evaluator,
    internal val hasValue: Boolean,
    private val settings: SearchSettings = SearchSettings(),
    internal val stops: AtomicInteger = AtomicInteger(),
) {

    @Volatile
    private var search: Search? = null
    private var followed: Position? = null

    /** A ticket for a thought that waits in a queue: a stop from now on ends it, even before it has begun. */
    fun ticket(): Int = stops.get()

    /** End every thought whose ticket was drawn before, after the simulation that it is in; it still has an answer. */
    fun stop() {
        stops.incrementAndGet()
        search?.stop()
    }

    /**
     * Choose an action; `tell` hears how far the search is, about twenty times a second. If `passes`, Go is passed only when
     * nothing is left to play for, whatever the network prefers. GameError if the game is over or `actions` cannot be
     * played.
     */
    fun think(
        settings: Settings,
        actions: List<Int>,
        limit: Limit,
        ticket: Int = ticket(),
        passes: Boolean = false,
        tell: (Progress) -> Unit,
    ): Thought {
        val position = Position(settings, actions)
        val go = if (passes) stateOf(position) as? Go else null
        if (go?.mayPass() == true) return Thought(Progress(0, 0, null, 0.0), go.pass)
        val thought = ponder(position, limit, ticket, tell)
        if (thought.action != go?.pass) return thought
        return ponder(Position(settings, actions, withoutPass = true), limit, ticket, tell)
    }

    private fun ponder(position: Position, limit: Limit, ticket: Int, tell: (Progress) -> Unit): Thought {
        val level = (limit as? Limit.Level)?.let { levelOf(it.number) }
        if (limit is Limit.Policy || level?.simulations == 0 || isStopped(ticket)) return glance(position, limit)
        return try {
            // A level's search knows nothing yet, nor what the rules prove, so that it is as strong as was measured.
            if (level != null) forget()
            search(position, limit, ticket, tell).also { if (level != null) forget() }
        } catch (error: RuntimeException) {
            // The tree may be incomplete.
            forget()
            throw error
        }
    }

    /** What the network says of a position without a search. */
    fun advise(settings: Settings, actions: List<Int>): Advice {
        val state = stateOf(Position(settings, actions))
        val evaluation = network.evaluate(state)
        val known = findKnown(state)
        return Advice(weightsOf(evaluation, state.legalActions()), known.provenChance ?: winRate(evaluation), known)
    }

    private fun search(position: Position, limit: Limit, ticket: Int, tell: (Progress) -> Unit): Thought {
        // Moves that are drawn are drawn by visits, and those of PUCT alone are a measure of a move.
        val draws = limit is Limit.Level && levelOf(limit.number).temperature > 0
        val search = follow(position, limit !is Limit.Level, if (draws) SearchSettings() else settings)
        val simulations = when (limit) {
            is Limit.Simulations -> limit.count
            is Limit.Level -> levelOf(limit.number).simulations
            else -> Int.MAX_VALUE
        }
        val seconds = (limit as? Limit.Seconds)?.count ?: Double.POSITIVE_INFINITY
        search.plan(simulations.takeIf { it < Int.MAX_VALUE })
        var made = 0
        while (made < simulations && !isStopped(ticket) && !search.isDone) {
            val left = seconds - search.report().seconds
            if (left <= 0) break
            made += search.run(simulations - made, min(SLICE_SECONDS, left))
            tell(progressOf(search))
        }
        val progress = progressOf(search)
        // A thought that was ended before the search could compare moves is the policy's.
        if (search.report().visits == 0 && !progress.proven) return Thought(progress, glance(position, limit).action)
        if (!draws) return Thought(progress, search.bestAction())
        val weights = search.visits().mapValues { it.value.toDouble() }
        return Thought(progress, drawMove(position, search.state, limit, weights) ?: search.bestAction())
    }

    private fun levelOf(number: Int): Level = levelsOf(reading.game.name, reading.numbering != null)[number - 1]

    /** What a level plays, by the visits or the priors of the legal moves; null for other limits. */
    private fun drawMove(position: Position, state: State, limit: Limit, weights: Map<Int, Double>): Int? {
        if (limit !is Limit.Level) return null
        return choose(weights, levelOf(limit.number), limit.seed, position.actions.size, passing(state))
    }

    private fun glance(position: Position, limit: Limit): Thought {
        val state = stateOf(position)
        val begin = System.nanoTime()
        val (moves, result) = findForced(state).let { it.moves to it.result }
        if (result != null && limit !is Limit.Level) {
            val known = Progress(0, 0, (result + 1) / 2.0, (System.nanoTime() - begin) / 1e9, proven = true)
            return Thought(known, moves[0])
        }
        val evaluation = network.evaluate(state)
        val level = drawMove(position, state, limit, weightsOf(evaluation, state.legalActions()))
        val action = level ?: best(evaluation, moves)
        return Thought(Progress(0, 0, winRate(evaluation), (System.nanoTime() - begin) / 1e9), action)
    }

    /** The prior of each of the `legal` actions. */
    private fun weightsOf(evaluation: Evaluation, legal: IntArray): Map<Int, Double> {
        val found = priors(evaluation, legal)
        return legal.indices.associate { legal[it] to found[it] }
    }

    private fun isStopped(ticket: Int): Boolean = stops.get() != ticket

    private fun winRate(evaluation: Evaluation): Double? = if (hasValue) (evaluation.value + 1) / 2 else null

    private fun progressOf(search: Search): Progress {
        val report = search.report()
        return Progress(report.simulations, report.depth, report.winRate, report.seconds, report.proven)
    }

    /** The search at a position, with the tree from before if the position follows the last one. */
    private fun follow(position: Position, proves: Boolean, settings: SearchSettings): Search {
        val (known, before) = search to followed
        followed = position
        if (known != null && before != null && before.isBefore(position)) {
            for (action in position.actions.drop(before.actions.size)) known.play(action)
            return known
        }
        return Search(stateOf(position), network, proves = proves, settings = settings).also { search = it }
    }

    private fun forget() {
        search = null
        followed = null
    }

    private fun stateOf(position: Position): State {
        val state = reading.start(position.settings).after(position.actions)
        if (state.isTerminal) throw GameError("The game is over: there is nothing to think about.")
        return if (position.withoutPass && state is Go) state.withoutPass() else state
    }

    private class Position(val settings: Settings, val actions: List<Int>, val withoutPass: Boolean = false) {
        /** Whether this position leads to `later` by more moves. */
        fun isBefore(later: Position): Boolean = settings == later.settings && actions.size < later.actions.size &&
            actions == later.actions.subList(0, actions.size)
    }

    private companion object {
        // Often enough that a stop is heard at once, seldom enough that telling costs nothing.
        const val SLICE_SECONDS = 0.05
    }
}
