package org.azx.app.screens.self_test

import android.content.Context
import android.content.Intent
import android.os.Build
import android.os.Bundle
import android.view.View
import android.widget.LinearLayout
import android.widget.TextView
import org.azx.app.R
import org.azx.app.bundle.Manifest
import org.azx.app.bundle.calculationOf
import org.azx.app.play.Tested
import org.azx.app.play.Testing
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.add
import org.azx.app.screens.intentOf
import org.azx.app.screens.nameIn
import org.azx.app.screens.on
import org.azx.app.screens.say
import org.azx.app.screens.share
import org.azx.app.screens.showIf
import java.util.Locale

/** The self-test of the bundle that the intent's extra "bundle" names: does this device answer right, and how fast. */
class SelfTestActivity : Screen(R.layout.activity_self_test) {
    private lateinit var testing: Testing
    private val words by lazy { Words(resources) }

    val isBusy: Boolean get() = testing.worker.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        title = words.say(R.string.self_test_label, nameIn(intent))
        @Suppress("DEPRECATION")
        testing = lastNonConfigurationInstance as? Testing ?: Testing(this, nameIn(intent)).also { it.start(device()) }
        testing.onChange = ::show
        on(R.id.again) { testing.start(device()) }
        on(R.id.share) { testing.tested?.let { share(it.text(), R.string.share) } }
        show()
    }

    private fun device(): String =
        "${Build.MANUFACTURER} ${Build.MODEL}, Android ${Build.VERSION.RELEASE}, ${Build.SUPPORTED_ABIS.firstOrNull()}"

    private fun show() {
        val (tested, sentence) = testing.tested to
            (testing.failure?.let(words::text) ?: words.say(R.string.test_stopped))
        findViewById<View>(R.id.testing).showIf(testing.isRunning)
        findViewById<View>(R.id.alert).showIf(!testing.isRunning && tested == null)
        findViewById<View>(R.id.alert_title).showIf(testing.failure != null)
        findViewById<TextView>(R.id.sentence).say(sentence)
        findViewById<View>(R.id.results).showIf(tested != null)
        findViewById<View>(R.id.again).isEnabled = !testing.isRunning
        findViewById<View>(R.id.share).showIf(tested != null)
        testing.bundle?.let { title = words.say(R.string.self_test_label, words.title(it.entry)) }
        findViewById<View>(R.id.proof).showIf(testing.bundle != null)
        testing.bundle?.let { findViewById<TextView>(R.id.proof).say(proof(it.manifest)) }
        tested?.let(::showResults)
    }

    private fun proof(manifest: Manifest): String {
        val calculation = calculationOf(manifest, manifest.artifact)
        val compared = manifest.compared
        return when {
            calculation != null -> words.say(R.string.proof_said, words.text(calculation))
            compared != null -> words.say(R.string.proof_recorded, words.number(compared))
            else -> words.say(R.string.proof_none)
        }
    }

    private fun showResults(tested: Tested) {
        findViewById<TextView>(R.id.verdict).run {
            say(words.say(if (tested.passed) R.string.passed else R.string.failed))
            setTextColor(getColor(if (tested.passed) R.color.passed else R.color.failed))
        }
        val list = findViewById<LinearLayout>(R.id.results)
        while (list.childCount > 1) list.removeViewAt(1)
        for ((name, figure) in figures(tested)) {
            val row = list.add<View>(R.layout.item_result)
            row.findViewById<TextView>(R.id.name).setText(name)
            row.findViewById<TextView>(R.id.figure).say(figure)
        }
    }

    private fun figures(tested: Tested): List<Pair<Int, String>> = with(tested) {
        val agreement = when (found.withBest) {
            0 -> words.say(R.string.unknown)
            else -> words.say(R.string.count_of, found.sameBest, found.withBest)
        }
        val playouts = playoutsPerSecond?.let { words.number(Math.round(it)) } ?: words.say(R.string.unknown)
        listOf(
            R.string.runs_on to (runs?.let(words::runs) ?: words.say(R.string.unknown)),
            R.string.largest_error to String.format(Locale.ROOT, "%.1e", found.largestError),
            R.string.best_move to agreement,
            R.string.ms_p50 to String.format(Locale.ROOT, "%.2f", times.p50),
            R.string.ms_p90 to String.format(Locale.ROOT, "%.2f", times.p90),
            R.string.evaluations_second to words.number(Math.round(times.perSecond)),
            R.string.playouts_second to playouts,
        )
    }

    override fun onStop() {
        super.onStop()
        if (!isChangingConfigurations) testing.stop()
    }

    override fun onDestroy() {
        super.onDestroy()
        if (isChangingConfigurations) return
        testing.onChange = {}
        testing.close()
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onRetainNonConfigurationInstance(): Any = testing

    companion object {
        fun intent(context: Context, bundle: String): Intent = intentOf(context, SelfTestActivity::class.java, bundle)
    }
}
