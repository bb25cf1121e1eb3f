import AzxEngine

extension Session {
    /// What is known of the first positions, up to the first unknown one. It begins after the moves that set up stones.
    private var looked: [Seen] { (setUp...moves).prefix { seen[$0] != nil }.compactMap { seen[$0] } }
    private var played: [Int] { Array(actions.dropFirst(setUp)) }

    /// The number of analysed positions before the first gap, and the number of all positions.
    public var analysed: (done: Int, all: Int) { (looked.count, states.count - setUp) }
    public var isAnalysed: Bool { analysed.done == analysed.all }

    /// The positions to search again before a move is called a blunder.
    var doubted: [Int] { Review.doubts(looked, played).map { $0 + setUp } }

    /// The verdicts of the first played moves, as far as they are known.
    public var review: Review { Review(looked, played) }

    /// The next position that a mistake or a blunder leads to, as in a review.
    func nextMistake(after ply: Int) -> Int? { review.nextMistake(after: number(at: ply)).map { $0 + setUp } }

    /// A mistake or a blunder in the graph, by the number of moves to the position that it leads to.
    public struct Mark: Equatable, Sendable {
        public let moves: Int
        public let isBlunder: Bool
    }

    /// The moves that an analysis has found to be mistakes or blunders.
    public var marks: [Mark] {
        review.moves.enumerated().filter { $0.element.verdict.isMistake }.map { at, move in
            Mark(moves: setUp + at + 1, isBlunder: move.verdict == .blunder)
        }
    }

    /// The judged move that leads to the shown position; nil if it has no verdict yet.
    public var judged: JudgedMove? {
        let (moves, at) = (review.moves, number(at: ply) - 1)
        return moves.indices.contains(at) ? moves[at] : nil
    }
}

/// The review of a game: each position gets a search of its own.
extension Table {
    /// Search every position that is not known yet, one after the other, until a move or another game ends it.
    public func analyse() {
        if isAnalysing || session.isAnalysed { return }
        isAnalysing = true
        let (mine, count) = (turn, simulations)
        analysis = Task {
            var moves = session.setUp
            // The network may move meanwhile.
            while moves <= session.moves {
                if session.seen[moves] == nil {
                    let found = await look(at: moves, simulations: count)
                    if mine != turn || Task.isCancelled { return }
                    guard let found else { break }
                    for (at, seen) in found { know(seen, at: at) }
                }
                moves += 1
            }
            isAnalysing = false
            keep()
            look()
        }
        look()
    }

    /// What searches find in the position after `moves` moves, and in those beside a blunder, which are searched again; nil if the
    /// analysis has ended meanwhile.
    private func look(at moves: Int, simulations: Int) async -> [Int: Seen]? {
        let (mine, thinker, settings) = (turn, opened.thinker, settings)
        var (found, known, next) = ([Int: Seen](), session, Optional(moves))
        while let at = next {
            let isAgain = known.seen[at] != nil
            let (actions, count) = (Array(known.actions.prefix(at)), (isAgain ? Seen.deeper : 1) * simulations)
            let answer = await catchError { try await thinker.analyse(settings, actions, simulations: count) }
            if mine != turn || Task.isCancelled { return nil }
            if case .failure(let error) = answer { notice = .noHint(Failure(error)) }
            guard let analysis = try? answer.get(), analysis.isWhole, let seen = analysis.seen else { return nil }
            found[at] = isAgain ? seen.surer : seen
            known = known.know(isAgain ? seen.surer : seen, at: at)
            next = known.doubted.first
        }
        return found
    }

    public func stopAnalysis() {
        endAnalysis()
        look()
    }

    func endAnalysis() {
        analysis?.cancel()
        analysis = nil
        isAnalysing = false
    }

    /// Show the next position that a mistake or a blunder leads to.
    public func showNextMistake() {
        guard let next = session.nextMistake(after: isReplay ? session.ply : session.setUp) else { return }
        if !isReplay { replay(true) }
        show(at: next)
    }
}
