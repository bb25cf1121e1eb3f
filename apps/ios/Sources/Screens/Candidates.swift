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
    /// How the search thinks that it goes on; nil where it does not know yet.
    public let line: Phrase?
}

extension Table {
    /// What the search of a hint considers, the best move first; nil where no hint is shown.
    public var candidates: [CandidateRow]? {
        guard let found, !found.candidates.isEmpty else { return nil }
        let (state, shares, rates) = (displayed.visible, found.shares, found.rates)
        return zip(found.candidates, found.lines).map { each, line in
            CandidateRow(
                id: each.action, move: .opening(move(each.action, state)), visits: each.visits,
                share: .percent(shares[each.action] ?? 0), rate: rates?[each.action].map { .percent($0) },
                line: describe(line, after: each.action, state))
        }
    }
}

private func describe(_ line: [Int], after action: Int, _ state: any State) -> Phrase? {
    guard let states = replay(state, [action] + line, whole: false), !line.isEmpty else { return nil }
    return Phrase("candidate_line", .list(zip(line, states.dropFirst()).map { move($0, $1) }))
}
