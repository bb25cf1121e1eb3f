import AzxEngine

/// What a search of one position says, for hints and reviews.
public struct Analysis: Equatable, Sendable {
    /// What is known of the position; nil where the network has no value to tell it by.
    public let seen: Seen?
    /// The moves that the search considers, the best one first; none where the game is over.
    public let candidates: [Candidate]
    /// Those of all moves.
    public let visits: Int
    /// False where it was ended before it had made all simulations.
    public let isWhole: Bool

    /// The share of the visits of each candidate, 0 to 1, by action.
    public var shares: [Int: Double] {
        Dictionary(uniqueKeysWithValues: candidates.map { ($0.action, Double($0.visits) / Double(max(1, visits))) })
    }

    /// The chance of each candidate for who plays it, by action; nil where the network has no value to tell it by.
    public var rates: [Int: Double]? {
        seen.map { _ in Dictionary(uniqueKeysWithValues: candidates.map { ($0.action, $0.winRate) }) }
    }
}

extension Thinker {
    /// What a search of so many simulations, begun anew, says of a position; the result where the game is over. GameError
    /// where `actions` cannot be played; the network's error where it fails. It ends early with the task that it runs in.
    public func analyse(_ settings: Settings, _ actions: [Int], simulations: Int) async throws -> Analysis {
        let state = try actions.reduce(try reading.start(settings)) { try $0.apply($1) }
        let search = Search(state, network)
        var made = 0
        while made < simulations, !Task.isCancelled, !state.isTerminal {
            made += try await search.run(simulations - made, seconds: Self.slice)
        }
        let seen = hasValue || state.isTerminal ? await search.assessment() : nil
        let visits = await search.children().reduce(0) { $0 + $1.visits }
        return Analysis(
            seen: seen, candidates: await search.candidates(), visits: visits,
            isWhole: state.isTerminal || made >= simulations)
    }
}
