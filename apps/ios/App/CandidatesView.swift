import AzxScreens
import SwiftUI

/// The moves that the search of a hint considers, with visits and win rates.
struct CandidatesView: View {
    let candidates: [CandidateRow]

    var body: some View {
        VStack(alignment: .leading) {
            Text(say("candidates")).font(.headline)
            Grid {
                GridRow {
                    Text(say("candidate_move"))
                    Text(say("candidate_visits"))
                    if hasRates { Text(say("candidate_rate")) }
                }
                .font(.caption)
                ForEach(candidates) { row in
                    GridRow {
                        VStack(alignment: .leading) {
                            Text(say(row.move))
                            if let line = row.line { Text(say(line)).font(.caption).foregroundStyle(.secondary) }
                        }
                        Text("\(say(.whole(row.visits))) (\(say(row.share)))").monospacedDigit()
                        if let rate = row.rate { Text(say(rate)).monospacedDigit() }
                    }
                    .accessibilityElement(children: .combine)
                }
            }
        }
        .frame(maxWidth: .infinity)
    }

    private var hasRates: Bool { candidates.contains { $0.rate != nil } }
}
