import AzxEngine

/// How people end a game: they give up, run out of time, or agree on the dead stones in Go.
public enum Ending: Equatable, Sendable {
    case resigned
    /// One of two people has given up, or has run out of time (`isLate`).
    case lost(by: Player, isLate: Bool)
    /// The points of the dead stones, ascending.
    case agreed([Int])
    /// The result as a record's text has it, and its winner; nil is a draw.
    case told(String, winner: Player?)

    /// The ending that SGF's RE gives; nil if it gives none, so that the rules alone decide.
    init?(told result: String) {
        let said = result.lowercased()
        if ["0", "draw", "jigo"].contains(said) {
            self = .told(result, winner: nil)
        } else if said.hasPrefix("b+") || said.hasPrefix("w+") {
            self = .told(result, winner: said.hasPrefix("b") ? 0 : 1)
        } else {
            return nil
        }
    }

    /// Whether a game of these positions can have this ending.
    func fits(_ states: [any State]) -> Bool {
        guard let last = states.last else { return false }
        switch self {
        case .told: return true
        case .resigned: return !last.isTerminal
        case .lost(let by, _): return !last.isTerminal && by == last.toMove
        case .agreed(let dead):
            guard isUnsettled(states), let go = last as? Go else { return false }
            return dead.allSatisfy(go.cells.indices.contains)
        }
    }

    /// The ending that the words of a line give; nil if they give none.
    init?(_ words: [String]) {
        if words == ["resigned"] {
            self = .resigned
        } else {
            let dead = words.dropFirst().compactMap { Int($0) }
            guard words.first == "agreed", dead.count == words.count - 1 else { return nil }
            self = .agreed(dead)
        }
    }
}

/// Whether two passes have ended a game of Go, so that people must agree on the dead stones.
public func isUnsettled(_ states: [any State]) -> Bool {
    guard states.count > 1, let last = states[states.count - 1] as? Go else { return false }
    return last.isTerminal && last.lastAction == last.pass && states[states.count - 2].lastAction == last.pass
}

/// The dead stones with the chain on a point added, or removed if it was among them.
func toggleChain(_ state: Go, _ dead: [Int], _ at: Int) -> [Int] {
    let points = state.chain(at)
    return dead.contains(at) ? dead.filter { !points.contains($0) } : (dead + points).sorted()
}
