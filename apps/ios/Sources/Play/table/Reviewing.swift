import AzxEngine

extension Session {
    /// The positions from the first one on that were looked at without a gap.
    private var looked: [Seen] { states.indices.prefix { seen[$0] != nil }.compactMap { seen[$0] } }

    /// How many positions were looked at without a gap, of all that there are.
    public var analysed: (done: Int, all: Int) { (looked.count, states.count) }
    public var isAnalysed: Bool { looked.count == states.count }

    /// The verdicts of the first moves, as many as are known.
    public var review: Review { Review(looked, actions) }

    /// The verdict of the move that leads to the position that is shown; nil where there is none yet.
    public var judged: JudgedMove? {
        let moves = review.moves
        return moves.indices.contains(ply - 1) ? moves[ply - 1] : nil
    }
}

/// A game is looked at again: each position by a search of its own.
extension Table {
    /// Look at every position that is not known yet, one after the other, until a move or another game ends it.
    public func analyse() {
        if isAnalysing || session.isAnalysed { return }
        isAnalysing = true
        let (mine, thinker, settings, count) = (turn, opened.thinker, settings, simulations)
        analysis = Task {
            var moves = 0
            // The network may move meanwhile.
            while moves <= session.moves {
                let actions = Array(session.actions.prefix(moves))
                if session.seen[moves] == nil {
                    let answer = await caught { try await thinker.analyse(settings, actions, simulations: count) }
                    if mine != turn || Task.isCancelled { return }
                    if case .failure(let error) = answer { notice = .noHint(Refusal(error)) }
                    guard let found = try? answer.get(), found.isWhole, let seen = found.seen else { break }
                    know(seen, at: moves)
                }
                moves += 1
            }
            isAnalysing = false
        }
    }

    public func stopAnalysis() {
        analysis?.cancel()
        analysis = nil
        isAnalysing = false
    }

    /// Show the next position that a mistake or a blunder leads to.
    public func showNextMistake() {
        guard let next = session.review.nextMistake(after: isReplay ? session.ply : 0) else { return }
        if !isReplay { replay(true) }
        show(at: next)
    }
}
