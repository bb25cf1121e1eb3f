/** What a person has chosen in the system's picker of documents: a folder, or a file. */
package org.azx.app.play

import android.content.ContentResolver
import android.content.Context
import android.net.Uri
import android.provider.DocumentsContract
import android.provider.DocumentsContract.Document
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.HEAD_BYTES
import org.azx.app.bundle.MOST_BYTES
import org.azx.app.bundle.MOST_MEMBERS
import org.azx.app.bundle.Member
import org.azx.app.bundle.bytesUpTo
import org.azx.app.bundle.forEachChunk
import org.azx.app.bundle.foreignFile
import org.azx.app.bundle.mapped
import org.azx.app.bundle.readIndex
import org.azx.app.bundle.tooLarge
import org.azx.app.bundle.unreadable
import org.azx.app.bundle.zipMembers
import org.azx.app.engine.records.LARGEST
import org.azx.app.engine.records.RecordError
import org.azx.app.engine.records.textOf
import org.azx.app.play.library.reasonOf
import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.io.InputStream
import java.nio.ByteBuffer

// A bundle has two; a provider may show a folder within itself.
private const val DEEPEST = 12

// What the copy of a .zip is called.
private const val COPY = "given"
private const val ZIP = ".zip"

private val COLUMNS = arrayOf(
    Document.COLUMN_DOCUMENT_ID, Document.COLUMN_DISPLAY_NAME, Document.COLUMN_MIME_TYPE, Document.COLUMN_SIZE,
)

/** Store the bundle of a chosen folder and return its name. BundleError if it is not sound. Takes a while. */
fun takeFolder(context: Context, tree: Uri): String {
    val resolver = context.contentResolver
    val id = DocumentsContract.getTreeDocumentId(tree)
    val what = nameOf(resolver, DocumentsContract.buildDocumentUriUsingTree(tree, id))
    val found = ArrayList<Member>()
    Walk(resolver, tree, found).into(id, "", 0)
    return take(context, found, what)
}

/** Store the bundle of a chosen .zip and return its name. BundleError if it is not sound. Takes a while. */
fun takeZip(context: Context, file: Uri): String = withCopy(context, file) { bytes, what ->
    val head = ByteArray(minOf(HEAD_BYTES, bytes.limit())).also(bytes.duplicate()::get)
    foreignFile(what, head)?.let { throw it }
    take(context, zipMembers(bytes, what), what)
}

/** Whether a document that was chosen is a .zip of games. BundleError if it cannot be read. */
fun holdsGames(context: Context, file: Uri): Boolean = context.contentResolver.let { resolver ->
    reading(nameOf(resolver, file)) { resolver.reading(file).buffered().use(::isExport) }
}

/** Put the games of a chosen .zip into the library. BundleError if it is no .zip of games. Takes a while. */
fun takeGames(context: Context, file: Uri): Imported =
    withCopy(context, file) { bytes, what -> importGames(Assets.library(context).open(), bytes, what) }

/** Write all games into a chosen document, as a .zip. BundleError if it cannot be written. Takes a while. */
fun giveGames(context: Context, file: Uri) {
    val (resolver, records) = context.contentResolver to Assets.library(context).open().list()
    try {
        val stream = resolver.openOutputStream(file, "wt") ?: throw FileNotFoundException("nothing is there")
        stream.use { exportGames(records, it) }
    } catch (error: IOException) {
        // Half of a library is no library.
        runCatching { DocumentsContract.deleteDocument(resolver, file) }
        throw BundleError("library_not_exported", reasonOf(error), cause = error)
    }
}

/** What `use` makes of the bytes of a document, and of what it is called. */
private inline fun <Made> withCopy(context: Context, file: Uri, use: (ByteBuffer, String) -> Made): Made {
    val resolver = context.contentResolver
    val what = nameOf(resolver, file)
    val copy = File.createTempFile(COPY, ZIP, context.cacheDir)
    try {
        // A provider may have no real file, and the directory stands at the end of a .zip.
        copy(resolver, file, what, copy)
        return use(mapped(copy), what)
    } finally {
        copy.delete()
    }
}

