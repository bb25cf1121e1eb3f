package org.azx.app.screens.games

import android.app.Activity
import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.play.Worker
import org.azx.app.play.failureOf
import org.azx.app.play.forget
import org.azx.app.play.takeFolder
import org.azx.app.play.takeZip
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Words

/** Opens bundles from the device, a folder or a .zip, and removes them; `onChange` hears that the list is another. */
class BundleOpener(activity: Activity, private val worker: Worker, private val onChange: () -> Unit) :
    Dialogs(activity) {
    private val words = Words(activity.resources)

    fun ask() = show {
        setTitle(R.string.open_bundle)
        setMessage(R.string.open_about)
        setPositiveButton(R.string.open_folder) { _, _ -> pick(FOLDER, Intent(Intent.ACTION_OPEN_DOCUMENT_TREE)) }
        setNegativeButton(R.string.open_zip) { _, _ -> pick(ZIP, zips()) }
        setNeutralButton(R.string.cancel, null)
    }

    /** Providers call a .zip by several names. */
    private fun zips(): Intent {
        val kinds = arrayOf("application/zip", "application/x-zip-compressed", "application/octet-stream")
        return Intent(Intent.ACTION_OPEN_DOCUMENT).addCategory(Intent.CATEGORY_OPENABLE).setType("*/*")
            .putExtra(Intent.EXTRA_MIME_TYPES, kinds)
    }

    private fun pick(request: Int, intent: Intent) = try {
        @Suppress("DEPRECATION")
        activity.startActivityForResult(intent, request)
    } catch (error: ActivityNotFoundException) {
        refuse(error)
    }

    /** What a person has chosen; nothing where they have thought better of it, or it is about something else. */
    fun take(request: Int, result: Int, data: Intent?) {
        val uri = data?.data ?: return
        if (result == Activity.RESULT_OK && request in listOf(FOLDER, ZIP)) open(uri, isFolder = request == FOLDER)
    }

    private fun open(uri: Uri, isFolder: Boolean) {
        val app = activity.applicationContext
        worker.ask({ if (isFolder) takeFolder(app, uri) else takeZip(app, uri) }) { answer ->
            answer.fold({ onChange() }, ::refuse)
        }
    }

    /** Remove a bundle with its game, which is asked about first. */
    fun remove(entry: Entry) = show {
        setMessage(words.say(R.string.remove_ask, words.title(entry)))
        setPositiveButton(R.string.remove_bundle) { _, _ -> forget(entry) }
        setNegativeButton(R.string.cancel, null)
    }

    private fun forget(entry: Entry) {
        val app = activity.applicationContext
        worker.ask({ forget(app, entry.name) }) { answer ->
            answer.onFailure(::refuse)
            onChange()
        }
    }

    private fun refuse(error: Throwable) {
        if (activity.isFinishing) return
        show {
            setTitle(R.string.open_bundle)
            setMessage(words.text(failureOf(error)))
            setPositiveButton(android.R.string.ok, null)
        }
    }

    companion object {
        const val FOLDER = 1
        const val ZIP = 2
    }
}
