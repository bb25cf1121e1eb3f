import AzxBundle
import AzxCoreML
import AzxDrawing
import AzxPlay
import AzxScreens
import SwiftUI

/// Compares the network's answers on this device with the recorded ones, on each of its units, and measures it.
struct SelfTestScreen: View {
    let entry: Entry
    let store: Store
    /// What the bundle says of itself.
    let proof: Phrase?
    @SwiftUI.State private var testing = SelfTesting()
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        List {
            Text(say("self_test_about"))
            if let proof { Text(say(proof)) }
            ForEach(testing.rows) { row in
                Section(say(row.units.phrase)) { RowView(row: row) }
            }
            if let failure = testing.failure { Text(say(failure)) }
            if testing.wasStopped { Text(say("test_stopped")) }
            buttons
        }
        .navigationTitle(say("self_test_label", title(of: entry)))
        .navigationBarTitleDisplayMode(.inline)
        .onAppear(perform: start)
        .onDisappear { testing.stop() }
        .onChange(of: scenePhase) { _, now in if now == .background { testing.stop() } }
    }

    @ViewBuilder private var buttons: some View {
        if testing.isRunning {
            ProgressView(say("testing"))
            Button(say("stop"), action: testing.stop)
        } else {
            Button(say("test_again"), action: start)
            ShareLink(say("share"), item: testing.text).disabled(testing.text.isEmpty)
        }
    }

    private func start() {
        let device = UIDevice.current
        let words = "\(device.model), \(device.systemName) \(device.systemVersion)"
        testing.start(entry, store, device: words, on: CoreMLEvaluator.offered, loadCoreML)
    }
}

/// What one of the units has done.
private struct RowView: View {
    let row: SelfTesting.Row

    var body: some View {
        if let failure = row.failure { Text(say(failure)) }
        if let tested = row.tested {
            Text(say(tested.passed ? "passed" : "failed")).bold()
            line("largest_error", tested.found.largestError.formatted(.number.notation(.scientific).locale(spoken.locale)))
            line("best_move", say("count_of", tested.found.sameBest, tested.found.withBest))
            line("ms_p50", tested.times.p50.formatted(.number.precision(.fractionLength(2)).locale(spoken.locale)))
            line("ms_p90", tested.times.p90.formatted(.number.precision(.fractionLength(2)).locale(spoken.locale)))
            line("evaluations_second", tested.times.perSecond.formatted(.number.precision(.fractionLength(0)).locale(spoken.locale)))
            if let playouts = tested.playoutsPerSecond {
                line("playouts_second", playouts.formatted(.number.precision(.fractionLength(0)).locale(spoken.locale)))
            }
        }
    }

    private func line(_ key: String, _ value: String) -> some View {
        LabeledContent(say(key), value: value)
    }
}
