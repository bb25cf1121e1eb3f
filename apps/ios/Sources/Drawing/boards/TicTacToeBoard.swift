import AzxEngine

/// Tic-tac-toe: nine cards with crosses and rings.
struct TicTacToeBoard: GridBoard {
    let shown: Shown
    let state: TicTacToe
    let size = 3
    let margin = 0.0

    var cells: [UInt8] { state.cells }

    func shapes(_ scale: Scale) -> [Shape] {
        var shapes: [Shape] = []
        let line = state.winningLine()
        for cell in cells.indices {
            let ground = drawCard(cell, isWinning: line.contains(cell), scale, &shapes)
            if cell == shown.touched, isOpen(cell) { drawPiece(cell, mark(state.toMove), 0.4, on: ground, &shapes) }
            drawPiece(cell, cells[cell], shown.growth(cell), on: ground, &shapes)
        }
        return shapes
    }

    /// Draw a cell without its piece, and return its colour.
    private func drawCard(_ cell: Int, isWinning: Bool, _ scale: Scale, _ shapes: inout [Shape]) -> Tint {
        let card = frame(of: cell).inset(scale.crisp(0.04))
        let strength = shown.heat.strength(cell)
        let warmth = strength.map { Tint.mix(.card, .warm, 0.12 + 0.7 * $0) }
        let ground = isWinning ? .mix(.card, .win, 0.3) : warmth ?? .role(.card)
        shapes.box(card, corner: 0.12, ground)
        let isMarked = cell == shown.last || isWinning
        let border: Role = cell == shown.last ? .accent : isWinning ? .win : .line
        let width = scale.points(isMarked ? 2.5 : 1.5)
        shapes.append(.stroke(.box(card, corner: 0.12), Stroke(.role(border), width)))
        if let percent = shown.heat.percent(cell) {
            shapes.write(.words("board_percent", .whole(percent)), centre(cell), 0.2, .on(ground))
        }
        return ground
    }

    /// Draw a piece, or `share` of its colour: a faded one would be darker where its lines cross.
    private func drawPiece(_ cell: Int, _ piece: UInt8, _ share: Double, on ground: Tint, _ shapes: inout [Shape]) {
        if piece == Cell.empty { return }
        let role: Role = piece == 1 ? .red : .yellow
        // A darker rim, so that yellow is seen on white.
        for (tint, width) in [(Tint.mix(role, .black, 0.35), 0.125), (.role(role), 0.1)] {
            drawForm(cell, piece, share < 1 ? .mix(ground, tint, share) : tint, width, &shapes)
        }
    }

    private func drawForm(_ cell: Int, _ piece: UInt8, _ tint: Tint, _ width: Double, _ shapes: inout [Shape]) {
        if piece == 2 {
            shapes.ring(centre(cell), 0.23, tint, width)
        } else {
            shapes.cross(centre(cell), arm: 0.21, tint, width)
        }
    }

    func place(_ cell: Int) -> Phrase.Part { .words("board_cell", .whole(cell / size + 1), .whole(cell % size + 1)) }

    func name(_ piece: UInt8) -> Phrase.Part { .words(piece == 1 ? "board_x" : "board_o") }

    var title: Phrase.Part { .words("board_tictactoe") }
}

extension TicTacToe: Drawn {
    public func drawing(_ shown: Shown) -> any Board { TicTacToeBoard(shown: shown, state: self) }
}
