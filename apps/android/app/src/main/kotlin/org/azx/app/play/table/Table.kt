package org.azx.app.play.table

import org.azx.app.bundle.Text
import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Identity
import org.azx.app.engine.records.NOBODY
import org.azx.app.engine.records.Side
import org.azx.app.engine.review.Phase
import org.azx.app.engine.review.Seen
import org.azx.app.play.Analysis
import org.azx.app.play.Asked
import org.azx.app.play.Begins
import org.azx.app.play.Choices
import org.azx.app.play.Counted
import org.azx.app.play.Kept
import org.azx.app.play.Newcomer
import org.azx.app.play.Notice
import org.azx.app.play.Opened
import org.azx.app.play.Progress
import org.azx.app.play.Session
import org.azx.app.play.Warmth
import org.azx.app.play.Worker
import org.azx.app.play.canBeLessened
import org.azx.app.play.isBegun
import org.azx.app.play.isSeries
import org.azx.app.play.library.reasonOf
import org.azx.app.play.newIdentity
import org.azx.app.play.passOf
import org.azx.app.play.settingsOf
import org.azx.app.play.shelve
import org.azx.app.play.startSession
import org.azx.app.play.strengthOf
import java.io.IOException
import kotlin.random.Random

/**
 * One sitting of a person and a network at a board, or of a network that is watched. Everything here happens on the
 * main thread, but the network thinks on the worker.
 *
 * It outlives its screen when the device is turned. Other files have the network's moves, hints, the end of Go, watched
 * games, replays and lines, mistakes tried again, reviews, and live analysis.
 */
class Table(internal val opened: Opened, internal val worker: Worker, private val random: Random = Random.Default) {
    var onChange: () -> Unit = {}

    var choices: Choices = opened.choices
        private set
    var session: Session
        internal set

    /** A share from 0 to 1 of each action that is considered; null if no hint is shown. */
    var heat: Map<Int, Double>? = null
        internal set

    /** What the search of a hint has found of the position that is shown; null if none is. */
    var found: Analysis? = null
        internal set
    var notice: Notice? = null
        internal set

    /** What the network's last thought has found, or the one that is under way; null before the first. */
    var progress: Progress? = null
        internal set
    var isReplay = false
        internal set

    /** What a person tries out in a replay; null if that is nothing. */
    var line: Line? = null
        internal set

    /** A mistake that a person tries again in a replay; null without one. */
    var retry: Retry? = null
        internal set

    /** The live analysis of the shown position; null if it is off. */
    internal var live: Live? = null

    /** The series that the game on the board belongs to; null without one. */
    var series: Series? = null
        internal set

    /** A network that was opened during this game; null without one. */
    internal var newcomer: Newcomer? = null

    /** How warm the device is: on a warm one the network thinks less from its next move on. */
    internal var warmth = Warmth.FINE

    /** The same; `FINE` if the network still thinks as long as ever, as at a level. */
    val warmthFelt: Warmth
        get() {
            val strengths = sides?.toList()?.mapNotNull(::strengthOf) ?: listOf(choices.strength)
            return if (strengths.any { it.limit.canBeLessened }) warmth else Warmth.FINE
        }

    /** How many simulations a hint makes, and a review of each position. */
    var simulations = 200

    /** The stones that are marked dead while they are to be agreed on; null before they were proposed. */
    internal var dead: List<Int>? = null

    /** The estimate that the board shows; null if none is. */
    internal var estimated: Counted? = null

    /** Whether the person did not agree on the dead stones: then the network plays until captures are real. */
    internal var isPlayedOn = false

    /** Whether a game that is watched stands still until `step` or `pause`. */
    var isPaused = false
        internal set

    /** What went wrong, until a new game is begun; null if nothing did. */
    var failure: Text? = null
        internal set

    /** The settings that were chosen beside the network's own. */
    var settings: Settings
        private set
    internal var isThinking = false

    /** Whether the screen is hidden. */
    internal var isAway = false
        private set

    /** The hint and the review that are under way; null if there is none. */
    internal var hinted: Asked? = null

    /** Whether a person asked for that hint. The heat map comes unasked. */
    internal var isHintWanted = false
    internal var reviewed: Asked? = null

    /** Goes up whenever answers under way are no longer wanted. */
    internal var turn = 0
        private set

    /** What makes the game the one that it is. */
    var identity: Identity
        internal set

    // The reason why the disk does not take the game is given once.
    private var isRefused = false

    init {
        val kept = opened.kept
        settings = kept?.settings ?: settingsOf(opened.game, choices)
        choices = choices.copy(rule = settings["rule"] as? String, komi = (settings["komi"] as? Number)?.toDouble())
        session = kept?.session ?: startSession(opened.start(settings), human())
        identity = kept?.identity ?: session.newIdentity()
        // Who comes back to a game that went on by itself looks at it first.
        isPaused = kept != null && session.isWatched
        isReplay = session.isRead
        notice = forcedPass() ?: noticeOfLot()
    }

    /** The sides of a game between chosen networks; else null. */
    val sides: Pair<Side, Side>? get() = identity.sides?.takeIf { session.isWatched }

    val canPlay: Boolean get() = session.phase == Phase.YOURS && !isReplay

    /** The game as a record of the library. */
    val record: GameRecord get() = shelve(Kept(session, settings, identity), opened.bundle, choices.strength)

