import AzxEngine

/// Hex: a rhombus of hexagons, around it the four sides in the colours of the players.
///
/// A spot is a hexagon, which stands on a corner; a unit is its width.
struct HexBoard: Board {
    let shown: Shown
    private let state: Hex
    private let size: Int
    private let chain: Set<Int>
    /// The side of a hexagon, and what is free around the rhombus for the names.
    private static let side = 1 / 3.0.squareRoot()
    private static let margin = 0.85
    private static let radius = 0.37
    /// The width of a side's band.
    private static let band = 0.15
    /// The least size of the names, in points, if there is room.
    private static let smallest = 8.0

    init(_ state: Hex, _ shown: Shown) {
        self.state = state
        self.shown = shown
        size = state.size
        chain = Set(state.winningLine())
    }

    var width: Double { 1.5 * Double(size) - 0.5 + 2 * Self.margin }
    var height: Double { (1.5 * Double(size) + 0.5) * Self.side + 2 * Self.margin }
    var spots: Int { size * size }
    var title: Phrase.Part { .words("board_hex", .whole(size)) }

    func centre(_ cell: Int) -> Point {
        let (row, column) = (Double(cell / size), Double(cell % size))
        return Point(Self.margin + column + row / 2 + 0.5, Self.margin + (1.5 * row + 1) * Self.side)
    }

    /// The corners of a cell, clockwise from the one on top.
    private func corners(_ cell: Int) -> [Point] {
        let (at, side) = (centre(cell), Self.side)
        let steps = [(0, -side), (0.5, -side / 2), (0.5, side / 2), (0, side), (-0.5, side / 2), (-0.5, -side / 2)]
        return steps.map { Point(at.x + $0.0, at.y + $0.1) }
    }

    /// The nearest hexagon, if the point is within it.
    func spot(at point: Point) -> Int? {
        let away = { (cell: Int) -> Double in
            let at = centre(cell)
            return (at.x - point.x) * (at.x - point.x) + (at.y - point.y) * (at.y - point.y)
        }
        guard let nearest = (0..<spots).min(by: { away($0) < away($1) }) else { return nil }
        let (across, down) = (abs(point.x - centre(nearest).x), abs(point.y - centre(nearest).y))
        return across <= 0.5 && down <= Self.side * (1 - across) ? nearest : nil
    }

    func frame(of spot: Int) -> Box {
        let at = centre(spot)
        return Box(at.x - 0.5, at.y - Self.side, 1, 2 * Self.side)
    }

    func action(of spot: Int) -> Int { spot }

    func shapes(_ scale: Scale) -> [Shape] {
        var shapes: [Shape] = []
        drawSides(&shapes)
        for cell in 0..<spots { draw(cell, scale, &shapes) }
        if let touched = shown.touched, isOpen(touched) { drawStone(landing(touched), state.toMove, 0.55, 1, &shapes) }
        if shown.arrivals.isEmpty, let last, strength(last) == nil { shapes.disc(centre(last), 0.11, .role(.white)) }
        drawNames(scale, &shapes)
        return shapes
    }

    private func draw(_ cell: Int, _ scale: Scale, _ shapes: inout [Shape]) {
        let piece = state.cells[cell]
        let strength = strength(cell)
        let warmth = strength.map { Tint.mix(.card, .glow, 0.12 + 0.88 * $0) }
        let ground = chain.contains(cell) ? .mix(.card, .win, 0.55) : warmth ?? .role(.card)
        let outline = Outline.polygon(corners(cell), isClosed: true)
        shapes.append(.fill(outline, .plain(ground)))
        shapes.append(.stroke(outline, Stroke(.role(.edge), scale.crisp(0.04))))
        if piece != Cell.empty { drawStone(cell, Int(piece) - 1, 1, shown.growth(cell), &shapes) }
        if strength != nil, let figure = shown.heat.figure(cell) {
            shapes.write(.text(figure), centre(cell), 0.36, .on(piece == Cell.empty ? ground : .role(.red)))
        }
    }

    /// How much a cell is considered: an empty one, or the first stone while it can be taken over.
    private func strength(_ cell: Int) -> Double? {
        state.cells[cell] == Cell.empty || state.isSwapOpen ? shown.heat.strength(cell) : nil
    }

    /// The cell of a new stone; one that is taken over changes its place.
    private func landing(_ action: Int) -> Int {
        state.cells[action] == Cell.empty ? action : (try? state.apply(action))?.lastStone ?? action
    }

