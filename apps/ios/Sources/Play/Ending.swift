import AzxEngine

/// How a game ends beside what its rules say: a person gives it up, or agrees on the dead stones in Go.
public enum Ending: Equatable, Sendable {
    case resigned
    /// One of two people has given it up, or has no time left where it `isLate`.
    case lost(by: Player, isLate: Bool)
    /// The points of the stones that are dead, ascending.
    case agreed([Int])
    /// What a record tells of its result, as its text has it, and who has won by it; nil is a draw.
    case told(String, winner: Player?)

    /// The end that SGF's RE tells; nil where it tells none, and the rules alone say how the game stands.
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

    /// Whether a game of these positions may have ended so.
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

    /// The ending of a line's words; nil where they are none.
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

/// Whether two passes have ended a game of Go, so that there are dead stones to agree on.
public func isUnsettled(_ states: [any State]) -> Bool {
    guard states.count > 1, let last = states[states.count - 1] as? Go else { return false }
    return last.isTerminal && last.lastAction == last.pass && states[states.count - 2].lastAction == last.pass
}

/// The dead stones with the chain on a point among them, or no more where it was.
func toggleChain(_ state: Go, _ dead: [Int], _ at: Int) -> [Int] {
    let points = state.chain(at)
    return dead.contains(at) ? dead.filter { !points.contains($0) } : (dead + points).sorted()
}
