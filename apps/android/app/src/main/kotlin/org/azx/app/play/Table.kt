package org.azx.app.play

import org.azx.app.engine.Player
import org.azx.app.engine.Settings
import org.azx.app.engine.games.Estimate
import org.azx.app.engine.games.Go
import org.azx.app.engine.games.deadStones
import org.azx.app.engine.games.mayPass
import org.azx.app.engine.games.owned
import org.azx.app.engine.games.scoreWithout
import kotlin.random.Random

/**
 * One sitting of a person and a network at a board, or of a network that is watched. Everything here happens on the
 * main thread, but the network thinks on the worker.
 *
 * It outlives the screen that shows it where the device is turned.
 */
class Table(private val opened: Opened, private val worker: Worker, private val random: Random = Random.Default) {
    /** Hears of every change. */
    var onChange: () -> Unit = {}

    var choices: Choices = opened.choices
        private set
    var session: Session
        private set

    /** A share from 0 to 1 of each action that the network considers; null where no hint is shown. */
    var heat: Map<Int, Double>? = null
        private set
    var notice: Notice? = null
        private set

    /** What the network's last thought has found, or the one that is under way; null before the first. */
    var progress: Progress? = null
        private set
    var isReplay = false
        private set

    /** The stones that are marked dead while they are to be agreed on; null before they were proposed. */
    private var dead: List<Int>? = null

    /** The estimate that the board shows; null where none is. */
    private var estimate: Counted? = null

    /** Once the person did not agree, the network plays until captures are real. */
    private var isPlayedOn = false

    /** Whether a game that is watched stands still until `step` or `pause`. */
    var isPaused = false
        private set

    /** The sentence of what went wrong, until a new game is begun; null where nothing did. */
    var failure: String? = null
        private set

    /** Those that were chosen beside the network's own. */
    var settings: Settings
        private set
    private var isThinking = false

    /** Goes up whenever an answer that is under way is no longer wanted. */
    private var turn = 0

    init {
        val saved = opened.saved
        settings = saved?.settings ?: settingsOf(opened.game, choices)
        choices = choices.copy(isRenju = settings["rule"] == "renju")
        session = saved?.session ?: first()
        // Who comes back to a game that went on by itself looks at it first.
        isPaused = saved != null && session.isWatched
        notice = forcedPass() ?: drawnByLot()
    }

    /** Hints are what the policy says: without one all moves are alike. */
    val canHint: Boolean get() = canPlay && opened.hasPolicy

    val canPlay: Boolean get() = session.phase == Phase.YOURS && !isReplay

    /** What the board shows of dead stones and areas; null where all stones count. */
    val counted: Counted?
        get() {
            val state = session.visible as? Go ?: return null
            val ending = session.ending
            return when {
                state !== session.latest -> null
                ending is Ending.Agreed -> countedWithout(state, ending.dead)
                session.phase == Phase.SCORING -> dead?.let { countedWithout(state, it) }
                else -> estimate
            }
        }

    /** The game as a text that a later table can go on from. */
    fun text(): String = SavedGame(session, settings).text()

    /** A new game with what was chosen. */
    fun restart() {
        anew(human())
        notice = drawnByLot()
        go()
    }

    /** A new game in which the person plays the other side. */
    fun swapSides() {
        anew(if (session.isWatched) NOBODY else 1 - session.human)
        go()
    }

    private fun anew(human: Player) {
        drop()
        settings = settingsOf(opened.game, choices)
        progress = null
        isReplay = false
        isPlayedOn = false
        isPaused = false
        change(begun(opened.start(settings), human))
    }

    private fun first(): Session = begun(opened.start(settings), human())

    private fun human(): Player = when (choices.begins) {
        Begins.RANDOM -> random.nextInt(2)
        Begins.YOU -> 0
        Begins.AI -> 1
        Begins.WATCH -> NOBODY
    }

    /** Let a game that is watched stand still, with the thought that is under way given up, or let it go on. */
    fun pause(wanted: Boolean) {
        if (!session.isWatched || wanted == isPaused) return
        isPaused = wanted
        if (wanted) leave()
        if (wanted) onChange() else go()
    }

