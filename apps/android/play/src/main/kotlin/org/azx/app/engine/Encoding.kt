/**
 * Encodings as data: which planes make the tensor that a network reads, and in which layout.
 *
 *     {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
 *
 * A plane is a name. The game draws the planes that depend on its rules: "mover", "opponent", "mover@2" for two plies ago,
 * "player0", "last", counts of boxes, and so on. The planes of every game are drawn here. So are those of both players:
 * "signed" has +1 at the mover's pieces and -1 at the opponent's, "codes_mover" has 1 and 2 there.
 *
 * A network may have a second input that says who is to move: `beside`. A position is then one vector, of which each
 * input reads its part.
 */
package org.azx.app.engine

/** How planes are stacked; the names are a manifest's, in lower case. */
enum class Layout { CHANNELS_FIRST, CHANNELS_LAST, FLAT, CELLS, SUM }

/** What a plane of a ply before the first shows; a manifest writes it in lower case. */
enum class History { EMPTY, REPEATED }

/** Whose value a network gives; a manifest writes it in lower case. */
enum class Whose { MOVER, OPPONENT, PLAYER0, PLAYER1, UNKNOWN }

/**
 * `planes` over a `board`, stacked as `layout` says. CHANNELS_FIRST gives (planes, ...board), CHANNELS_LAST (...board, planes).
 * FLAT is one vector, plane after plane, CELLS one vector, cell after cell. SUM is (...board), the planes added up.
 * `board` is the game's own, whether the planes are transposed or not.
 *
 * `flip` writes the rows of every plane bottom first, `transpose` then exchanges rows and columns. `turned` exchanges
 * those of a square board before that if the second player is to move, and the moves likewise. The games begin
 * with nothing on the board, so that both kinds of `history` are the same here. `beside` is what a second input reads.
 */
data class Encoding(
    val layout: Layout,
    val board: List<Int>,
    val planes: List<String>,
    val flip: Boolean = false,
    val transpose: Boolean = false,
    val history: History = History.EMPTY,
    val value: Whose = Whose.MOVER,
    val turned: Boolean = false,
    val beside: Beside? = null,
) {
    internal val columns = board.last()
    private val rows = cellsOf(board) / columns

    /** The distance of the next column in the tensor's planes, and of the next row; the place of the first cell. */
    internal val columnStep = if (transpose) rows else 1
    internal val rowStep = (if (transpose) 1 else columns) * (if (flip) -1 else 1)
    internal val first = if (flip) (1 - rows) * rowStep else 0

    /** How many numbers of the tensor are the board's, and the place of the first. */
    internal val boardSize = cellsOf(board) * (if (layout == Layout.SUM) 1 else planes.size)
    internal val boardStart = if (beside?.first == true) beside.size else 0

    /** How many numbers each input reads, in their order. */
    val inputSizes: List<Int> = when {
        beside == null -> listOf(boardSize)
        beside.first -> listOf(beside.size, boardSize)
        else -> listOf(boardSize, beside.size)
    }

    /** Whether a position is shown with columns for rows because of who is to move. */
    fun isTurned(toMove: Player): Boolean = turned && toMove == 1

    /** What an action of a square board is called on the turned one; a pass keeps its number. */
    fun turnedAction(action: Int): Int =
        if (action < rows * columns) action % columns * columns + action / columns else action
}

/** What a second input reads: planes that are the same everywhere, each as `cells` numbers; before the board's if `first`. */
class Beside(val planes: List<String>, val cells: Int = 1, val first: Boolean = false) {
    internal val size = planes.size * cells
}

/** What an encoding asks of a position; every game's `State` is one. */
interface Drawable {
    /** The player to move, 0 or 1. */
    val toMove: Int

    /** Rows and columns of the planes. */
    val board: List<Int>

    /** One plane, row by row; GameError if the game draws no plane of this name. Shared: do not write to it. */
    fun plane(name: String): FloatArray
}

/** The tensor's shape without the batch: of two inputs one vector of all their numbers. */
fun shapeOf(encoding: Encoding): IntArray {
    if (encoding.beside != null) return intArrayOf(sizeOf(encoding))
    val board = (if (encoding.transpose) encoding.board.reversed() else encoding.board).toIntArray()
    val planes = encoding.planes.size
    return when (encoding.layout) {
        Layout.FLAT, Layout.CELLS -> intArrayOf(planes * cellsOf(encoding.board))
        Layout.CHANNELS_FIRST -> intArrayOf(planes, *board)
        Layout.CHANNELS_LAST -> intArrayOf(*board, planes)
        Layout.SUM -> board
    }
}

