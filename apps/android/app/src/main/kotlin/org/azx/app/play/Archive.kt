/** A library as a .zip: a file of JSON each game, written and read again; the page's and the other apps' too. */
package org.azx.app.play

import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Member
import org.azx.app.bundle.bytesUpTo
import org.azx.app.bundle.zipMembers
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.freshId
import org.azx.app.engine.records.timeOf
import org.azx.app.play.library.LARGEST_RECORD
import org.azx.app.play.library.Library
import org.azx.app.play.library.readGameRecord
import org.azx.app.play.library.text
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

// The folder by which an exported library is known.
private const val FOLDER = "azx-games/"
private const val MOST_GAMES = 20_000

// The place of the first member's name in a .zip.
private const val NAME_AT = 30

/** Whether a file whose bytes come from `stream` is a .zip of games: its first member lies in that folder. */
fun isExport(stream: InputStream): Boolean {
    val bytes = generateSequence { stream.read().takeIf { it >= 0 } }.take(NAME_AT + FOLDER.length)
    val head = bytes.joinToString("") { it.toChar().toString() }
    return head.startsWith("PK\u0003\u0004") && head.endsWith(FOLDER)
}

/** How many games of a .zip are new in the library, were there before, and cannot be read. */
class Imported(val taken: Int, val known: Int, val refused: Int)

/** Write records as a .zip. IOException if there is no room. */
fun exportGames(records: List<GameRecord>, to: OutputStream) = ZipOutputStream(to).use { zip ->
    for (record in records) {
        val entry = ZipEntry("$FOLDER${record.identity.begun.take(10)}-${record.game}-${record.id}.json")
        timeOf(record.changed)?.let { entry.time = it }
        zip.putNextEntry(entry)
        zip.write(record.text().toByteArray())
        zip.closeEntry()
    }
}

/**
 * Put the games of a .zip called `where` into the library. One that is there in another form comes beside it.
 * BundleError if it is no .zip.
 */
fun importGames(library: Library, bytes: ByteBuffer, where: String): Imported {
    var (taken, known, refused) = Triple(0, 0, 0)
    for (member in zipMembers(bytes, where, MOST_GAMES)) {
        val record = recordIn(member)
        val there = record?.let { library[it.id] }
        when {
            record == null -> refused++
            there != null && there.goesOnFrom(record) -> known++
            else -> {
                val id = if (there == null) record.id else freshId()
                library.keep(record.copy(identity = record.identity.copy(id = id)))
                taken++
            }
        }
    }
    library.settle()
    return Imported(taken, known, refused)
}

/** The record of a file; null if it is no record, or the rules forbid it. */
private fun recordIn(member: Member): GameRecord? = try {
    val bytes = member.open().use { bytesUpTo(LARGEST_RECORD, it::read) }
    bytes?.let { readGameRecord(String(it, Charsets.UTF_8)) }?.takeIf { it.unshelve() != null }
} catch (_: BundleError) {
    null
}
