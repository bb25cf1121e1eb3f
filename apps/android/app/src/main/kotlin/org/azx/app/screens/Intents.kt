/** How the screens tell each other which bundle they are about. */
package org.azx.app.screens

import android.app.Activity
import android.content.Context
import android.content.Intent

private const val BUNDLE = "bundle"

/** What starts a `screen` that is about a bundle. */
fun intentOf(context: Context, screen: Class<out Activity>, bundle: String): Intent =
    Intent(context, screen).putExtra(BUNDLE, bundle)

/** The name of the bundle that an intent is about. */
fun nameIn(intent: Intent): String = intent.getStringExtra(BUNDLE) ?: ""
