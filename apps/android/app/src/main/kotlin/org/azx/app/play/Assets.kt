/** The bundles, installed and opened, and their list. */
package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.AssetStore
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Entry
import org.azx.app.bundle.GivenBundles
import org.azx.app.bundle.Store
import org.azx.app.bundle.Text
import org.azx.app.bundle.readIndex
import org.azx.app.engine.review.Phase
import org.azx.app.network.Network
import org.azx.app.network.TfLite
import org.azx.app.play.library.Library
import java.io.File

/** The sources of bundles, games and networks for all screens; tests replace them. */
object Assets {
    var store: (Context) -> Store = { AssetStore(it.assets) }
    var given: (Context) -> GivenBundles = { GivenBundles(File(it.filesDir, "bundles")) }
    var library: (Context) -> Library = { Library.at(File(it.filesDir, "games")) }
    var network: (Bundle) -> Network = {
        TfLite(it.model(), it.manifest, it.readingOrNull, precision = it.lower?.precision)
    }
}

/** A bundle of the list, and the store of its files. */
class Stored(val entry: Entry, val store: Store) {
    /** The bundle itself, read as a person has chosen; BundleError if it is damaged. Reads the disk. */
    fun open(context: Context): Bundle = Bundle.open(entry, store, Memory(context, entry.name).reading)
}

/** The bundles that the app was built with, then those that a person has opened. Reads the disk. */
fun allBundles(context: Context): List<Stored> {
    val (store, given) = Assets.store(context) to Assets.given(context)
    val own = readIndex(store)
    // A later build may have installed a bundle with the name of an opened one.
    val opened = given.entries(own.map { it.name })
    return own.map { Stored(it, store) } + opened.map { Stored(it, given.store) }
}

/** Remove a bundle that a person has opened; its games stay. BundleError if the device does not. Reads the disk. */
fun forget(context: Context, name: String) {
    Assets.given(context).remove(name)
    Memory(context, name).forget()
}

/**
 * The bundle called `name`, checked, whether it can be played or not. BundleError if it is not installed
 * or damaged. Reads the disk.
 */
fun bundleOf(context: Context, name: String): Bundle {
    val found = allBundles(context).find { it.entry.name == name }
        ?: throw BundleError("error_not_installed", name)
    return found.open(context)
}

/** What the list shows of a bundle. */
sealed class Listed(val entry: Entry) {
    /** A bundle that can be played, and its last game if there is one. */
    class Game(val bundle: Bundle, val kept: Session?) : Listed(bundle.entry) {
        /** Whether somebody has moved in a game that is not over. */
        val isUnderWay: Boolean get() = kept?.isUnderWay == true

        /** The game that was played to its end; null if none was. */
        val finished: Session? get() = kept?.takeIf { it.phase == Phase.OVER }
    }

    /** What cannot be played, for the `problems` of the bundle; its self-test may run. */
    class Unplayable(val bundle: Bundle) : Listed(bundle.entry)

    /** What cannot even be opened, and why. */
    class Damaged(entry: Entry, val failure: Text) : Listed(entry)
}

/**
 * What the list shows of all bundles; `check` throws for a game that cannot be shown. BundleError if the list is damaged.
 * Reads the disk.
 */
fun bundlesIn(context: Context, check: (game: String) -> Unit): List<Listed> {
    val library = Assets.library(context).open()
    return allBundles(context).map { listedOf(context, it, library, check) }
}

private fun listedOf(context: Context, found: Stored, library: Library, check: (game: String) -> Unit): Listed = try {
    val bundle = found.open(context)
    bundle.readingOrNull?.let { check(it.game.name) }
    when (bundle.problems.isEmpty()) {
        true -> {
            adopt(context, bundle, library)
            Listed.Game(bundle, lastGameOf(library, bundle)?.session)
        }
        false -> Listed.Unplayable(bundle)
    }
} catch (error: RuntimeException) {
    Listed.Damaged(found.entry, failureOf(error))
}
