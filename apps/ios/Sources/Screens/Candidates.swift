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
    /// What it gains or loses against the best one where that is known, else the chance of who plays it; nil where the network
    /// has no value to tell it by.
    public let worth: Phrase.Part?
    /// How the search thinks that it goes on; nil where it does not know yet.
    public let line: Phrase?
}

extension Table {
    /// What the search of a hint considers, the best move first; nil where no hint is shown.
    public var candidates: [CandidateRow]? {
        guard let found, !found.candidates.isEmpty else { return nil }
        let (state, shares) = (displayed.visible, found.shares)
        return zip(found.candidates, found.lines).map { each, line in
            CandidateRow(
                id: each.action, move: .opening(move(each.action, state)), visits: each.visits,
                share: .percent(shares[each.action] ?? 0), worth: worth(of: each.action, found),
                line: describe(line, after: each.action, state))
        }
    }

    /// What the figures of `candidates` are: points, boxes or discs against the best move where they are known, else chances;
    /// nil where there are none.
    public var worthHeading: Phrase? {
        guard let found else { return nil }
        if points != nil, let unit = units[game] { return Phrase(unit) }
        return found.rates == nil ? nil : Phrase("candidate_rate")
    }

    /// As the board says it.
    private func worth(of action: Int, _ found: Analysis) -> Phrase.Part? {
        if let points, units[game] != nil { return .text(signed(points[action] ?? 0)) }
        return found.rates?[action].map { .phrase(.percent($0)) }
    }
}

/// What a game is counted in; of any other one chances alone are known.
private let units = ["go": "candidate_points", "dots_and_boxes": "candidate_boxes", "reversi": "candidate_discs"]

private func describe(_ line: [Int], after action: Int, _ state: any State) -> Phrase? {
    guard let states = replay(state, [action] + line, whole: false), !line.isEmpty else { return nil }
    return Phrase("candidate_line", .list(zip(line, states.dropFirst()).map { move($0, $1) }))
}
