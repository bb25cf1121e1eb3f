/** How the screens tell each other which bundle they are about. */
package org.azx.app.screens

import android.app.Activity
import android.content.Context
import android.content.Intent

private const val BUNDLE = "bundle"

/** What starts a `screen` that is about a bundle. */
fun intentOf(context: Context, screen: Class<out Activity>, bundle: String): Intent =
    Intent(context, screen).putExtra(BUNDLE, bundle)

/** Hand a text to another app, which a person chooses under the title `asked`. */
fun Activity.share(text: String, asked: Int) {
    val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
    startActivity(Intent.createChooser(send, getString(asked)))
}

fun nameIn(intent: Intent): String = intent.getStringExtra(BUNDLE) ?: ""
