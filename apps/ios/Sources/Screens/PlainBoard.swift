import AzxEngine
import AzxPlay

/// A board as plain shapes, and the spots of it that a person can choose; all in units of one cell.
public struct PlainBoard: Sendable {
    public enum Ink: Equatable, Sendable {
        case ground, line, forbidden, player(Player)
        /// A share from 0 to 1 of the policy.
        case heat(Double)
    }

    public enum Shape: Equatable, Sendable {
        case disc(x: Double, y: Double, radius: Double, Ink)
        case line(fromX: Double, fromY: Double, toX: Double, toY: Double, width: Double, Ink)
        case square(x: Double, y: Double, side: Double, Ink)
    }

    /// What choosing it plays, legal or not, where it is, and what a screen reader says of it, in order.
    public struct Spot: Equatable, Identifiable, Sendable {
        public let id: Int
        public let action: Int
        public let x: Double
        public let y: Double
        public let width: Double
        public let height: Double
        public let said: [Phrase]
    }

    public let width: Double
    public let height: Double
    public private(set) var shapes: [Shape] = []
    public private(set) var spots: [Spot] = []

    /// The board at the position that a session shows; `heat` colours the actions that the network considers.
    public init(_ session: Session, heat: [Int: Double]?) {
        let state = session.visible
        let last = session.lastMove
        switch state {
        case let state as Connect4:
            self.init(Double(Connect4.columns), Double(Connect4.rows))
            drawCells(state.cells, columns: Connect4.columns, last, heat)
            addColumns(state)
        case let state as DotsAndBoxes:
            self.init(Double(state.size) + 1, Double(state.size) + 1)
            drawBoxes(state)
            addEdges(state, last, heat)
        default:
            let cells = (state as? Go)?.cells ?? (state as? Gomoku)?.cells ?? (state as? TicTacToe)?.cells ?? []
            let side = Int(Double(cells.count).squareRoot().rounded())
            self.init(Double(side), Double(side))
            drawLines(side)
            drawCells(cells, columns: side, last, heat)
            let forbidden = (state as? Gomoku)?.forbidden() ?? [:]
            drawForbidden(forbidden.keys.sorted(), columns: side)
            let pieces = state is TicTacToe ? ["board_x", "board_o"] : ["board_black", "board_white"]
            addCells(cells, columns: side, pieces: pieces) { cell in
                (forbidden[cell].map { [Phrase("board_forbidden", .phrase(name($0)))] } ?? []) + more(cell, last, heat)
            }
        }
    }

