import AzxEngine

/// The board of tic-tac-toe, Gomoku, Go and Reversi: a square of cells, each an action. A spot is a cell, numbered row by row.
protocol GridBoard: Board {
    /// Cells a side.
    var size: Int { get }
    /// The margin around the cells.
    var margin: Double { get }
    /// The pieces, one a cell.
    var cells: [UInt8] { get }
    /// What a person calls a cell.
    func place(_ cell: Int) -> Phrase.Part
    /// What a person calls a piece of player 0 (1) or player 1 (2).
    func name(_ piece: UInt8) -> Phrase.Part
    /// The words for an empty cell.
    func empty(_ cell: Int) -> Phrase.Part
}

extension GridBoard {
    var width: Double { Double(size) + 2 * margin }
    var height: Double { width }
    var spots: Int { size * size }

    func centre(_ cell: Int) -> Point {
        Point(margin + Double(cell % size) + 0.5, margin + Double(cell / size) + 0.5)
    }

    func spot(at point: Point) -> Int? {
        let (column, row) = (Int((point.x - margin).rounded(.down)), Int((point.y - margin).rounded(.down)))
        guard 0..<size ~= column, 0..<size ~= row else { return nil }
        return row * size + column
    }

    func frame(of spot: Int) -> Box { Box(around: centre(spot), half: 0.5) }

    func action(of spot: Int) -> Int { spot }

    func speech(of spot: Int) -> [Phrase.Part] {
        let piece = cells[spot]
        let content = piece == Cell.empty ? empty(spot) : name(piece)
        let last: [Phrase.Part] = spot == shown.last ? [.words("board_last")] : []
        let dead: [Phrase.Part] = shown.counted?.dead.contains(spot) == true ? [.words("board_dead")] : []
        return [place(spot), content] + dead + last + shown.heat.speech(spot)
    }

    func empty(_ cell: Int) -> Phrase.Part { .words("board_empty") }

    func announcement(of action: Int) -> Phrase.Part? {
        // A pass, of Go or of Reversi.
        guard cells.indices.contains(action) else { return .words("board_passes", name(mark(other(shown.state.toMove)))) }
        return .words("board_move", name(cells[action]), place(action))
    }
}
