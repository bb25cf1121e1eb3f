package org.azx.app.screens

import android.annotation.SuppressLint
import android.content.res.Resources
import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.bundle.Problem
import org.azx.app.bundle.Text
import org.azx.app.engine.Player
import org.azx.app.engine.Refusal
import org.azx.app.engine.State
import org.azx.app.engine.games.Connect4
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.Estimate
import org.azx.app.engine.games.GAMES
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.Reversi
import org.azx.app.engine.games.TicTacToe
import org.azx.app.engine.games.areasWithout
import org.azx.app.engine.games.scoreWithout
import org.azx.app.engine.records.Ending
import org.azx.app.engine.records.Side
import org.azx.app.engine.review.Phase
import org.azx.app.network.Runs
import org.azx.app.play.Limit
import org.azx.app.play.Notice
import org.azx.app.play.Session
import org.azx.app.play.Strength
import org.azx.app.play.Warmth
import org.azx.app.play.strengthOf
import org.azx.app.screens.boards.Edges
import org.azx.app.screens.boards.lineWords
import java.text.NumberFormat
import java.util.IllegalFormatException
import kotlin.math.abs
import kotlin.math.roundToInt

/** The words about a game, in the language of the resources. */
class Words(private val resources: Resources) {
    private val numbers: NumberFormat = NumberFormat.getInstance(resources.configuration.locales[0])

    fun say(id: Int, vararg arguments: Any): String = resources.getString(id, *arguments)

    /** The plural form of a text for `many`, with the number in it. */
    fun count(id: Int, many: Int): String = resources.getQuantityString(id, many, many)

    fun number(count: Number): String = numbers.format(count)

    fun parameters(count: Long): String {
        val quantity = count.coerceAtMost(Int.MAX_VALUE.toLong()).toInt()
        return resources.getQuantityString(R.plurals.parameters, quantity, number(count))
    }

    /** A share from 0 to 1. */
    fun percent(share: Double): String = say(R.string.percent, (100 * share).roundToInt())

    /** A bundle's title of the index, with the game's name in this language. */
    fun title(entry: Entry): String = title(entry.title, entry.game)

    /** A network's title, with the game's name in this language. */
    fun title(title: String, game: String?): String {
        val known = GAMES[game] ?: return title
        return title.replace(known.title, say(presentationOf(known.name).title))
    }

    /** A network's title beside the board of its game, whose name then says nothing: "run-17" of "Connect4 (run-17)". */
    fun shortTitle(title: String, game: String): String {
        val name = say(presentationOrNull(game)?.title ?: return title)
        val whole = title(title, game)
        return if (whole.startsWith("$name (")) whole.removePrefix("$name (").dropLast(1) else whole
    }

    /** A side's level as its record has it. */
    fun level(side: Side): String = strengthOf(side)?.let(::strength) ?: side.level

    /** The difference between two sides: network, level or both; equal sides are numbered. */
    fun namesOf(sides: Pair<Side, Side>, game: String): List<String> {
        val (isSameName, isSameLevel) = sides.run { (first.name == second.name) to (first.level == second.level) }
        return sides.toList().mapIndexed { at, side ->
            val (name, level) = shortTitle(side.name, game) to level(side)
            val both = listOf(name, level).joinToString(say(R.string.board_comma))
            when {
                isSameName && isSameLevel -> say(R.string.series_one_of, both, at + 1)
                isSameName -> level
                else -> if (isSameLevel) name else both
            }
        }
    }

    /** The text of a key of apps/texts. */
    fun say(key: String, places: List<Any>): String =
        say(checkNotNull(idOf(key)) { "apps/texts has no $key." }, *places.toTypedArray())

    fun text(text: Text): String {
        val clauses = if (text.problems.isEmpty()) emptyList() else listOf(clauses(text.problems))
        return say(text.key, text.places + clauses)
    }