    /// A stone; the second player's has a pale ring, for people who cannot tell the colours apart.
    private func drawStone(_ cell: Int, _ player: Player, _ share: Double, _ grown: Double, _ shapes: inout [Shape]) {
        let radius = Self.radius * grown
        shapes.disc(centre(cell), radius, .fade(player == 0 ? .red : .blue, share))
        if player == 1 { shapes.ring(centre(cell), radius * 0.72, .fade(.white, 0.7 * share), 0.08 * grown) }
    }

    /// The sides, as bands of one width that meet in the corners of the rhombus.
    private func drawSides(_ shapes: inout [Shape]) {
        let (inner, length) = (rim, 2 * size)
        let outer = inner.indices.map { outside(of: $0, inner) }
        // The first and the third have an edge more than the others.
        let starts = [0, length, 2 * length - 1, 3 * length - 1, 4 * length - 2]
        for side in 0..<4 {
            let along = (starts[side]...starts[side + 1]).map { $0 % inner.count }
            let band = along.map { inner[$0] } + along.reversed().map { outer[$0] }
            let role: Role = side.isMultiple(of: 2) ? .red : .blue
            shapes.append(.fill(.polygon(band, isClosed: true), .plain(.role(role))))
        }
    }

    /// The corners of the cells around the board, clockwise from the upper left.
    private var rim: [Point] {
        let steps = Array(0..<size)
        let pick = { (cells: [Int], which: [Int]) in cells.flatMap { cell in which.map { corners(cell)[$0] } } }
        return pick(steps, [5, 0]) + pick(steps.map { $0 * size + size - 1 }, [1, 2]).dropLast()
            + pick(steps.reversed().map { (size - 1) * size + $0 }, [2, 3])
            + pick(steps.reversed().map { $0 * size }, [4, 5]).dropLast()
    }

    /// Where the lines meet that run a band's width outside both edges at a corner of the rim.
    private func outside(of at: Int, _ rim: [Point]) -> Point {
        let (before, here, after) = (rim[(at + rim.count - 1) % rim.count], rim[at], rim[(at + 1) % rim.count])
        // Edges are as long as a hexagon's side, and clockwise: their left is outside.
        let (one, next) = (
            Point((here.y - before.y) / Self.side, (before.x - here.x) / Self.side),
            Point((after.y - here.y) / Self.side, (here.x - after.x) / Self.side)
        )
        let reach = Self.band / (1 + one.x * next.x + one.y * next.y)
        return Point(here.x + reach * (one.x + next.x), here.y + reach * (one.y + next.y))
    }

    private func drawNames(_ scale: Scale, _ shapes: inout [Shape]) {
        let text = max(0.34, min(scale.points(Self.smallest), 0.46))
        for at in 0..<size {
            let (column, row) = (centre(at), centre(at * size))
            let letter = label(at).prefix { $0.isLetter }
            let number = label(at * size).drop { $0.isLetter }
            shapes.write(.text(String(letter)), Point(column.x - 0.25, column.y - 0.95), text, .role(.ink))
            shapes.write(.text(String(number)), Point(row.x - 1.05, row.y), text, .role(.ink))
        }
    }

    private func label(_ cell: Int) -> String { (try? state.label(cell)) ?? "" }

    /// The cell of the last stone's mark, which a swap has moved.
    private var last: Int? {
        guard let last = shown.last, state.cells.indices.contains(last) else { return nil }
        if last == state.lastAction { return state.lastStone }
        return state.cells[last] == Cell.empty ? nil : last
    }

    func speech(of spot: Int) -> [Phrase.Part] {
        let piece = state.cells[spot]
        let content = piece == Cell.empty ? .words("board_empty") : name(piece)
        let takes: [Phrase.Part] =
            piece != Cell.empty && shown.canPlay && state.isSwapOpen ? [.words("board_take_over")] : []
        let latest: [Phrase.Part] = takes.isEmpty && spot == last ? [.words("board_last")] : []
        return [.text(label(spot)), content] + takes + latest + shown.heat.speech(spot)
    }

    private func name(_ piece: UInt8) -> Phrase.Part { .words(piece == 1 ? "board_red" : "board_blue") }

    func announcement(of action: Int) -> Phrase.Part? {
        .words("board_move", name(mark(other(state.toMove))), .text(label(action)))
    }
}

extension Hex: Drawn {
    public func drawing(_ shown: Shown) -> any Board { HexBoard(self, shown) }
}
