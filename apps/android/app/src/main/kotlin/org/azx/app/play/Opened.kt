package org.azx.app.play

import android.content.Context
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.BundleError
import org.azx.app.bundle.Role
import org.azx.app.engine.Reading
import org.azx.app.engine.Settings
import org.azx.app.engine.State
import org.azx.app.engine.games.Go
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.Side
import org.azx.app.network.Arriving
import org.azx.app.network.Network
import org.azx.app.play.library.Library

/**
 * A bundle that is ready to be played; its network may still be loading. `kept` is the game that goes on, null for a new
 * one. `known` are the names of the bundles that were installed then.
 */
class Opened(
    val bundle: Bundle,
    val network: Network,
    val memory: Memory,
    val library: Library,
    val kept: Kept?,
    private val others: List<Bundle> = emptyList(),
    val known: Set<String> = emptySet(),
) {
    private var guest: Guest? = null

    val thinker = Thinker(bundle.reading, network, network.hasValue, bundle.search)

    /** Whether the network says by itself which moves are promising. */
    val hasPolicy: Boolean = bundle.manifest.outputWith(Role.POLICY) != null
    val strengths: List<Strength> = strengths(hasPolicy)

    /** The remembered choices; with the shortest search if this network lacks their strength. */
    val choices: Choices = memory.choices.run {
        if (strength in strengths) this else copy(strength = Strength.SIMULATIONS_50)
    }

    val game: String get() = bundle.reading.game.name

    /** The komi of the network's bundle; null in games without komi. */
    val komi: Double? get() = (bundle.reading.start() as? Go)?.komi

    /** The other bundles that play on the board of this record. */
    fun rivals(record: GameRecord): List<Bundle> = others.filter { it.reading.plays(record) }

    /**
     * The thinker for a side: the open network's, or a second network's. BundleError if that is gone or does not play on
     * this board. It may read the disk: call it on the thread that calls `think`.
     */
    fun seat(side: Side?): Thinker {
        if (side == null || isOwn(side)) return thinker
        val name = side.bundle
        guest?.let { if (name == nameOf(it.bundle.entry)) return it.thinker }
        val found = others.find { nameOf(it.entry) == name } ?: throw BundleError("series_gone", side.name)
        if (!bundle.reading.isOfBoardOf(found.reading)) throw BundleError("series_other_board", side.name)
        guest?.network?.close()
        guest = null
        return Guest(found, Assets.network(found), thinker).also { guest = it }.thinker
    }

    /** Whether a side is that of the network that is open. */
    fun isOwn(side: Side?): Boolean = side?.bundle == null || side.bundle == nameOf(bundle.entry)

    /** Close the networks. */
    fun close() {
        network.close()
        guest?.network?.close()
    }

    /** The first state of a game with the settings that a person chose beside the network's own. */
    fun start(settings: Settings): State = bundle.reading.start(settings)
}

/** A second network; `host` is what thinks with the first one, and ends both. */
private class Guest(val bundle: Bundle, val network: Network, host: Thinker) {
    val thinker = Thinker(bundle.reading, network, network.hasValue, bundle.search, host.stops)
}

private fun Reading.isOfBoardOf(other: Reading): Boolean = start().board == other.start().board

/**
 * Open the bundle called `name` with the wanted game, or with its last one if it cannot play that.
 *
 * BundleError if the bundle cannot be played. Takes a while and reads the disk.
 */
fun open(context: Context, name: String, wanted: Wanted): Opened {
    val bundle = bundleOf(context, name)
    // First, as a bundle that cannot be played may still have a network.
    bundle.reading
    val network = Arriving(bundle.manifest) { Assets.network(bundle) }
    val library = Assets.library(context).open()
    adopt(context, bundle, library)
    val record = wanted.recordIn(library)?.takeIf { bundle.reading.plays(it) }
    val kept = record?.unshelve() ?: if (wanted.isNew) null else lastGameOf(library, bundle)
    val all = allBundles(context)
    val known = all.map { it.entry.name }.toSet()
    return Opened(bundle, network, Memory(context, name), library, kept, othersOf(context, all, bundle), known)
}

/** The other bundles of the same game that can be played; damaged ones are left out. */
private fun othersOf(context: Context, all: List<Stored>, bundle: Bundle): List<Bundle> = all
    .filter { nameOf(it.entry) != nameOf(bundle.entry) }
    .mapNotNull { runCatching { it.open(context) }.getOrNull() }
    .filter { it.readingOrNull?.game?.name == bundle.reading.game.name }
