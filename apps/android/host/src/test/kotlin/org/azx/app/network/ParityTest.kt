package org.azx.app.network

import org.azx.app.bundle.BUNDLES
import org.azx.app.bundle.Bundle
import org.azx.app.bundle.GAMES_WITH_BUNDLES
import org.azx.app.bundle.OTHERS
import org.azx.app.bundle.ROOT
import org.azx.app.bundle.bundleIn
import org.azx.host.HostTfLite
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.BeforeClass
import org.junit.Test
import java.io.File

/** The real networks in the real runtime, by the class that the phone runs, against the reference's outputs. */
class ParityTest {
    @Test
    fun `every reference network answers as golden json says`() = GAMES_WITH_BUNDLES.forEach {
        hold(File(BUNDLES, it), "golden.json") { bundle -> goldenAnswers(bundle) }
    }

    @Test
    fun `every reference network answers as the fixtures say, played and encoded here`() = GAMES_WITH_BUNDLES.forEach {
        hold(File(BUNDLES, it), "fixtures") { bundle -> fixtureAnswers(bundle) }
    }

    @Test
    fun `every other exported network answers as golden json says`() {
        val folders = others()
        assumeTrue("No other bundles have been exported to $OTHERS.", folders.isNotEmpty())
        for (folder in folders) hold(folder, "golden.json") { bundle -> goldenAnswers(bundle) }
    }

    @Test
    fun `every other exported network answers as its author's own file does`() {
        val folders = others().filter { archiveOf(it).exists() }
        assumeTrue("No outputs of other networks are here.", folders.isNotEmpty())
        for (folder in folders) {
            hold(folder, archiveOf(folder).name) { bundle -> archiveAnswers(archiveOf(folder), bundle.manifest) }
        }
    }

    private fun others(): List<File> =
        OTHERS.listFiles().orEmpty().filter { File(it, "manifest.json").exists() }.sortedBy { it.name }

    private fun archiveOf(folder: File) = File(ROOT, "../shared/data/${folder.name}.expected.npz")

    /** Hold every output to the limit that the export's proof held it to, and print how near it comes. */
    private fun hold(folder: File, what: String, positions: (Bundle) -> List<Answered>) {
        val bundle = bundleIn(folder)
        val limits = limitsOf(folder)
        TfLite(bundle.model(), bundle.manifest, bundle.reading).use { network ->
            val answered = positions(bundle)
            for ((name, error) in largestErrors(network, answered)) {
                val figures = "%.2e of %.2e".format(error, limits.getValue(name))
                val compared = "${folder.name}, $what, ${answered.size} positions"
                println("parity: $compared, $name: $figures, ${network.runs}")
                assertTrue("${folder.name} $name: $figures", error <= limits.getValue(name))
            }
        }
    }

    companion object {
        @BeforeClass
        @JvmStatic
        fun load() = HostTfLite.load()
    }
}
