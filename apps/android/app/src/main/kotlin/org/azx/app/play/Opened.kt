package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.Role
import org.azx.app.engine.GameError
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.network.Network

/** A bundle that is ready to be played: its network runs, and what was remembered of it has been read. */
class Opened(val bundle: Bundle, val network: Network, val memory: Memory, val saved: Saved?) {
    val thinker = Thinker(bundle.reading, network, network.hasValue, bundle.search)

    /** Whether the network says by itself which moves are promising. */
    val hasPolicy: Boolean = bundle.manifest.outputWith(Role.POLICY) != null
    val strengths: List<Strength> = strengths(hasPolicy)

    /** The choices that were remembered, the least search where the strength is none of this network's. */
    val choices: Choices = memory.choices.run {
        if (strength in strengths) this else copy(strength = Strength.SIMULATIONS_50)
    }

    val game: String get() = bundle.reading.game.name

    /** The first state of a game with the settings that a person chose beside the network's own. */
    fun start(settings: Settings): State = bundle.reading.start(settings)
}

/** A game that was kept, under way or over, and the settings that were chosen for it. */
class Saved(val session: Session, val settings: Settings)

/**
 * Open the bundle called `name`, with the game of the text `given`, or with the one that was kept where it is damaged.
 *
 * BundleError where the bundle cannot be played. Takes a while and reads the disk.
 */
fun open(context: Context, name: String, given: String?): Opened {
    val bundle = bundleOf(context, name)
    // Asked first, as a bundle that cannot be played has a network all the same.
    bundle.reading
    val network = Assets.network(bundle)
    val memory = Memory(context, name)
    val saved = readSaved(given, bundle) ?: readSaved(memory.game, bundle)
    return Opened(bundle, network, memory, saved)
}

/** The game of a text that is sound for this bundle; null where it is not. */
fun readSaved(text: String?, bundle: Bundle): Saved? {
    val game = SavedGame.from(text) ?: return null
    // Any other setting would be a board that the network does not read.
    if (!offeredSettings(bundle.reading.game.name).containsAll(game.settings.keys)) return null
    return try {
        game.session(bundle.reading.start(game.settings))?.let { Saved(it, game.settings) }
    } catch (_: GameError) {
        null
    }
}
