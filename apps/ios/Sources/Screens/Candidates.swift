import AzxDrawing
import AzxEngine
import AzxPlay

/// A move that a search considers, as a row of a list.
public struct CandidateRow: Equatable, Identifiable, Sendable {
    public let id: Int
    public let move: Phrase.Part
    public let visits: Int
    /// Its part of all visits.
    public let share: Phrase
    /// The chance of who plays it; nil where the network has no value to tell it by.
    public let rate: Phrase?
}

extension Table {
    /// What the search of a hint considers, the best move first; nil where no hint is shown.
    public var candidates: [CandidateRow]? {
        guard let found, !found.candidates.isEmpty else { return nil }
        let (state, shares, rates) = (displayed.visible, found.shares, found.rates)
        return found.candidates.map { each in
            CandidateRow(
                id: each.action, move: .opening(move(each.action, state)), visits: each.visits,
                share: .percent(shares[each.action] ?? 0), rate: rates?[each.action].map { .percent($0) })
        }
    }
}