    /** A new game with what was chosen. */
    fun restart() {
        if (choices.isSeries(opened)) return beginSeries()
        anew(human())
        notice = noticeOfLot()
        go()
    }

    /** A new game on other terms, which are remembered. */
    fun restart(chosen: Choices) {
        choices = chosen
        opened.memory.keep(chosen)
        restart()
    }

    /** A new game in which the person plays the other side. */
    fun swapSides() {
        anew(if (session.hasPerson) 1 - session.human else NOBODY)
        go()
    }

    private fun anew(human: Player) {
        val chosen = settingsOf(opened.game, choices)
        val begun = startSession(opened.start(chosen), human)
        lay(Kept(begun, chosen, begun.newIdentity()))
    }

    /** Have another game on the board. */
    internal fun lay(laid: Kept) {
        drop()
        settings = laid.settings
        progress = null
        line = null
        isReplay = false
        isPlayedOn = false
        isPaused = false
        identity = laid.identity
        change(laid.session)
    }

    private fun human(): Player = when (choices.begins) {
        Begins.RANDOM -> random.nextInt(2)
        Begins.YOU -> 0
        Begins.AI -> 1
        Begins.WATCH -> NOBODY
    }

    /** Choose otherwise: it holds from the next move or game on. */
    fun choose(chosen: Choices) {
        if (chosen == choices) return
        val before = choices
        choices = chosen
        opened.memory.keep(chosen)
        if (chosen.alwaysHeat && !before.alwaysHeat && canPlay) warmUp()
        if (!chosen.alwaysHeat && before.alwaysHeat) {
            forgetHint()
            show()
        }
    }

    /** Ask a network that failed once more. */
    fun askAgain() {
        failure = null
        go()
    }

    /** Let the network move if it is its turn, it does not think already and has not failed. */
    fun resume() {
        isAway = false
        if (!isThinking && failure == null) go()
    }

    /** The screen is hidden: end the review, live analysis and the thought, which `resume` begins anew. */
    fun leave() {
        isAway = true
        leaveThought()
    }

    /** Drop what is under way. */
    internal fun leaveThought() {
        turn++
        isThinking = false
        opened.thinker.stop()
        hinted?.isOver = true
        hinted = null
        live?.end()
        retry?.end()
        stopReview()
    }

    /** Drop what is under way and what was said. */
    internal fun drop() {
        live?.end()
        live = null
        retry?.end()
        retry = null
        leaveThought()
        heat = null
        found = null
        dead = null
        estimated = null
        notice = null
        failure = null
    }

    /** Play a person's move, or try it out in a replay; if it is illegal, say why. */
    fun play(action: Int) {
        if (isReplay) return tryOut(action)
        if (session.phase == Phase.SCORING) return toggle(action)
        if (!canPlay) return
        val reason = session.whyIllegal(action, session.latest)
        if (reason != null) {
            notice = Notice.NotPossible(reason)
            show()
            return
        }
        drop()
        change(session.play(action))
        go()
    }

    /** Only a person's own game is theirs to give up. */
    val canResign: Boolean
        get() = !isReplay && session.hasPerson && session.phase in listOf(Phase.YOURS, Phase.THEIRS)

    fun resign() {
        if (!canResign) return
        drop()
        change(session.resign())
        notice = Notice.Resigned
        show()
    }

    fun pass() {
        passOf(displayed.visible)?.let(::play)
    }

    val canUndo: Boolean get() = !isReplay && session.canUndo

    fun undo() {
        if (!canUndo) return
        drop()
        change(session.undo())
        go()
    }

    /** End the thought that is under way: the network plays the best that it has found. */
    fun stop() = opened.thinker.stop()

    /** Say that something has changed. */
    internal fun show() {
        series?.look()
        live?.look()
        onChange()
    }

    /** Go on with another session, and store it. */
    internal fun change(changed: Session) {
        session = changed
        // It stays until the person's next move, as the network may move again at once.
        notice = forcedPass() ?: notice
        keep()
    }

    /** Have the game in the library, once there is something in it. */
    internal fun keep() {
        val kept = Kept(session, settings, identity)
        if (!kept.isBegun && identity.id !in opened.library) return
        opened.library.keep(record) { refusal -> worker.tell { hear(refusal) } }
    }

    private fun hear(refusal: IOException?) {
        val isKnown = isRefused
        isRefused = refusal != null
        if (refusal == null || isKnown) return
        notice = Notice.NotKept(reasonOf(refusal))
        show()
    }

    /** A review knows a position. */
    internal fun know(seen: Seen, moves: Int) {
        session = session.know(seen, moves)
    }

    /** Ask something of this turn; a later answer is dropped. */
    internal fun <Answer> askNow(work: () -> Answer, answer: (Answer) -> Unit) {
        val mine = turn
        worker.ask(work) { if (mine == turn) it.fold(answer, ::fail) }
    }

    /** Who begins, if that was left to chance and the game has no move yet. */
    private fun noticeOfLot(): Notice? {
        val isDrawn = session.moves == 0 && choices.begins == Begins.RANDOM && session.hasPerson
        return if (isDrawn) Notice.Begins(session.human == 0) else null
    }

    /** That a side had to pass, if a person plays. */
    private fun forcedPass(): Notice? =
        session.forcedPasser?.takeIf { session.hasPerson }?.let { Notice.ForcedPass(it == session.human) }

    /** End for good; the network is closed after what it does now. */
    fun close() {
        series = null
        drop()
        worker.close(opened::close)
    }
}
