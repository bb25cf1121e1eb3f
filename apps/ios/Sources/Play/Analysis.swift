import AzxEngine

/// What a search of one position says, for hints and reviews.
public struct Analysis: Equatable, Sendable {
    /// What is known of the position; nil if the network has no value.
    public let seen: Seen?
    /// The moves that the search considers, the best one first; empty if the game is over.
    public let candidates: [Candidate]
    /// The moves that the search expects after each of them.
    public let lines: [[Int]]
    /// The visits of all moves together.
    public let visits: Int
    /// False if it ended before it had made all simulations.
    public let isWhole: Bool
    /// Whether the end of the game is solved from here, so that the first candidate is the best move whatever was searched.
    public let isSolved: Bool

    /// The share of the visits of each candidate, 0 to 1, by action.
    public var shares: [Int: Double] {
        Dictionary(uniqueKeysWithValues: candidates.map { ($0.action, Double($0.visits) / Double(max(1, visits))) })
    }

    /// In a solved end: the same with the moves that lose the least first, as visits do not count there. Elsewhere the order stays:
    /// points of Go compare with the search's best move.
    func putBestFirst(_ points: [Int: Int]) -> Analysis {
        if !isSolved { return self }
        let worths = candidates.map { points[$0.action] ?? 0 }
        let order = candidates.indices.sorted { (-worths[$0], $0) < (-worths[$1], $1) }
        return Analysis(
            seen: seen, candidates: order.map { candidates[$0] }, lines: order.map { lines[$0] }, visits: visits,
            isWhole: isWhole, isSolved: isSolved)
    }
}

extension Thinker {
    // People cannot read a table that changes more often.
    private static let telling = Duration.milliseconds(250)
    /// The number of moves of a line, its first one included.
    private static let mostMoves = 4
    /// A live analysis ends at this number of positions, so that it does not fill the memory. A search that meets mostly ends of
    /// the game ends at the number of simulations.
    private static let mostPositions = 50_000
    private static let mostSimulations = 250_000

    /// What a new search of `simulations` says of a position; the result if the game is over. It ends early with its task.
    ///
    /// Without a number it continues until its task ends or it has reached its largest size, and reports to `tell` now and then.
    /// GameError if `actions` cannot be played; the network's error if it fails.
    public func analyse(
        _ settings: Settings, _ actions: [Int], simulations: Int?, tell: @Sendable (Analysis) async -> Void = { _ in }
    ) async throws -> Analysis {
        let state = try actions.reduce(try reading.start(settings)) { try $0.apply($1) }
        let (search, most) = (Search(state, network), simulations ?? Self.mostSimulations)
        var (made, isFull, told) = (0, state.isTerminal, ContinuousClock.now)
        while made < most, !isFull, !Task.isCancelled {
            made += try await search.run(most - made, seconds: Self.slice)
            if simulations != nil { continue }
            isFull = await search.positions >= Self.mostPositions
            if ContinuousClock.now - told < Self.telling { continue }
            told = .now
            await tell(await found(search, isWhole: false))
        }
        return await found(search, isWhole: isFull || made >= most)
    }

    /// What a search has found so far.
    func found(_ search: Search, isWhole: Bool) async -> Analysis {
        let isTold = if hasValue { true } else { await search.state.isTerminal }
        let assessed = await search.assessment()
        let state = await search.state
        let candidates = await search.candidates(known: assessed?.known).map { $0.corrected(in: state) }
        var lines: [[Int]] = []
        for each in candidates { lines.append(Array(await search.line(each.action, most: Self.mostMoves).dropFirst())) }
        let visits = await search.children().reduce(0) { $0 + $1.visits }
        return Analysis(
            seen: isTold ? assessed : nil, candidates: candidates, lines: lines, visits: visits, isWhole: isWhole,
            isSolved: assessed?.known?.margin != nil)
    }
}
