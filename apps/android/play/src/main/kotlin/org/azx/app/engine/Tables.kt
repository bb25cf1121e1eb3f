/** The tables of games/data, which every language reads; the build puts them on the class path. */
package org.azx.app.engine

/** A table by its name, as JSON gives it; IllegalStateException if the build has not packed it. */
fun readTable(name: String): Any? {
    val file = checkNotNull(Level::class.java.getResourceAsStream("/azx/$name.json")) {
        "azx/$name.json is not packed: run apps/tools/write_texts.py android, then build the app again."
    }
    return parseJson(file.use { it.readBytes().decodeToString() })
}

internal val THRESHOLDS: Map<String, Any?> = membersOf(readTable("thresholds"))

internal fun Map<String, Any?>.number(name: String): Double = (getValue(name) as Number).toDouble()

internal fun Map<String, Any?>.rows(name: String): List<Map<String, Any?>> =
    (getValue(name) as List<*>).map(::membersOf)
