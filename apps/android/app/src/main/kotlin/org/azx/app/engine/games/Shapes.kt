/** What shapes.json says of the games: their settings, and the boards and policies that their networks have. */
package org.azx.app.engine.games

import org.azx.app.engine.Encoding
import org.azx.app.engine.Setting
import org.azx.app.engine.Settings
import org.azx.app.engine.encodingFrom
import org.azx.app.engine.membersOf
import org.azx.app.engine.number
import org.azx.app.engine.readTable
import org.azx.app.engine.rows

/** A board by the rows and columns of its planes, the settings that it has, and the width of each policy by name. */
internal class Shape(val board: List<Int>, val settings: Settings, val policies: Map<String, Int>)

/** A game's row; the first of its `shapes` is the board that its `encoding` is of. */
internal class Row(
    val name: String,
    val title: String,
    val settings: List<Setting>,
    val shapes: List<Shape>,
    val encoding: Encoding,
)

/** The rows by the games' names, in the order in which a list shows them. */
internal val ROWS: Map<String, Row> =
    (readTable("shapes") as List<*>).map { rowFrom(membersOf(it)) }.associateBy { it.name }

private fun rowFrom(row: Map<String, Any?>): Row {
    val shapes = row.rows("shapes").map(::shapeFrom)
    val encoding = encodingFrom(membersOf(row["encoding"]) + ("board" to shapes[0].board))
    return Row(row["name"] as String, row["title"] as String, row.rows("settings").map(::settingFrom), shapes, encoding)
}

private fun settingFrom(row: Map<String, Any?>): Setting {
    val choices = (row["choices"] as List<*>).map(::checkNotNull)
    return Setting(row["name"] as String, checkNotNull(row["default"]), choices, row["about"] as String)
}

private fun shapeFrom(row: Map<String, Any?>): Shape {
    val settings = membersOf(row["settings"]).mapValues { checkNotNull(it.value) }
    val policies = row.rows("policies").associate { it["name"] as String to it.number("width").toInt() }
    return Shape((row["board"] as List<*>).map { it as Int }, settings, policies)
}

/** A setting of a game that has it. */
internal fun settingOf(game: String, name: String): Setting = ROWS.getValue(game).settings.first { it.name == name }

/** The sizes of the boards of a game that has several. */
internal fun sizesOf(game: String): List<Int> = settingOf(game, "size").choices.map { it as Int }
