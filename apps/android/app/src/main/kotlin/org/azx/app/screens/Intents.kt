/** How the screens tell each other which bundle they are about. */
package org.azx.app.screens

import android.app.Activity
import android.content.ClipData
import android.content.Context
import android.content.Intent

private const val BUNDLE = "bundle"
private const val DROPPED = "org.azx.app.DROPPED"

/** What starts a `screen` that is about a bundle. */
fun intentOf(context: Context, screen: Class<out Activity>, bundle: String): Intent =
    Intent(context, screen).putExtra(BUNDLE, bundle)

/** The same `list` of games for what was dropped on a game that goes on. */
fun intentOfDropped(list: Intent, dropped: ClipData): Intent =
    list.setAction(DROPPED).addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION).apply { clipData = dropped }

/** What was dropped on a game that goes on; null if it was not. */
fun droppedIn(intent: Intent): ClipData? = intent.clipData?.takeIf { intent.action == DROPPED }

/** Hand a text to another app, which a person chooses under the title `asked`. */
fun Activity.share(text: String, asked: Int) {
    val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
    startActivity(Intent.createChooser(send, getString(asked)))
}

fun nameIn(intent: Intent): String = intent.getStringExtra(BUNDLE) ?: ""
