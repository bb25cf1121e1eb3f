/** The installed bundles: where they are found, one of them, and the list. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Entry
import org.azx.app.bundle.Store
import org.azx.app.bundle.installed
import org.azx.app.network.Network
import org.azx.app.network.TfLite

/** Where the screens find bundles, and what runs their networks, unless a test puts something else there. */
object Assets {
    var store: (Context) -> Store = { AssetStore(it.assets) }
    var network: (Bundle) -> Network = { TfLite(it.model(), it.manifest, it.reading) }
}

/** The installed bundle called `name`, checked. BundleError where it is not installed or damaged. Reads the disk. */
fun bundleOf(context: Context, name: String): Bundle {
    val store = Assets.store(context)
    val entry = installed(store).find { it.name == name }
        ?: throw BundleError("Bundle '$name' is not installed: choose another game, or install it again.")
    return Bundle.open(entry, store)
}

/** A game of the list: its bundle, or the sentence of why it cannot be opened. */
class Listed(val entry: Entry, val bundle: Bundle?, val failure: String?, val isUnderWay: Boolean)

/**
 * The installed games; `check` throws where a game cannot be shown. BundleError where the list is damaged. Reads the
 * disk.
 */
fun gamesIn(context: Context, check: (game: String) -> Unit): List<Listed> {
    val store = Assets.store(context)
    return installed(store).map { entry ->
        try {
            val bundle = Bundle.open(entry, store)
            check(bundle.reading.game.name)
            Listed(entry, bundle, null, isUnderWay(context, bundle))
        } catch (error: RuntimeException) {
            Listed(entry, null, sentenceOf(error), false)
        }
    }
}

private fun isUnderWay(context: Context, bundle: Bundle): Boolean {
    val session = savedFrom(Memory(context, bundle.entry.name).game, bundle)?.session ?: return false
    return session.phase != Phase.OVER && session.canUndo
}