/**
 * The text of a document that another app hands over; null if it is a .zip by its bytes or its name. BundleError if it
 * cannot be read or is a network alone; RecordError if it is larger than any record. Takes a while.
 */
fun recordIn(context: Context, file: Uri): String? {
    val resolver = context.contentResolver
    val what = nameOf(resolver, file)
    val bytes = reading(what) {
        resolver.reading(file).buffered().use { stream ->
            stream.mark(HEAD_BYTES)
            // Behind its end a stream reads -1.
            val head = ByteArray(HEAD_BYTES) { stream.read().toByte() }
            stream.reset()
            foreignFile(what, head)?.let { throw it }
            val isZip = head[0] == 'P'.code.toByte() && head[1] == 'K'.code.toByte()
            if (isZip || what.endsWith(ZIP, ignoreCase = true)) return null
            bytesUpTo(LARGEST, stream::read)
        }
    }
    return textOf(bytes ?: throw RecordError(RecordError.Kind.TOO_LARGE))
}

/** Remove unfinished files of an app that was ended. Call it while nothing is being taken. */
fun sweep(context: Context) {
    Assets.given(context).sweep()
    for (copy in context.cacheDir.listFiles().orEmpty()) {
        if (copy.name.startsWith(COPY) && copy.name.endsWith(ZIP)) copy.delete()
    }
}

private fun take(context: Context, members: List<Member>, what: String): String {
    val given = Assets.given(context)
    val names = readIndex(Assets.store(context)).map { it.name } + given.entries().map { it.name }
    return given.take(members, what, names)
}

private fun copy(resolver: ContentResolver, file: Uri, what: String, copy: File) = reading(what) {
    resolver.reading(file).use { stream ->
        copy.outputStream().use { out ->
            var size = 0L
            forEachChunk(stream::read) { chunk, count ->
                size += count
                if (size > MOST_BYTES) throw tooLarge(what)
                out.write(chunk, 0, count)
            }
        }
    }
}

/** What `use` makes of a document that is called `what`; BundleError if it cannot be read. */
private inline fun <Made> reading(what: String, use: () -> Made): Made = try {
    use()
} catch (error: IOException) {
    throw unreadable(what, what, error)
} catch (error: SecurityException) {
    throw unreadable(what, what, error)
}

private fun ContentResolver.reading(file: Uri): InputStream =
    openInputStream(file) ?: throw FileNotFoundException("nothing is there")

/** The name of a document; the last part of its address if its provider gives none. */
private fun nameOf(resolver: ContentResolver, document: Uri): String {
    val said = try {
        resolver.query(document, arrayOf(Document.COLUMN_DISPLAY_NAME), null, null, null)?.use {
            if (it.moveToFirst()) it.getString(0) else null
        }
    } catch (_: RuntimeException) {
        null
    }
    return said ?: document.lastPathSegment.orEmpty().substringAfterLast('/')
}

/** Adds the files below a folder to `found`, until there are too many of them. */
private class Walk(
    private val resolver: ContentResolver,
    private val tree: Uri,
    private val found: MutableList<Member>,
) {
    fun into(id: String, path: String, depth: Int) {
        if (depth > DEEPEST) return
        val folders = ArrayList<Pair<String, String>>()
        resolver.query(DocumentsContract.buildChildDocumentsUriUsingTree(tree, id), COLUMNS, null, null, null)?.use {
            while (it.moveToNext() && found.size <= MOST_MEMBERS) {
                val (child, name) = it.getString(0) to path + it.getString(1)
                val size = if (it.isNull(3)) null else it.getLong(3)
                if (it.getString(2) == Document.MIME_TYPE_DIR) folders += child to "$name/" else add(child, name, size)
            }
        }
        for ((child, name) in folders) if (found.size <= MOST_MEMBERS) into(child, name, depth + 1)
    }

    private fun add(id: String, path: String, size: Long?) {
        val file = DocumentsContract.buildDocumentUriUsingTree(tree, id)
        found += Member(path, size) {
            try {
                resolver.reading(file)
            } catch (error: SecurityException) {
                throw IOException(error)
            }
        }
    }
}
