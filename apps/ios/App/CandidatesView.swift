import AzxScreens
import SwiftUI

/// The moves that the search of a hint considers, with visits and what each is worth.
struct CandidatesView: View {
    let candidates: [CandidateRow]
    /// What they are worth in; nil if nothing is known.
    let worth: Phrase?

    var body: some View {
        VStack(alignment: .leading) {
            Text(say("candidates")).font(.headline)
            Grid {
                GridRow {
                    Text(say("candidate_move"))
                    Text(say("candidate_visits"))
                    if let worth { Text(say(worth)) }
                }
                .font(.caption)
                ForEach(candidates) { row in
                    GridRow {
                        VStack(alignment: .leading) {
                            Text(say(row.move))
                            if let line = row.line { Text(say(line)).font(.caption).foregroundStyle(.secondary) }
                        }
                        Text("\(say(.whole(row.visits))) (\(say(row.share)))").monospacedDigit()
                        if let worth = row.worth { Text(say(worth)).monospacedDigit() }
                    }
                    .accessibilityElement(children: .combine)
                }
            }
        }
        .frame(maxWidth: .infinity)
    }
}