    /** Why a bundle cannot be played, and whether its self-test runs, in sentences. */
    fun unplayable(problems: List<Problem>, untestable: Problem?): String {
        val reasons = say(R.string.cannot_play, clauses(problems))
        val test = untestable?.let { say(R.string.test_cannot_run, clause(it)) } ?: say(R.string.test_runs)
        return say(R.string.two_sentences, reasons, test)
    }

    private fun clauses(problems: List<Problem>) = problems.joinToString(say(R.string.and_clause), transform = ::clause)

    /** The text of a problem. A later azx may have others: they get a general text. */
    private fun clause(problem: Problem): String {
        val unknown = say(R.string.problem_unknown, problem.code)
        return try {
            idOf("problem_${problem.code}")?.let { say(it, *problem.places.toTypedArray()) } ?: unknown
        } catch (_: IllegalFormatException) {
            unknown
        }
    }

    /** The text of a key of apps/texts; null if there is none. */
    fun sayOrNull(key: String): String? = idOf(key)?.let { say(it) }

    /** The resource of a key of apps/texts; null if there is none. */
    @SuppressLint("DiscouragedApi")
    private fun idOf(key: String): Int? {
        val app = resources.getResourcePackageName(R.string.app_name)
        return resources.getIdentifier(key, "string", app).takeIf { it != 0 }
    }

    /** What happens now; `isPaused` is about a game that is watched. */
    fun status(session: Session, presentation: Presentation, isPaused: Boolean): String = when (session.phase) {
        Phase.YOURS -> if (session.isOfTwo) movesNext(session, presentation) else say(presentation.prompt)
        Phase.THEIRS -> if (session.isWatched) watchStatus(session, presentation, isPaused) else say(R.string.waiting)
        Phase.SCORING -> say(R.string.tap_dead)
        Phase.OVER -> result(session, presentation)
        Phase.READ -> say(R.string.record_no_result)
    }

    private fun movesNext(session: Session, presentation: Presentation): String =
        say(R.string.moves_next, player(session, session.visible.toMove, presentation)).capital()

    /** What happens in the position that a replay shows. */
    fun statusShown(session: Session, presentation: Presentation): String {
        val state = session.visible
        return when {
            state === session.latest && session.phase == Phase.OVER -> result(session, presentation)
            state.isTerminal -> say(if (session.isRead) R.string.record_no_result else R.string.tap_dead)
            session.isOfTwo || session.isRead -> movesNext(session, presentation)
            session.isWatched -> say(R.string.watching, say(presentation.pieces[state.toMove]))
            else -> say(if (state.toMove == session.human) R.string.your_turn else R.string.ais_turn)
        }
    }

    private fun watchStatus(session: Session, presentation: Presentation, isPaused: Boolean): String =
        say(if (isPaused) R.string.paused else R.string.watching, say(presentation.pieces[session.latest.toMove]))

    /** A side's name if no person here plays it: the record's name, else its pieces. */
    fun player(session: Session, player: Player, presentation: Presentation): String =
        session.names?.toList()?.get(player).orEmpty().ifEmpty { say(presentation.pieces[player]) }

    /** "TensorFlow Lite 2.16.1, CPU, 1 thread". */
    fun runs(runs: Runs): String {
        val words =
            listOf(runs.runtime, say(R.string.units_cpu), count(R.plurals.threads, runs.threads), runs.precision)
        return words.filterNotNull().joinToString(say(R.string.board_comma))
    }

    /** The same at the beginning of a sentence. */
    fun nameOf(session: Session, player: Player, presentation: Presentation): String =
        player(session, player, presentation).capital()

    /** Who has won a game that is over. */
    fun result(session: Session, presentation: Presentation): String {
        val winner = session.winner ?: return say(R.string.draw)
        if (!session.hasPerson) return say(R.string.winner_is, player(session, winner, presentation))
        return say(if (winner == session.human) R.string.you_won else R.string.ai_won)
    }