/** How many numbers the tensor has. */
fun sizeOf(encoding: Encoding): Int = encoding.inputSizes.sum()

/** The encoding that a manifest's `encoding` describes, a Map as JSON gives it; GameError if it is unsound. */
fun encodingFrom(data: Any?): Encoding {
    val given = data as? Map<*, *> ?: emptyMap<String, Any?>()
    val missing = listOf("layout", "board", "planes").find { it !in given }
    if (missing != null) throw GameError("encoding: '$missing' is missing, give layout, board and planes.")
    return Encoding(
        choiceFrom(given, "layout", Layout.entries.associateBy { it.name.lowercase() }),
        boardFrom(given["board"]),
        planesFrom(given["planes"]),
        optionFrom(given, "flip", SWITCH, false),
        optionFrom(given, "transpose", SWITCH, false),
        optionFrom(given, "history", History.entries.associateBy { it.name.lowercase() }, History.EMPTY),
        optionFrom(given, "value", Whose.entries.associateBy { it.name.lowercase() }, Whose.MOVER),
        turnedFrom(given),
        given["beside"]?.let { besideFrom(it, cellsOf(boardFrom(given["board"]))) },
    )
}

private fun besideFrom(data: Any, ofBoard: Int): Beside {
    val given = data as? Map<*, *> ?: emptyMap<String, Any?>()
    val (names, cells) = given["planes"] as? List<*> to whole(given["cells"] ?: 1)
    if (names == null || cells == null) {
        throw GameError("encoding: 'beside' is $data, give its planes as a list, and 'cells' as a whole number.")
    }
    val unknown = names.find { it !in CONSTANTS }
    if (unknown != null || names.isEmpty()) {
        val named = if (names.isEmpty()) "'planes' is empty" else "'$unknown' is unknown"
        throw GameError("encoding: beside: $named, use one of ${CONSTANTS.keys.joinToString(", ")}.")
    }
    if (cells != 1 && cells != ofBoard) {
        throw GameError("encoding: beside: 'cells' is $cells, give 1 or the board's $ofBoard.")
    }
    return Beside(names.map { it.toString() }, cells, optionFrom(given, "first", SWITCH, false))
}

private fun turnedFrom(given: Map<*, *>): Boolean {
    val turned = optionFrom(given, "turned", SWITCH, false)
    val board = boardFrom(given["board"])
    if (!turned || board.distinct().size == 1) return turned
    val said = board.joinToString(" by ")
    throw GameError("encoding: a board of $said cannot be turned, give as many rows as columns.")
}

private val SWITCH = mapOf(false to false, true to true)

/** A member that may be missing or null. */
private fun <Choice> optionFrom(given: Map<*, *>, member: String, known: Map<*, Choice>, usual: Choice): Choice =
    if (given[member] == null) usual else choiceFrom(given, member, known)

private fun <Choice> choiceFrom(given: Map<*, *>, member: String, known: Map<*, Choice>): Choice = known[given[member]]
    ?: throw GameError("encoding: $member '${given[member]}' is unknown, use one of ${known.keys.joinToString(", ")}.")

private fun boardFrom(sizes: Any?): List<Int> {
    val board = (sizes as? List<*>)?.map(::whole)
    if (board == null || board.isEmpty() || board.any { it == null || it < 1 }) {
        throw GameError("encoding: board '$sizes' is no list of sizes such as [6, 7].")
    }
    return board.filterNotNull()
}

private fun planesFrom(names: Any?): List<String> {
    val planes = (names as? List<*>).orEmpty().map { it.toString() }
    if (planes.isNotEmpty()) return planes
    throw GameError("encoding: 'planes' names no plane, give a list of at least one plane's name.")
}

/** The whole number that a value of JSON is (an Int, a Long, or a Double such as 9.0); null if it is not whole. */
internal fun whole(value: Any?): Int? {
    val number = (value as? Number)?.toDouble() ?: return null
    return if (number == number.toInt().toDouble()) number.toInt() else null
}

internal fun cellsOf(board: List<Int>): Int = board.fold(1) { product, size -> product * size }