    /** One move of a game that is watched and stands still. */
    fun step() {
        if (session.isWatched && isPaused && session.phase == Phase.THEIRS && !isThinking) think()
        onChange()
    }

    /** Choose otherwise: another rule begins a new game, the rest holds from the next move or game on. */
    fun choose(chosen: Choices) {
        if (chosen == choices) return
        val before = choices
        choices = chosen
        opened.memory.keep(chosen)
        if (chosen.isRenju != before.isRenju) restart()
        if (chosen.alwaysHeat && !before.alwaysHeat && canPlay) hint()
        if (!chosen.alwaysHeat && before.alwaysHeat) forgetHint()
    }

    /** Let the network move where it is its turn, it does not think already and it has not failed. */
    fun resume() {
        if (!isThinking && failure == null) go()
    }

    /** Nobody watches any more: end the thought, which `resume` begins anew. */
    fun leave() {
        turn++
        isThinking = false
        opened.thinker.stop()
    }

    /** Nothing that is under way is wanted any more, and nothing that was said holds. */
    private fun drop() {
        leave()
        heat = null
        dead = null
        estimate = null
        notice = null
        failure = null
    }

    /** A person's move; says why where it cannot be played. */
    fun play(action: Int) {
        if (session.phase == Phase.SCORING && !isReplay) return toggle(action)
        if (!canPlay) return
        val reason = session.latest.whyIllegal(action)
        if (reason != null) {
            notice = Notice.NotPossible(reason)
            onChange()
            return
        }
        drop()
        change(session.played(action))
        go()
    }

    /** Take a chain for dead, or for alive where it was dead. */
    private fun toggle(at: Int) {
        val state = session.latest as? Go ?: return
        mark(state, toggled(state, dead ?: return, at))
    }

    private fun mark(state: Go, found: List<Int>) {
        dead = found
        notice = Notice.Scoring(state.scoreWithout(found), state.score())
        onChange()
    }

    /** After two passes: mark the stones that are proposed dead. */
    private fun propose() {
        val (mine, state) = turn to (session.latest as? Go ?: return)
        worker.ask({ state.deadStones(state.owned()) }) { answer ->
            if (mine == turn) answer.fold({ mark(state, it) }, ::failed)
        }
    }

    /** The dead stones are those that are marked. */
    fun agree() {
        if (session.phase != Phase.SCORING || isReplay) return
        val found = dead ?: return
        drop()
        change(session.agreed(found))
        onChange()
    }

    /** Take both passes back: the network plays until captures are real. */
    fun playOn() {
        if (session.phase != Phase.SCORING || isReplay) return
        drop()
        isPlayedOn = true
        change(session.playedOn())
        go()
    }

    /** A game that is watched is nobody's to give up. */
    val canResign: Boolean
        get() = !isReplay && !session.isWatched && session.phase in listOf(Phase.YOURS, Phase.THEIRS)

    /** Give the game up. */
    fun resign() {
        if (!canResign) return
        drop()
        change(session.resigned())
        notice = Notice.Resigned
        onChange()
    }

    val canEstimate: Boolean get() = canPlay && session.latest is Go

    /** Say who is ahead in Go, and show whose each point is. */
    fun estimate() {
        val state = session.latest as? Go ?: return
        if (!canEstimate) return
        val mine = turn
        worker.ask({ estimated(state) }) { answer ->
            if (mine == turn) answer.fold(::showEstimate, ::failed)
        }
    }

    private fun showEstimate(found: Pair<Estimate, Counted>) {
        heat = null
        estimate = found.second
        notice = Notice.Estimated(found.first)
        onChange()
    }

    fun pass() {
        passOf(session.latest)?.let(::play)
    }

    fun undo() {
        if (isReplay || !session.canUndo) return
        drop()
        change(session.undone())
        go()
    }

    /** End the thought that is under way: the network plays the best that it has found. */
    fun stop() = opened.thinker.stop()

    /** Colour the board by the network's policy. */
    fun hint() {
        if (!canHint) return
        val (mine, chosen, actions) = Triple(turn, settings, session.actions)
        worker.ask({ opened.thinker.advise(chosen, actions) }) { answer ->
            if (mine == turn) answer.fold(::advised, ::unadvised)
        }
    }

