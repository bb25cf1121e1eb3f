/// The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
///
/// The order is the same in every language: most visits, then the largest prior, then the lowest action. Before them all
/// stand the moves that are proven to be best, however seldom a search has looked at them.

/// A move that a search has visited: how often, its chance of winning for who plays it (0 to 1), and its prior.
public struct Candidate: Equatable, Sendable {
    /// How many moves a person is told of.
    public static let most = Tables.thresholds.candidates

    public let action: Int
    public let visits: Int
    public let winRate: Double
    public let prior: Double

    /// The `most` best of those that were visited, the best one first; before them the actions that are `proven` to be best,
    /// visited or not.
    public static func rank(_ candidates: [Candidate], most: Int = Candidate.most, proven: [Int] = []) -> [Candidate] {
        let place = { (each: Candidate) in proven.contains(each.action) ? 1 : 0 }
        let order = candidates.filter { $0.visits > 0 || place($0) == 1 }.sorted {
            (place($0), $0.visits, $0.prior, $1.action) > (place($1), $1.visits, $1.prior, $0.action)
        }
        return Array(order.prefix(most))
    }
}

extension Search {
    /// What is considered at the root; none before the second simulation or where the game is over. By what is `known` of it
    /// the moves that are proven to be best come first: a short search may have tried none of them.
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
