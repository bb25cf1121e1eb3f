import AzxDrawing
import AzxEngine
import AzxPlay

/// A move that a search considers, as a row of a list.
public struct CandidateRow: Equatable, Identifiable, Sendable {
    public let id: Int
    public let move: Phrase.Part
    public let visits: Int
    /// Its share of all visits.
    public let share: Phrase
    /// What it loses against the best one if that is known, else the person's chance after it; nil if the network has no value.
    public let worth: Phrase.Part?
    /// The moves that the search expects after it; nil if unknown.
    public let line: Phrase?
}

extension Table {
    /// The moves that a hint considers, the best one first; nil while no hint is shown.
    public var candidates: [CandidateRow]? {
        guard let found, !found.candidates.isEmpty else { return nil }
        let (state, shares, panel) = (displayed.visible, found.shares, panel)
        return zip(found.candidates, found.lines).map { each, line in
            let option = panel.options.first { $0.action == each.action }
            return CandidateRow(
                id: each.action, move: .opening(move(each.action, state)), visits: each.visits,
                share: .percent(shares[each.action] ?? 0), worth: option.flatMap { worth($0, panel) },
                line: describe(line, after: each.action, state))
        }
    }

    /// The heading of the figures of `candidates`: points, boxes or discs against the best move if known, else chances; nil without any.
    public var worthHeading: Phrase? {
        if found == nil { return nil }
        let panel = panel
        if let unit = units[game], panel.losses != nil { return Phrase(unit) }
        return panel.rates == nil ? nil : Phrase("candidate_rate")
    }

    /// The figure of a move, as the board shows it.
    private func worth(_ option: Panel.Option, _ panel: Panel) -> Phrase.Part? {
        if panel.losses != nil, units[game] != nil { return .text(signed(-Int(option.loss ?? 0))) }
        return panel.rates == nil ? nil : option.value.map { .phrase(.percent($0)) }
    }
}

/// The headings of counted games; other games only have chances.
private let units = ["go": "candidate_points", "dots_and_boxes": "candidate_boxes", "reversi": "candidate_discs"]

private func describe(_ line: [Int], after action: Int, _ state: any State) -> Phrase? {
    guard let states = replay(state, [action] + line, whole: false), !line.isEmpty else { return nil }
    return Phrase("candidate_line", .list(zip(line, states.dropFirst()).map { move($0, $1) }))
}