    /** A hint is a help: without one the game goes on, and it can be asked for again. */
    private fun unadvised(error: Throwable) {
        notice = Notice.NoHint(sentenceOf(error))
        onChange()
    }

    private fun advised(advice: Advice) {
        val (action, share) = advice.policy.maxByOrNull { it.value } ?: return
        heat = advice.policy
        estimate = null
        // What the rules did is more than what the network would do.
        if (notice !is Notice.ForcedPass) notice = Notice.Hint(action, share, advice.winRate)
        onChange()
    }

    private fun forgetHint() {
        heat = null
        if (notice is Notice.Hint || notice is Notice.NoHint) notice = null
        onChange()
    }

    /** Walk through the game, or go on playing. */
    fun replay(wanted: Boolean) {
        isReplay = wanted
        heat = null
        estimate = null
        if (notice is Notice.Hint || notice is Notice.NoHint || notice is Notice.Estimated) notice = null
        if (wanted) pause(true)
        if (!wanted) session = session.showing(session.moves)
        onChange()
    }

    /** In a replay, show the position after so many moves. */
    fun showAt(moves: Int) {
        if (!isReplay) return
        session = session.showing(moves)
        onChange()
    }

    private fun change(changed: Session) {
        session = changed
        // It is said until the person's next move, as the network may move again at once.
        notice = forcedPass() ?: notice
        opened.memory.keep(text())
    }

    private fun go() {
        when {
            session.phase != Phase.THEIRS -> arrive()
            session.isWatched -> watch()
            else -> think()
        }
        onChange()
    }

    /** Let the last move be seen before the next one is thought about. */
    private fun watch() {
        if (isPaused) return
        val mine = turn
        isThinking = true
        worker.later(if (session.moves == 0) 0 else choices.pace.milliseconds) { if (mine == turn) think() }
    }

    private fun think() {
        isThinking = true
        val (mine, chosen, actions) = Triple(turn, settings, session.actions)
        val (limit, ticket) = choices.strength.limit(Random.nextLong()) to opened.thinker.ticket()
        val tell = { found: Progress -> worker.tell { if (mine == turn) hear(found) } }
        val go = if (isPlayedOn) null else session.latest as? Go
        val found = {
            if (go?.mayPass() == true) settled(go.pass) else opened.thinker.think(chosen, actions, limit, ticket, tell)
        }
        worker.ask(found) { answer ->
            if (mine == turn) answer.fold(::answered, ::failed)
        }
    }

    /** A pass where nothing is left to think about. */
    private fun settled(pass: Int) = Thought(Progress(0, 0, null, 0.0), pass)

    private fun hear(found: Progress) {
        progress = found
        onChange()
    }

    private fun answered(thought: Thought) {
        isThinking = false
        progress = thought.progress
        val shown = session.ply
        val played = session.rated(thought.progress.winRate).played(thought.action)
        // Who looks at an earlier position goes on looking at it.
        change(if (isReplay && shown < session.moves) played.showing(shown) else played)
        go()
    }

    /** It is a person's turn, or nobody's any more. */
    private fun arrive() {
        if (session.phase == Phase.SCORING) return propose()
        if (choices.alwaysHeat && heat == null) hint()
    }

    /** Who begins, where a person left that to chance and nobody has moved yet. */
    private fun drawnByLot(): Notice? {
        val isDrawn = session.moves == 0 && choices.begins == Begins.RANDOM && !session.isWatched
        return if (isDrawn) Notice.Begins(session.human == 0) else null
    }

    /** Where the network plays with itself nobody has to be told. */
    private fun forcedPass(): Notice? =
        session.forcedPasser?.takeUnless { session.isWatched }?.let { Notice.ForcedPass(it == session.human) }

    private fun failed(error: Throwable) {
        isThinking = false
        failure = sentenceOf(error)
        onChange()
    }

    /** End for good; the network is closed after what it does now. */
    fun close() {
        drop()
        worker.close(opened.network::close)
    }
}
