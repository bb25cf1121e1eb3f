package org.azx.app.play.library

import org.azx.app.engine.records.GameRecord
import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

private const val ENDING = ".json"

// What a file is called until all of it is there.
private const val UNFINISHED = ".part"

/**
 * All games that were played, watched or opened here: a file of JSON each in a folder of the app's own, and nothing else.
 * Only a person removes a game; a file that cannot be read stays.
 *
 * `open` reads the disk and `settle` waits for it; all else works with what is in memory and waits for nothing. Any thread
 * may call anything.
 */
class Library(private val folder: File) {
    private val records = ConcurrentHashMap<String, GameRecord>()
    private val writer = Executors.newSingleThreadExecutor { Thread(it, "azx library").apply { isDaemon = true } }

    @Volatile
    private var isOpen = false

    /** The names of files that are no records, or of a later azx. */
    @Volatile
    var damaged: List<String> = emptyList()
        private set

    /** Have all records in memory, once. Reads the disk. */
    @Synchronized
    fun open(): Library {
        if (isOpen) return this
        val files = folder.listFiles().orEmpty().sortedBy { it.name }
        files.filter { it.name.endsWith(UNFINISHED) }.forEach { it.delete() }
        val kept = files.filter { it.name.endsWith(ENDING) }.map { it to read(it) }
        // Records that were kept meanwhile are newer.
        for ((_, record) in kept) if (record != null) records.putIfAbsent(record.id, record)
        damaged = kept.filter { it.second == null }.map { it.first.name }
        isOpen = true
        return this
    }

    /** All records, the last changed one first. */
    fun list(): List<GameRecord> =
        records.values.sortedWith(compareByDescending<GameRecord> { it.changed }.thenBy { it.id })

    operator fun contains(id: String): Boolean = records.containsKey(id)

    operator fun get(id: String): GameRecord? = records[id]

    /** Store a record in place of its earlier form; `answer` hears on another thread if the disk refuses it. */
    fun keep(record: GameRecord, answer: (IOException?) -> Unit = {}) {
        records[record.id] = record
        writer.execute {
            // If this is no longer the record, a later change is on its way.
            if (records[record.id] === record) answer(refusalOf(record))
        }
    }

    private fun refusalOf(record: GameRecord): IOException? = try {
        write(record)
        null
    } catch (error: IOException) {
        error
    }

    /** Take a record out; `keep` brings it back. */
    fun remove(id: String) {
        records.remove(id)
        writer.execute { if (!records.containsKey(id)) fileOf(id).delete() }
    }

    /** Wait until everything until now is on the disk, or was refused. */
    fun settle() {
        writer.submit {}.get(1, TimeUnit.MINUTES)
    }

    private fun fileOf(id: String) = File(folder, id + ENDING)

    private fun read(file: File): GameRecord? = try {
        val record = if (file.length() > LARGEST_RECORD) null else readGameRecord(file.readText())
        record?.takeIf { file.name == it.id + ENDING }
    } catch (_: IOException) {
        null
    }

    /** Write beside, then move, so that a record is never half written. IOException if the disk has no room. */
    private fun write(record: GameRecord) {
        val part = File(folder, record.id + UNFINISHED)
        try {
            Files.createDirectories(folder.toPath())
            FileOutputStream(part).use {
                it.write(record.text().toByteArray())
                it.fd.sync()
            }
            Files.move(part.toPath(), fileOf(record.id).toPath(), StandardCopyOption.ATOMIC_MOVE)
        } catch (error: IOException) {
            part.delete()
            throw error
        }
    }

    companion object {
        private val libraries = ConcurrentHashMap<File, Library>()

        /** The one library of a folder: all screens see the same games. */
        fun at(folder: File): Library = libraries.getOrPut(folder) { Library(folder) }
    }
}

/** Why the disk takes nothing, in the system's words and without a place on it. */
fun reasonOf(refusal: IOException): String {
    val said = if (refusal is FileSystemException) refusal.reason else refusal.message
    return said?.substringAfterLast('(')?.removeSuffix(")") ?: refusal.javaClass.simpleName
}
