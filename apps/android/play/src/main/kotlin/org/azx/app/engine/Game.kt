/** What the engine knows of a game beside its rules: settings, networks' shapes, how policies number its actions. */
package org.azx.app.engine

/** A setting's values by name: an Int, a Double or a String each. */
typealias Settings = Map<String, Any>

/** One choice that a game leaves open; `choices` empty means any number. */
class Setting(val name: String, val default: Any, val choices: List<Any>, val about: String)

/** How a policy numbers actions: `name` (cell, column, ...), its `width`, and the index of the game's action. */
class Numbering(val name: String, val width: Int, val index: (Int) -> Int)

/** A board by the rows and columns of its planes, the settings that it has, and the width of each policy by name. */
class Shape(val board: List<Int>, val settings: Settings, val policies: Map<String, Int>)

/**
 * A game. Its reference network reads `encoding`, on the first of the `shapes`; `start` gives the first state for
 * `settings`, of which every one is given.
 */
class Game(
    val name: String,
    val title: String,
    val settings: List<Setting>,
    val shapes: List<Shape>,
    val encoding: Encoding,
    val start: (Settings) -> State,
) {
    /** The settings of the board whose planes have this shape; empty if there is none. */
    fun settingsOf(board: List<Int>): Settings = shapes.find { it.board == board }?.settings.orEmpty()

    /** How the networks of the state's board number actions, the reference one's first. */
    fun numberings(state: State): List<Numbering> =
        shapes.first { it.board == state.board }.policies.map { (policy, width) ->
            // An output an action, or one a column: columns repeat row by row. A forced pass may have none of its own.
            Numbering(policy, width) { it % width }
        }
}

/** The first state of `game` (defaults for settings not given); GameError for a setting that there is not. */
fun begin(game: Game, settings: Settings = emptyMap()): State {
    val known = game.settings.map { it.name }
    val unknown = settings.keys.find { it !in known }
    if (unknown != null) {
        val has = if (known.isEmpty()) "it has none" else "it has ${known.joinToString(", ")}"
        throw GameError("${game.title} has no setting '$unknown': $has.")
    }
    return game.start(game.settings.associate { it.name to read(it, settings[it.name]) })
}

/** `given`, or a text of it, as a value of a setting; the default if nothing is given. GameError for no such one. */
fun read(setting: Setting, given: Any?): Any {
    if (given == null) return setting.default
    val value = convert(setting.default, given)
    if (value != null && (setting.choices.isEmpty() || value in setting.choices)) return value
    val allowed = if (setting.choices.isEmpty()) "a number" else setting.choices.joinToString(", ")
    throw GameError("setting ${setting.name}: '$given' is not possible, use $allowed.")
}

/** `given` as a value of the type of `default`; null if it cannot be converted. */
private fun convert(default: Any, given: Any): Any? {
    if (default is String) return given as? String
    val number = (given as? Number)?.toDouble() ?: given.toString().trim().toDoubleOrNull()
    if (number == null || number.isNaN() || number.isInfinite()) return null
    return if (default is Int) whole(number) else number
}

/** A game as one network reads it. `numbering` is null for a network without a policy. */
class Reading(val game: Game, val encoding: Encoding, val numbering: Numbering?, val settings: Settings) {
    // The policy's index of each action, so that no number is boxed in every answer.
    @Volatile
    private var indices = IntArray(0)

    @Volatile
    private var turnedIndices = IntArray(0)

    /** The first state on the board that the network reads, with `more` settings. */
    fun start(more: Settings = emptyMap()): State = begin(game, settings + more)

    /** Write a state's tensor over `into`, which has `sizeOf(encoding)` numbers. */
    fun tensor(state: State, into: FloatArray = FloatArray(sizeOf(encoding))): FloatArray {
        // A game draws its reference encoding faster than plane by plane.
        if (encoding == state.encoding) state.encode(into) else encode(state, encoding, into)
        return into
    }

    /** The network's value, of whom it is, as that of the player to move. */
    fun value(value: Double, state: State): Double {
        val isMovers = when (encoding.value) {
            Whose.MOVER -> true
            Whose.OPPONENT -> false
            Whose.PLAYER0 -> state.toMove == 0
            Whose.PLAYER1 -> state.toMove == 1
            Whose.UNKNOWN -> return 0.0
        }
        return if (isMovers) value else -value
    }

    /** The policy's outputs by the game's actions in `state`; null for a network without a policy. */
    fun policy(outputs: FloatArray, state: State): FloatArray? {
        if (numbering == null) return null
        val actions = state.actions
        val from = if (encoding.isTurned(state.toMove)) turnedOf(numbering, actions) else indicesOf(numbering, actions)
        val policy = FloatArray(actions)
        for (action in 0 until actions) policy[action] = outputs[from[action]]
        return policy
    }

    private fun indicesOf(numbering: Numbering, actions: Int): IntArray {
        val known = indices
        if (known.size == actions) return known
        return IntArray(actions) { numbering.index(it) }.also { indices = it }
    }

    private fun turnedOf(numbering: Numbering, actions: Int): IntArray {
        val known = turnedIndices
        if (known.size == actions) return known
        return IntArray(actions) { numbering.index(encoding.turnedAction(it)) }.also { turnedIndices = it }
    }
}
