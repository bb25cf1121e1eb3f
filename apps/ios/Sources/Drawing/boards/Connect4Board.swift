import AzxEngine

/// Connect4: columns to tap; discs fall behind a blue board with holes.
///
/// A spot is a column; its action is the lowest empty cell, or the top one if the column is full.
struct Connect4Board: Board {
    private static let margin = 0.2
    private static let corner = 0.35
    /// The radius of a hole.
    private static let radius = 0.42
    private static let text = 0.3

    let shown: Shown
    private let state: any ColumnState
    private let rows: Int
    private let columns: Int

    init(_ state: any ColumnState, _ shown: Shown) {
        self.state = state
        self.shown = shown
        (rows, columns) = (state.grid.rows, state.grid.columns)
    }

    var spots: Int { columns }
    var width: Double { Double(columns) + 2 * Self.margin }
    var height: Double { Double(rows) + 2 * Self.margin }

    private var cells: Range<Int> { 0..<rows * columns }

    private func centre(_ cell: Int) -> Point {
        Point(Self.margin + Double(cell % columns) + 0.5, Self.margin + Double(cell / columns) + 0.5)
    }

    func shapes(_ scale: Scale) -> [Shape] {
        var shapes: [Shape] = []
        drawBack(&shapes)
        drawFront(&shapes)
        for cell in cells { shadeHole(cell, &shapes) }
        // A disc that still falls has no marks yet.
        if shown.falls.isEmpty { drawMarks(&shapes) }
        return shapes
    }

    /// What is seen through the holes.
    private func drawBack(_ shapes: inout [Shape]) {
        // A little smaller than the front, so that no dark rim is seen around it.
        shapes.box(Box(0, 0, width, height).inset(Self.margin), .role(.hole))
        if let touched = shown.touched, isOpen(touched) {
            shapes.disc(centre(action(of: touched)), Self.radius, .fade(Self.role(mark(state.toMove)), 0.5))
        }
        for cell in cells {
            let piece = state.cells[cell]
            if piece != Cell.empty { drawDisc(cell, Self.role(piece), &shapes) } else { drawHeat(cell, &shapes) }
        }
    }

    private func drawHeat(_ cell: Int, _ shapes: inout [Shape]) {
        guard let strength = shown.heat.strength(cell), let figure = shown.heat.figure(cell) else { return }
        let tint = Tint.mix(.hole, .warm, 0.15 + 0.85 * strength)
        shapes.disc(centre(cell), Self.radius, tint)
        shapes.write(.text(figure), centre(cell), Self.text, .on(tint))
    }

    private func drawDisc(_ cell: Int, _ role: Role, _ shapes: inout [Shape]) {
        var at = centre(cell)
        if let fall = shown.falls.first(where: { $0.cell == cell }) {
            at = Point(at.x, at.y - fall.left * Double(cell / columns + 1))
        }
        shapes.disc(at, 0.5, .mix(role, .black, 0.18))
        shapes.disc(at, Self.radius * 0.86, .mix(role, .white, 0.16))
        shapes.disc(at, Self.radius * 0.78, .role(role))
    }

    private func drawFront(_ shapes: inout [Shape]) {
        let body = Outline.box(Box(0, 0, width, height), corner: Self.corner)
        let stops = [Stop(0, .role(.frame)), Stop(1, .mix(.frame, .black, 0.2))]
        shapes.append(
            .fill(
                .holed(body, holes: cells.map(centre), radius: Self.radius),
                .linear(from: Point(0, 0), to: Point(0, height), stops)))
        if shown.canPlay, let touched = shown.touched {
            shapes.box(frame(of: touched), corner: 0.2, .fade(.white, 0.16))
        }
    }

    /// The board's edge throws a shadow on what is behind a hole.
    private func shadeHole(_ cell: Int, _ shapes: inout [Shape]) {
        let at = centre(cell)
        let stops = [Stop(0, .fade(.black, 0)), Stop(0.8, .fade(.black, 0)), Stop(1, .fade(.black, 0.47))]
        let below = Point(at.x, at.y + Self.radius * 0.08)
        shapes.append(
            .fill(.circle(at, radius: Self.radius), .radial(below, radius: Self.radius * 1.08, stops)))
    }

    /// The last move and the winning row.
    private func drawMarks(_ shapes: inout [Shape]) {
        for cell in state.winningLine() {
            shapes.ring(centre(cell), Self.radius * 0.82, .role(.white), Self.radius * 0.16)
        }
        guard let last = shown.last else { return }
        shapes.disc(centre(last), Self.radius * 0.26, .fade(.black, 0.25))
        shapes.disc(centre(last), Self.radius * 0.22, .role(.white))
    }

    private static func role(_ piece: UInt8) -> Role { piece == 1 ? .red : .yellow }

    func spot(at point: Point) -> Int? {
        guard Box(0, 0, width, height).contains(point) else { return nil }
        return min(max(Int((point.x - Self.margin).rounded(.down)), 0), columns - 1)
    }

    func frame(of spot: Int) -> Box { Box(Self.margin + Double(spot), Self.margin, 1, Double(rows)) }

    func action(of spot: Int) -> Int {
        column(spot).first { state.cells[$0] == Cell.empty } ?? spot
    }

    func spot(of action: Int) -> Int? { action % columns }

    /// The cells of a column, from below.
    private func column(_ spot: Int) -> [Int] { (0..<rows).reversed().map { $0 * columns + spot } }

    var title: Phrase.Part { .words("board_connect4", .whole(columns)) }

    func speech(of spot: Int) -> [Phrase.Part] {
        let discs = column(spot).map { state.cells[$0] }.filter { $0 != Cell.empty }.map(Self.name)
        return [.words("board_column", .whole(spot + 1)), content(discs)] + shown.heat.speech(action(of: spot))
    }

    private func content(_ discs: [Phrase.Part]) -> Phrase.Part {
        if discs.isEmpty { return .words("board_empty") }
        let words = discs.count == rows ? "board_full" : "board_from_below"
        return .words(words, .words("board_discs", .whole(discs.count)), .list(discs))
    }

    private static func name(_ piece: UInt8) -> Phrase.Part { .words(piece == 1 ? "board_red" : "board_yellow") }

    func announcement(of action: Int) -> Phrase.Part? {
        let column: Phrase.Part = .words("board_column", .whole(action % columns + 1))
        return .words("board_move", Self.name(state.cells[action]), column)
    }
}

extension Connect4: Drawn {
    public func drawing(_ shown: Shown) -> any Board { Connect4Board(self, shown) }
}

extension OtherConnect4: Drawn {
    public func drawing(_ shown: Shown) -> any Board { Connect4Board(self, shown) }
}
