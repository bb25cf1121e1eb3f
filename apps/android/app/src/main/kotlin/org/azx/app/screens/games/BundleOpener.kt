package org.azx.app.screens.games

import android.app.Activity
import android.content.ActivityNotFoundException
import android.content.Intent
import android.widget.Toast
import org.azx.app.R
import org.azx.app.bundle.Entry
import org.azx.app.play.Come
import org.azx.app.play.Desk
import org.azx.app.play.failureOf
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Words

/** Asks for bundles from the device, a folder or a .zip, and says what came of them. */
class BundleOpener(activity: Activity, private val desk: Desk) : Dialogs(activity) {
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
        tell(words.text(failureOf(error)), R.string.open_bundle)
    }

    /** Open what a person has chosen; nothing if they chose nothing, or it is about something else. */
    fun take(request: Int, result: Int, data: Intent?) {
        val uri = data?.data ?: return
        if (result != Activity.RESULT_OK) return
        when (request) {
            FOLDER -> desk.openFolder(uri)
            ZIP -> desk.openZip(uri)
        }
    }

    /** Remove a bundle with its game, once the person has agreed. */
    fun remove(entry: Entry) = show {
        setMessage(words.say(R.string.remove_ask, words.title(entry)))
        setPositiveButton(R.string.remove_bundle) { _, _ -> desk.remove(entry.name) }
        setNegativeButton(R.string.cancel, null)
    }

    /** Say that a bundle was opened. */
    fun tell(come: Come.Kept) {
        val said = words.say(R.string.bundle_opened, words.title(come.entry))
        Toast.makeText(activity, said, Toast.LENGTH_LONG).show()
        desk.read()
    }

    fun tell(come: Come.Refused) = tell(words.text(failureOf(come.error)), R.string.open_bundle, desk::read)

    fun tellOfLoss() = tell(words.say(R.string.opening_lost), R.string.open_bundle, desk::read)

    companion object {
        const val FOLDER = 1
        const val ZIP = 2
    }
}
