import AzxEngine

/// Gomoku and Go: stones on the points of a wooden board; Reversi: discs in the cells of a green one.
///
/// A spot is a point, or a cell. A pass is no spot: Go's screen has a button for it.
struct StonesBoard: GridBoard {
    let shown: Shown
    let size: Int
    let cells: [UInt8]
    let title: Phrase.Part
    let margin = Wood.margin
    private var forbidden: [Int: Refusal] = [:]
    private var line: [Int] = []
    /// The points that the last move took stones from.
    private var captured: [Int] = []
    /// The points that count for black, and for white, once the game is over.
    private var areas: [[Int]] = []
    private var dead: Set<Int> = []
    /// The cells on which a person may put a disc.
    private var open: Set<Int> = []
    private var isFelt = false

    init(_ state: Gomoku, _ shown: Shown) {
        self.init(shown, state.size, state.cells, "board_gomoku")
        forbidden = state.forbiddenPoints()
        line = state.winningLine()
    }

    init(_ state: Go, _ shown: Shown) {
        self.init(shown, state.size, state.cells, "board_go")
        captured = state.lastCaptured
        areas = shown.counted?.areas ?? (state.isTerminal ? state.areas() : [])
        dead = shown.counted?.dead ?? []
    }

    init(_ state: Reversi, _ shown: Shown) {
        self.init(shown, state.size, state.cells, "board_reversi")
        open = shown.canPlay ? Set(state.moves) : []
        isFelt = true
    }

    private init(_ shown: Shown, _ size: Int, _ cells: [UInt8], _ title: String) {
        self.shown = shown
        self.size = size
        self.cells = cells
        self.title = .words(title, .whole(size))
    }

    var firstLine: (at: Double, width: Double)? { (margin + (isFelt ? 0 : 0.5), Wood.line) }

    func shapes(_ scale: Scale) -> [Shape] {
        var shapes: [Shape] = []
        wood.draw(scale, &shapes)
        if shown.canPlay, let touched = shown.touched { drawAim(touched, scale, &shapes) }
        for cell in cells.indices {
            let piece = cells[cell]
            if cell == shown.touched, isOpen(cell) {
                // A figure there would show through the stone.
                Stones.drawGhost(mark(shown.state.toMove), centre(cell), &shapes)
            } else if piece == Cell.empty {
                drawEmpty(cell, scale, &shapes)
            } else if dead.contains(cell) {
                // Faint, as a stone that is not there any more.
                Stones.drawGhost(piece, centre(cell), &shapes)
            } else {
                Stones.draw(piece, centre(cell), grown: shown.growth(cell), &shapes)
            }
        }
        // A stone that still grows has no marks yet.
        if shown.arrivals.isEmpty { drawMarks(scale, &shapes) }
        return shapes
    }

    private var wood: Wood {
        let columns = (0..<size).map { label($0).prefix { $0.isLetter } }
        let rows = (0..<size).map { label($0 * size).drop { $0.isLetter } }
        return Wood(size: size, columns: columns.map(String.init), rows: rows.map(String.init), isFelt: isFelt)
    }

    private func label(_ cell: Int) -> String { (try? shown.state.label(cell)) ?? "" }

    /// The row and the column of the point that is touched, as a finger hides the point itself.
    private func drawAim(_ cell: Int, _ scale: Scale, _ shapes: inout [Shape]) {
        let (at, end) = (centre(cell), margin + Double(size))
        let (tint, width) = (Tint.role(Self.aim(isFelt: isFelt)), scale.crisp(0.08))
        shapes.line(Point(margin, at.y), Point(end, at.y), tint, width)
        shapes.line(Point(at.x, margin), Point(at.x, end), tint, width)
    }

    /// The lines of an aim, whose colour is seen on the board in light and in dark.
    static func aim(isFelt: Bool) -> Role { isFelt ? .feltLine : .frame }

    private func drawEmpty(_ cell: Int, _ scale: Scale, _ shapes: inout [Shape]) {
        if forbidden[cell] != nil { shapes.cross(centre(cell), arm: 0.2, .role(.forbidden), scale.crisp(0.09)) }
        guard let strength = shown.heat.strength(cell), let figure = shown.heat.figure(cell) else {
            if open.contains(cell) { shapes.disc(centre(cell), 0.12, .fade(.black, 0.45)) }
            return
        }
        let tint = Tint.mix(isFelt ? .felt : .wood, .glow, 0.12 + 0.88 * strength)
        shapes.disc(centre(cell), 0.43, tint)
        shapes.write(.text(figure), centre(cell), 0.42, .on(tint))
    }

    private func drawMarks(_ scale: Scale, _ shapes: inout [Shape]) {
        for cell in line { shapes.ring(centre(cell), 0.45, .role(.winRing), 0.12) }
        for cell in captured where cells[cell] == Cell.empty {
            shapes.ring(centre(cell), 0.14, .role(.forbidden), scale.crisp(0.06))
        }
        for (owner, points) in areas.enumerated() {
            for cell in points where cells[cell] == Cell.empty || dead.contains(cell) { drawArea(cell, owner, scale, &shapes) }
        }
        guard let last = shown.last, cells.indices.contains(last), cells[last] != Cell.empty else { return }
        shapes.ring(centre(last), 0.22, .role(.red), scale.crisp(0.09))
    }

    /// A small square of the owner's colour on a point that has no stone, or a dead one.
    private func drawArea(_ cell: Int, _ owner: Player, _ scale: Scale, _ shapes: inout [Shape]) {
        shapes.box(Box(around: centre(cell), half: 0.15 + scale.crisp(0.03)), .role(.grey))
        shapes.box(Box(around: centre(cell), half: 0.15), .role(owner == 0 ? .black : .white))
    }

    func place(_ cell: Int) -> Phrase.Part { .text(label(cell)) }

    func name(_ piece: UInt8) -> Phrase.Part { .words(piece == 1 ? "board_black" : "board_white") }

    func empty(_ cell: Int) -> Phrase.Part {
        guard let code = forbidden[cell]?.code else { return .words("board_empty") }
        return .words("board_forbidden", .words("board_\(code.rawValue)"))
    }
}

extension Gomoku: Drawn {
    public func drawing(_ shown: Shown) -> any Board { StonesBoard(self, shown) }
}

extension Go: Drawn {
    public func drawing(_ shown: Shown) -> any Board { StonesBoard(self, shown) }
}

extension Reversi: Drawn {
    public func drawing(_ shown: Shown) -> any Board { StonesBoard(self, shown) }
}
