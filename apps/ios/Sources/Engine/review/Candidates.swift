/// The moves that a search considers, the best one first: a hint's list, and what a review takes for the best move.
///
/// The order is the same in every language: most visits, then the largest prior, then the lowest action.

/// A move that a search has visited: how often, its chance of winning for who plays it (0 to 1), and its prior.
public struct Candidate: Equatable, Sendable {
    /// How many moves a person is told of.
    public static let most = Tables.thresholds.candidates

    public let action: Int
    public let visits: Int
    public let winRate: Double
    public let prior: Double

    /// The `most` best of those that were visited, the best one first.
    public static func rank(_ candidates: [Candidate], most: Int = Candidate.most) -> [Candidate] {
        let order = candidates.filter { $0.visits > 0 }.sorted {
            ($0.visits, $0.prior, $1.action) > ($1.visits, $1.prior, $0.action)
        }
        return Array(order.prefix(most))
    }
}

extension Search {
    /// What is considered at the root; none before the second simulation or where the game is over.
    public func candidates(most: Int = Candidate.most) -> [Candidate] {
        let found = children().map {
            Candidate(action: $0.action, visits: $0.visits, winRate: ($0.mean + 1) / 2, prior: $0.prior)
        }
        return Candidate.rank(found, most: most)
    }
}
