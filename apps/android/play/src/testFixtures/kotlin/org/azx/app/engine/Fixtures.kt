/** The golden files in mobile_assets/fixtures that every engine is tested against; docs/fixtures.md describes them. */
package org.azx.app.engine

import org.azx.app.engine.games.CellState
import org.azx.app.engine.games.DotsAndBoxes
import org.azx.app.engine.games.byName
import org.json.JSONArray
import org.json.JSONObject
import java.io.File

/** An object of JSON. */
typealias Json = Map<String, Any?>

object Fixtures {
    /** The repository: the property `azx.root`, else the first folder above this one that has the fixtures. */
    val root: File = System.getProperty("azx.root")?.let(::File) ?: above(File(System.getProperty("user.dir")))

    private const val FOLDER = "mobile_assets/fixtures"

    /** The games that have a folder of fixtures, by name. */
    val names: List<String> =
        File(root, FOLDER).listFiles().orEmpty().filter { it.isDirectory }.map { it.name }.sorted()

    private fun above(folder: File): File =
        generateSequence(folder) { it.parentFile }.first { File(it, FOLDER).isDirectory }

    /** The file `<game>/<kind>.json`. */
    fun read(game: String, kind: String): Json = json(File(root, "$FOLDER/$game/$kind.json"))

    /** The file `<path>.json`; null if it is not there: it comes with the Python engine's own files. */
    fun readOrNull(path: String): Json? = File(root, "$FOLDER/$path.json").takeIf(File::exists)?.let(::json)

    /** A file of JSON as Map, List, String, Number, Boolean and null. */
    fun json(file: File): Json = objectOf(plain(JSONObject(file.readText())))
}

private fun plain(value: Any?): Any? = when (value) {
    is JSONObject -> value.keys().asSequence().associateWith { plain(value.get(it)) }
    is JSONArray -> List(value.length()) { plain(value.get(it)) }
    JSONObject.NULL -> null
    else -> value
}

@Suppress("UNCHECKED_CAST")
private fun objectOf(value: Any?): Json = value as Json

/** A member that is an object. */
fun Json.child(name: String): Json = objectOf(getValue(name))

/** A member that is a list of objects. */
fun Json.children(name: String): List<Json> = (getValue(name) as List<*>).map(::objectOf)

/** A member that is a list of whole numbers. */
fun Json.ints(name: String): List<Int> = (getValue(name) as List<*>).map { (it as Number).toInt() }

fun Json.int(name: String): Int = (getValue(name) as Number).toInt()

fun Json.double(name: String): Double = (getValue(name) as Number).toDouble()

fun Json.text(name: String): String = getValue(name) as String

/** The member `settings`. */
fun Json.settings(): Settings = child("settings").mapValues { (_, value) -> checkNotNull(value) }

/** The state of a game that the actions lead to. */
fun after(game: String, settings: Settings, actions: List<Int>): State = begin(byName(game), settings).after(actions)

/** The state after more actions. */
fun State.after(vararg actions: Int): State = after(actions.asList())

/** A character for each action: 1 where it is legal. */
fun legal(state: State): String {
    val marks = CharArray(state.actions) { '0' }
    for (action in state.legalActions()) marks[action] = '1'
    return String(marks)
}

/** The same, asking for each action why it is illegal. */
fun withoutReason(state: State): String =
    String(CharArray(state.actions) { if (state.whyIllegal(it) == null) '1' else '0' })

private fun marks(cells: ByteArray): String = String(CharArray(cells.size) { ".XO"[cells[it].toInt()] })

/** The pieces, one character a cell: X player 0, O player 1; in Dots and Boxes edges, then boxes. */
fun draw(state: State): String = when (state) {
    is DotsAndBoxes -> "${state.edges.joinToString("")} ${marks(state.owners)}"
    is CellState -> marks(state.cells)
    else -> error("the tests do not know how to draw this game: add it to draw() here.")
}
