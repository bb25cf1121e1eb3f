import AzxDrawing

/// A part of a table's screen beside the board and its players.
public enum Part: CaseIterable, Sendable {
    /// The card at the end, the score of a series, what is to be known now, the game or its replay, the buttons.
    case outcome, score, notes, modes, actions
    /// The way through a replay, what a record says of a position and of its game, the moves.
    case slider, comment, facts, moves
    /// What a search considers, the sentence about the shown move, the review, the points so far, the thought and the graph.
    case candidates, verdict, review, estimate, thought
    case choices, resign, share

    /// All of them in one column, if there is room. The buttons there have what a phone has elsewhere.
    public static let column: [Part] = [
        .outcome, .score, .verdict, .notes, .actions, .modes, .comment, .moves, .thought, .candidates, .review, .facts,
        .choices, .share,
    ]
}

/// A tab of a phone's table: what is long lies behind one of three.
public enum Tab: CaseIterable, Sendable {
    case moves, analysis, game

    public var title: Phrase {
        switch self {
        case .moves: Phrase("sheet_moves")
        case .analysis: Phrase("sheet_analysis")
        case .game: Phrase("game")
        }
    }

    /// The parts of a tab, in their order.
    public var parts: [Part] {
        switch self {
        case .moves: [.modes, .slider, .comment, .moves]
        case .analysis: [.candidates, .review, .estimate, .thought]
        case .game: [.score, .facts, .choices, .resign, .share]
        }
    }
}

extension Seat {
    /// The notes of a phone. The first one stays in sight: the sentence about the shown position, if there is one. The others are
    /// above the parts of the tabs.
    public func notes(isComing: Bool) -> [Phrase] {
        let first = [isComing ? Phrase("opening") : nil, table.sentence(presentation), table.outcome(presentation)?.why]
        return first.compactMap { $0 } + asides
    }

    /// Look at a game from its first position on.
    public func lookAgain() {
        tab = .moves
        table.replay(true)
        table.show(at: 0)
    }

    /// Ask for a hint, and bring the tab to the front in which its moves are listed.
    public func hint() {
        if !table.canHint { return }
        tab = .analysis
        table.hint()
    }
}
