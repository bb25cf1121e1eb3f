import AzxEngine

/// How a game ends beside what its rules say: a person gives it up, or agrees on the dead stones in Go.
public enum Ending: Equatable, Sendable {
    case resigned
    /// The points of the stones that are dead, ascending.
    case agreed([Int])

    /// As a line of a saved game has it.
    var text: String {
        switch self {
        case .resigned: "resigned"
        case .agreed(let dead): "agreed" + dead.map { " \($0)" }.joined()
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