    private init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }

    /// What choosing a point plays: the spot that it lies in, the one with the nearest middle of several; nil for none.
    public func action(atX x: Double, y: Double) -> Int? {
        let hit = spots.filter { $0.x <= x && x < $0.x + $0.width && $0.y <= y && y < $0.y + $0.height }
        let distance = { (spot: Spot) in
            let (right, down) = (spot.x + spot.width / 2 - x, spot.y + spot.height / 2 - y)
            return right * right + down * down
        }
        return hit.min { distance($0) < distance($1) }?.action
    }

    private mutating func drawLines(_ side: Int) {
        let end = Double(side) - 0.5
        for at in 0..<side {
            let at = Double(at) + 0.5
            shapes.append(.line(fromX: 0.5, fromY: at, toX: end, toY: at, width: 0.04, .line))
            shapes.append(.line(fromX: at, fromY: 0.5, toX: at, toY: end, width: 0.04, .line))
        }
    }

    private mutating func drawCells(_ cells: [UInt8], columns: Int, _ last: Int?, _ heat: [Int: Double]?) {
        for (cell, piece) in cells.enumerated() {
            let (x, y) = (Double(cell % columns) + 0.5, Double(cell / columns) + 0.5)
            if piece != Cell.empty {
                shapes.append(.disc(x: x, y: y, radius: 0.45, .player(Player(piece) - 1)))
            } else if let share = heat?[cell] {
                shapes.append(.disc(x: x, y: y, radius: 0.4, .heat(share)))
            }
            if cell == last { shapes.append(.disc(x: x, y: y, radius: 0.12, .ground)) }
        }
    }

    /// Where black may not play: a cross.
    private mutating func drawForbidden(_ cells: [Int], columns: Int) {
        for cell in cells {
            let (x, y) = (Double(cell % columns) + 0.5, Double(cell / columns) + 0.5)
            for down in [-0.2, 0.2] {
                shapes.append(
                    .line(fromX: x - 0.2, fromY: y - down, toX: x + 0.2, toY: y + down, width: 0.08, .forbidden))
            }
        }
    }

    private mutating func drawBoxes(_ state: DotsAndBoxes) {
        for (box, owner) in state.owners.enumerated() where owner != Cell.empty {
            let (x, y) = (Double(box % state.size) + 0.5, Double(box / state.size) + 0.5)
            shapes.append(.square(x: x, y: y, side: 1, .player(Player(owner) - 1)))
        }
        for dot in 0..<(state.size + 1) * (state.size + 1) {
            let (x, y) = (Double(dot % (state.size + 1)) + 0.5, Double(dot / (state.size + 1)) + 0.5)
            shapes.append(.disc(x: x, y: y, radius: 0.08, .line))
        }
    }

    private mutating func addColumns(_ state: Connect4) {
        for column in 0..<Connect4.columns {
            let discs = stride(from: column, to: Connect4.cells, by: Connect4.columns).map { state.cells[$0] }
            let colors = discs.reversed().filter { $0 != Cell.empty }.map { $0 == 1 ? "board_red" : "board_yellow" }
            let said = colors.isEmpty ? [Phrase("board_empty")] : colors.map { Phrase($0) }
            spots.append(
                Spot(
                    id: column, action: (try? state.landing(column)) ?? column, x: Double(column), y: 0, width: 1,
                    height: height, said: [Phrase("board_column", .whole(column + 1))] + said))
        }
    }

    private mutating func addEdges(_ state: DotsAndBoxes, _ last: Int?, _ heat: [Int: Double]?) {
        let across = state.size * (state.size + 1)
        for (edge, drawn) in state.edges.enumerated() {
            let isAcross = edge < across
            let (at, columns) = isAcross ? (edge, state.size) : (edge - across, state.size + 1)
            let (row, column) = (at / columns, at % columns)
            let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
            let ink: Ink? = drawn != 0 ? .line : heat?[edge].map { .heat($0) }
            if let ink {
                let (toX, toY) = isAcross ? (x + 1, y) : (x, y + 1)
                shapes.append(.line(fromX: x, fromY: y, toX: toX, toY: toY, width: edge == last ? 0.16 : 0.1, ink))
            }
            let name = isAcross ? "board_across" : "board_down"
            let said =
                [Phrase(name, .whole(row + 1), .whole(column + 1)), Phrase(drawn != 0 ? "board_drawn" : "board_free")]
                + more(edge, last, heat)
            spots.append(
                Spot(
                    id: edge, action: edge, x: isAcross ? x : x - 0.5, y: isAcross ? y - 0.5 : y, width: 1, height: 1,
                    said: said))
        }
    }

    private mutating func addCells(
        _ cells: [UInt8], columns: Int, pieces: [String], more: (_ cell: Int) -> [Phrase]
    ) {
        for (cell, piece) in cells.enumerated() {
            let (row, column) = (cell / columns, cell % columns)
            let held = piece == Cell.empty ? "board_empty" : pieces[Int(piece) - 1]
            let said = [Phrase("board_cell", .whole(row + 1), .whole(column + 1)), Phrase(held)] + more(cell)
            spots.append(Spot(id: cell, action: cell, x: Double(column), y: Double(row), width: 1, height: 1, said: said))
        }
    }
}

/// What a rule that forbids a point is called.
private func name(_ reason: Reason) -> Phrase {
    switch reason.kind {
    case .overline: Phrase("board_overline")
    case .doubleFour: Phrase("board_double_four")
    default: Phrase("board_double_three")
    }
}

private func more(_ spot: Int, _ last: Int?, _ heat: [Int: Double]?) -> [Phrase] {
    (spot == last ? [Phrase("board_last")] : [])
        + (heat?[spot].map { [Phrase("board_share", .whole(Int((100 * $0).rounded())))] } ?? [])
}