    /** How a game that is over has ended, for the list of games. */
    fun ending(session: Session, presentation: Presentation): String {
        val winner = session.winner ?: return say(R.string.finished_draw)
        if (session.isWatched) return say(R.string.finished_watched, say(presentation.pieces[winner]))
        return say(if (winner == session.human) R.string.finished_won else R.string.finished_lost)
    }

    /** The score of a game that was counted, the person's first: "9 : 3". null if nothing was counted. */
    fun score(session: Session): String? {
        val state = session.latest
        if (session.ending != null && session.ending !is Ending.Agreed) return null
        val both = when (state) {
            is Go -> state.areasWithout(deadOf(session, state)).mapIndexed { player, it ->
                it.size + player * state.komi
            }
            else -> state.scores?.toList() ?: return null
        }
        return listOf(session.side, 1 - session.side).joinToString(" : ") { number(both[it]) }
    }

    /** Why a finished game has its result; null if its board says it. */
    fun why(session: Session, presentation: Presentation): String? {
        val ending = session.ending
        if (ending is Ending.Resigned) return say(R.string.you_resigned)
        if (ending is Ending.Lost) {
            if (ending.isLate) return say(R.string.ended_time, player(session, ending.by, presentation))
            return say(R.string.ended_resigned, nameOf(session, ending.by, presentation))
        }
        if (ending is Ending.Told) return say(R.string.record_tells, ending.result)
        return when (val state = session.latest) {
            is DotsAndBoxes -> boxes(session, state)
            is Go -> score(state, deadOf(session, state))
            is Reversi -> discs(session, state)
            else -> lineWords(resources, state) ?: if (session.winner == null) say(R.string.no_row) else null
        }
    }

    /** A player's count in the shown position; null if the game counts nothing. */
    fun count(session: Session, player: Player): String? = when (val state = session.visible) {
        is DotsAndBoxes -> count(R.plurals.boxes_count, state.scores[player])
        is Reversi -> count(R.plurals.discs_count, state.scores[player])
        is Go -> when {
            // Before the dead stones are agreed on there is no score.
            state.isTerminal && session.phase != Phase.SCORING -> points(state, deadOf(session, state), player)
            else -> say(R.string.captured_count, state.prisoners[player])
        }
        else -> null
    }

    /** White has the komi. */
    private fun points(state: Go, dead: List<Int>, player: Player): String {
        val area = state.areasWithout(dead)[player].size
        return say(R.string.points_count, number(if (player == 1) area + state.komi else area))
    }

    /** The text of a choice: `beginning` and its name. */
    fun choice(beginning: String, choice: Enum<*>): String = say(beginning + choice.name.lowercase(), emptyList())

    fun notice(notice: Notice?, state: State): String = when (notice) {
        null -> ""
        is Notice.Begins -> say(if (notice.isHuman) R.string.you_begin else R.string.ai_begins)
        is Notice.NotPossible -> say(R.string.not_possible, reason(notice.reason))
        is Notice.ForcedPass -> forcedPass(notice.isHuman, state)
        is Notice.Resigned -> say(R.string.you_resigned)
        is Notice.Scoring -> say(R.string.scoring, winner(notice.without), winner(notice.alive))
        is Notice.Estimated -> estimate(notice.estimate)
        is Notice.Hint -> hint(notice, state)
        is Notice.NotKept -> say(R.string.library_refused, notice.why)
        is Notice.NoSeat -> text(notice.why)
        is Notice.NoHint -> say(R.string.no_hint, text(notice.why))
    }

    /** Why the network thinks less; empty if it does not. */
    fun warmth(warmth: Warmth): String = when (warmth) {
        Warmth.FINE -> ""
        Warmth.SERIOUS -> say(R.string.device_warm)
        Warmth.CRITICAL -> say(R.string.device_hot)
    }

    private fun forcedPass(isHuman: Boolean, state: State): String = when {
        state is Reversi -> say(if (isHuman) R.string.you_cannot_move else R.string.ai_cannot_move)
        else -> say(if (isHuman) R.string.you_pass else R.string.ai_passes)
    }

