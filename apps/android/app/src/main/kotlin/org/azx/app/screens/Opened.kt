package org.azx.app.screens

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.installed
import org.azx.app.engine.GameError
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.network.Network
import org.azx.app.play.SavedGame
import org.azx.app.play.Session
import org.azx.app.play.Thinker

/** A bundle that is ready to be played: its network runs, and what was remembered of it has been read. */
class Opened(val bundle: Bundle, val network: Network, val memory: Memory, val choices: Choices, val saved: Saved?) {
    val thinker = Thinker(bundle.reading, network, network.hasValue)

    val game: String get() = bundle.reading.game.name

    /** The first state of a game with the settings that a person chose beside the network's own. */
    fun start(settings: Settings): State = bundle.reading.start(settings)
}

/** A game that was kept, under way or over, and the settings that were chosen for it. */
class Saved(val session: Session, val settings: Settings)

/** The installed bundle called `name`, checked. BundleError where it is not installed or damaged. Reads the disk. */
fun bundleOf(context: Context, name: String): Bundle {
    val store = Assets.store(context)
    val entry = installed(store).find { it.name == name }
        ?: throw BundleError("Bundle '$name' is not installed: choose another game, or install it again.")
    return Bundle.open(entry, store)
}

/**
 * Open the bundle called `name`, with the game of the text `given`, or with the one that was kept where it is damaged.
 *
 * BundleError where the bundle cannot be played. Takes a while and reads the disk.
 */
fun open(context: Context, name: String, given: String?): Opened {
    val bundle = bundleOf(context, name)
    val network = Assets.network(bundle)
    val memory = Memory(context, name)
    val saved = savedFrom(given, bundle) ?: savedFrom(memory.game, bundle)
    return Opened(bundle, network, memory, memory.choices, saved)
}

/** The game of a text that is sound for this bundle; null where it is not. */
fun savedFrom(text: String?, bundle: Bundle): Saved? {
    val game = SavedGame.from(text) ?: return null
    // Any other setting would be a board that the network does not read.
    if (!offered(bundle.reading.game.name).containsAll(game.settings.keys)) return null
    return try {
        game.session(bundle.reading.start(game.settings))?.let { Saved(it, game.settings) }
    } catch (_: GameError) {
        null
    }
}

/** The names of the settings that a person chooses for a game. */
private fun offered(game: String): Set<String> = if (game == "gomoku") setOf("rule") else emptySet()

/** The settings of the next game. */
fun settingsOf(game: String, choices: Choices): Settings =
    if (game == "gomoku") mapOf("rule" to if (choices.isRenju) "renju" else "freestyle") else emptyMap()