/** The tensor of `state`, of `shapeOf(encoding)`, row-major; GameError for a plane that it cannot draw. */
fun encode(state: Drawable, encoding: Encoding): FloatArray =
    FloatArray(sizeOf(encoding)).also { encode(state, encoding, it) }

/** Write the tensor of `state` over all of `tensor`, which has `sizeOf(encoding)` numbers. */
fun encode(state: Drawable, encoding: Encoding, tensor: FloatArray) {
    val layout = encoding.layout
    val planes = encoding.planes
    val cells = cellsOf(encoding.board)
    tensor.fill(0f)
    val apart = when (layout) {
        Layout.CHANNELS_LAST, Layout.CELLS -> 1
        Layout.SUM -> 0
        else -> cells
    }
    val step = if (apart == 1) planes.size else 1
    val from = encoding.boardStart
    for (index in planes.indices) addPlane(state, planes[index], encoding, tensor, from + index * apart, step)
    encoding.beside?.let { addBeside(state, it, tensor, if (it.first) 0 else encoding.boardSize) }
}

private fun addBeside(state: Drawable, beside: Beside, tensor: FloatArray, from: Int) {
    for ((index, name) in beside.planes.withIndex()) {
        addConstant(CONSTANTS.getValue(name)(state.toMove), beside.cells, tensor, from + index * beside.cells, 1)
    }
}

/** Planes that are the same everywhere: their number for who is to move. */
private val CONSTANTS: Map<String, (Player) -> Int> = mapOf(
    "ones" to { 1 },
    "zeros" to { 0 },
    "player0_to_move" to { 1 - it },
    "player1_to_move" to { it },
    "turn_player0" to { 1 - 2 * it },
    "turn_player1" to { 2 * it - 1 },
)

/** Add a plane to the tensor, its cells `step` apart from `from` on. */
private fun addPlane(state: Drawable, name: String, encoding: Encoding, tensor: FloatArray, from: Int, step: Int) {
    val board = encoding.board
    when (name) {
        in CONSTANTS -> addConstant(CONSTANTS.getValue(name)(state.toMove), cellsOf(board), tensor, from, step)
        "empty" -> {
            addConstant(1, cellsOf(board), tensor, from, step)
            for (pieces in listOf("mover", "opponent")) {
                addDrawn(draw(state, pieces, encoding), -1, encoding, tensor, from, step)
            }
        }
        else -> {
            // Marks are codes less 1: -1 on an empty cell, 0 at the named player's pieces, 1 at the other's.
            val codes = name.replace("marks_", "codes_")
            if (codes != name) addConstant(-1, cellsOf(board), tensor, from, step)
            for ((drawn, number) in MIXED[codes] ?: listOf(name to 1)) {
                addDrawn(draw(state, drawn, encoding), number, encoding, tensor, from, step)
            }
        }
    }
}

/** Planes of both players' pieces: each of the two planes, and the number that it has. */
private val MIXED: Map<String, List<Pair<String, Int>>> =
    listOf("mover" to "opponent", "opponent" to "mover", "player0" to "player1", "player1" to "player0")
        .flatMap { (first, second) ->
            val signed = if (first == "mover") "signed" else "signed_$first"
            listOf(signed to listOf(first to 1, second to -1), "codes_$first" to listOf(first to 1, second to 2))
        }.toMap()

private fun addConstant(number: Int, cells: Int, tensor: FloatArray, from: Int, step: Int) {
    for (at in 0 until cells) tensor[from + at * step] += number.toFloat()
}

private fun addDrawn(plane: FloatArray, sign: Int, encoding: Encoding, tensor: FloatArray, from: Int, step: Int) {
    val columns = encoding.columns
    for (row in 0 until plane.size / columns) {
        var place = from + (encoding.first + row * encoding.rowStep) * step
        for (at in row * columns until (row + 1) * columns) {
            tensor[place] += sign * plane[at]
            place += encoding.columnStep * step
        }
    }
}

/** A plane that the game draws; GameError if it has no such plane or another board. */
private fun draw(state: Drawable, name: String, encoding: Encoding): FloatArray {
    val (plane, board) = state.plane(name) to encoding.board
    if (state.board != board) {
        val has = state.board.joinToString(" by ")
        throw GameError("encoding: plane '$name' is $has, the encoding's board is ${board.joinToString(" by ")}.")
    }
    return if (encoding.isTurned(state.toMove)) FloatArray(plane.size) { plane[encoding.turnedAction(it)] } else plane
}
