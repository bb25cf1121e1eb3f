import AzxPlay
import AzxScreens
import SwiftUI

/// The review of a game: counts, accuracy, and the controls of the analysis.
struct ReviewView: View {
    @Bindable var table: AzxPlay.Table
    let review: Reviewing

    var body: some View {
        VStack {
            if review.canAnalyse, table.panel.act != .analyse {
                Button(say("analyse"), action: table.analyse).buttonStyle(.bordered)
            }
            if review.offersLive { Toggle(say("live_analysis"), isOn: isLive) }
            LabelledPicker(title: say("analysis_simulations"), selection: $table.simulations) {
                ForEach(AzxPlay.Table.simulationsOffered, id: \.self) { Text(say(.whole($0))) }
            }
            .disabled(review.isAnalysing)
            if review.isAnalysing {
                ProgressView(value: review.progress).accessibilityLabel(say("analyse"))
            }
            if let status = review.status { Text(say(status)).font(.subheadline) }
            if !review.rows.isEmpty { counts }
        }
        .frame(maxWidth: .infinity)
    }

    private var counts: some View {
        Grid {
            GridRow {
                Text(verbatim: "")
                ForEach(review.sides, id: \.self) { Text(say($0)) }
            }
            .font(.caption)
            ForEach(review.rows) { row in
                GridRow {
                    Text(say(row.title))
                    ForEach(row.figures.indices, id: \.self) { Text(say(row.figures[$0])).monospacedDigit() }
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    private var isLive: Binding<Bool> {
        Binding { @MainActor in table.isLive } set: { @MainActor in table.watchLive($0) }
    }
}