    private fun hint(hint: Notice.Hint, state: State): String {
        val (move, share) = move(hint.action, state) to percent(hint.share)
        val (rate, all) = hint.winRate to hint.equal.joinToString(say(R.string.board_comma)) { move(it, state) }
        if (hint.isLost) return say(R.string.hint_lost, move)
        val isOne = hint.equal.size < 2
        if (rate == null) return if (isOne) say(R.string.hint_move, move, share) else say(R.string.hint_equal, all)
        val told = percent(rate)
        return if (isOne) say(R.string.hint_move_rate, move, share, told) else say(R.string.hint_equal_rate, all, told)
    }

    private fun estimate(estimate: Estimate): String {
        val (points, sure) = estimate.points to choice("estimate_", estimate.certainty)
        val spread = number(estimate.pointsOfSpread.toDouble())
        if (points == 0) return say(R.string.estimate_even, spread, sure)
        val side = if (points > 0) R.string.estimate_black else R.string.estimate_white
        return say(side, number(abs(points).toDouble()), spread, sure)
    }

    /** "black wins by 3.5", within a sentence. */
    private fun winner(score: Double): String = when {
        score > 0 -> say(R.string.black_wins_by, number(abs(score)))
        score < 0 -> say(R.string.white_wins_by, number(abs(score)))
        else -> say(R.string.even)
    }

    fun move(action: Int, state: State): String = when {
        action == state.pass -> say(R.string.move_pass)
        state is Connect4 -> say(R.string.move_column, state.label(action).toInt() + 1)
        state is TicTacToe -> say(R.string.move_cell, action / 3 + 1, action % 3 + 1)
        state is DotsAndBoxes -> Edges(state.size).nameOf(action)
        else -> state.label(action)
    }

    fun reason(refusal: Refusal): String = say("reason_${refusal.code.name.lowercase()}", listOfNotNull(refusal.move))

    /** The score, or the captures; empty if the game counts nothing. */
    fun summary(session: Session, state: State): String = when (state) {
        is DotsAndBoxes -> boxes(session, state) ?: ""
        is Go -> if (state.isTerminal) score(state, deadOf(session, state)) else captures(session, state)
        is Reversi -> discs(session, state)
        else -> ""
    }

    private fun boxes(session: Session, state: DotsAndBoxes): String? {
        if (!session.hasPerson) return null
        return say(R.string.boxes_score, state.scores[session.human], state.scores[1 - session.human])
    }

    private fun discs(session: Session, state: Reversi): String {
        val (black, white) = state.scores.toList()
        if (!session.hasPerson) return say(R.string.discs_score_watched, black, white)
        return say(R.string.discs_score, state.scores[session.human], state.scores[1 - session.human])
    }

    private fun captures(session: Session, state: Go): String {
        val captured = say(R.string.captured, state.prisoners[0], state.prisoners[1])
        val isPassed = state.lastAction == state.pass && state !== session.states[session.setUp]
        if (!isPassed || !session.hasPerson) return captured
        return captured + " " + say(if (state.toMove == session.human) R.string.ai_passed else R.string.you_passed)
    }

    /** The agreed dead stones at the end of the game. */
    private fun deadOf(session: Session, state: Go): List<Int> =
        (session.ending as? Ending.Agreed)?.dead?.takeIf { state === session.latest }.orEmpty()

    private fun score(state: Go, dead: List<Int>): String {
        val (black, white) = state.areasWithout(dead).map { it.size }
        return say(R.string.go_score, black, white, number(state.komi), winner(state.scoreWithout(dead)))
    }

    fun strength(strength: Strength): String = when (val limit = strength.limit) {
        is Limit.Policy -> say(R.string.policy_only)
        is Limit.Level -> say("level_${limit.number}", emptyList())
        is Limit.Simulations -> resources.getQuantityString(R.plurals.strength_simulations, limit.count, limit.count)
        is Limit.Seconds -> limit.count.toInt().let { resources.getQuantityString(R.plurals.strength_seconds, it, it) }
    }
}
