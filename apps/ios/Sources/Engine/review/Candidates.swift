/// The moves that a search considers, the best one first, for the list of a hint and the best move of a review.
///
/// The order is the same in every language: most visits, then the largest prior, then the lowest action. Moves that are proven to be
/// best come before all others, however few visits they have.

/// A move that a search has visited: its visits, the chance (0 to 1) of the player who makes it, and its prior.
public struct Candidate: Equatable, Sendable {
    /// The number of moves that a hint lists.
    public static let most = Tables.thresholds.candidates

    public let action: Int
    public let visits: Int
    public let winRate: Double
    public let prior: Double

    /// The `most` best visited moves, the best one first. The actions that are `proven` to be best come before them, visited or not.
    public static func rank(_ candidates: [Candidate], most: Int = Candidate.most, proven: [Int] = []) -> [Candidate] {
        let place = { (each: Candidate) in proven.contains(each.action) ? 1 : 0 }
        let order = candidates.filter { $0.visits > 0 || place($0) == 1 }.sorted {
            (place($0), $0.visits, $0.prior, $1.action) > (place($1), $1.visits, $1.prior, $0.action)
        }
        return Array(order.prefix(most))
    }
}

extension Search {
    /// The candidates at the root; empty before the second simulation, and if the game is over. The moves that `known` proves to be best
    /// come first: a short search may have tried none of them.
    public func candidates(most: Int = Candidate.most, known: Known? = nil) -> [Candidate] {
        let children = children()
        if children.allSatisfy({ $0.visits == 0 }) { return [] }
        let best = known?.provenBest
        let found = children.map { child in
            let rate = child.visits > 0 ? (child.mean + 1) / 2 : best?.chance ?? 0.5
            return Candidate(action: child.action, visits: child.visits, winRate: rate, prior: child.prior)
        }
        return Candidate.rank(found, most: most, proven: best?.actions ?? [])
    }
}
