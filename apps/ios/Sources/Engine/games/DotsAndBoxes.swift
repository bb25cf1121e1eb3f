/// Dots and Boxes on n x n boxes: an action draws one edge between two neighbouring dots.
///
/// Edges are numbered row by row: first n + 1 rows of n horizontal ones, then n rows of n + 1 vertical ones. The last action
/// is the pass. Boxes are numbered row by row. A player who completes a box moves again: the opponent must pass, so that
/// the players always alternate.
///
/// `edges` has 1 for a drawn edge, `owners` for each box 0 while it is open, 1 or 2 once player 0 or 1 has completed
/// it. `completed` are the boxes that the last action completed.
public struct DotsAndBoxes: CountedState {
    private static let name = "dots_and_boxes"
    fileprivate static let shapes = Shapes.of(name)
    private static let planes = shapes.encoding.planes
    public static let sizes = shapes.sizes
    public static let referenceSize = shapes.referenceSize

    // Bits in three words: a search copies positions often, and these need no allocation and no reference count. They are
    // the drawn edges, the first 64 and the rest, and the boxes of player 1. Player 0's boxes, and those that the last action
    // completed, follow from the edges.
    private var firstEdges: UInt64 = 0
    private var boxesOf1: UInt64 = 0
    private var restEdges: UInt32 = 0
    private let side: UInt8
    private var mover: UInt8 = 0
    private var last = Self.nothing
    // The value of `last` before the first move.
    private static let nothing: UInt8 = 255

    /// The empty grid of `size` x `size` boxes; GameError if the size is not 2 to 6.
    public init(size: Int = referenceSize) throws {
        guard Self.sizes.contains(size) else {
            throw GameError("dots_and_boxes: size \(size) is not played, choose one from 2 to 6.")
        }
        side = UInt8(size)
    }

    private var grid: Boxes { Boxes.all[size] }

    private func isDrawn(_ edge: Int) -> Bool {
        edge < 64 ? firstEdges & 1 << UInt64(edge) != 0 : restEdges & 1 << UInt32(edge - 64) != 0
    }

    private func isComplete(_ box: Int) -> Bool {
        let sides = grid.sides[box]
        return firstEdges & sides.first == sides.first && restEdges & sides.rest == sides.rest
    }

    /// How many edges there are.
    private var count: Int { 2 * size * (size + 1) }
    public var toMove: Player { Int(mover) }
    public var lastAction: Int? { last == Self.nothing ? nil : Int(last) }

    public var edges: [UInt8] { (0..<count).map { isDrawn($0) ? 1 : 0 } }

    public var owners: [UInt8] {
        (0..<size * size).map { isComplete($0) ? mark(boxesOf1 & 1 << UInt64($0) == 0 ? 0 : 1) : Cell.empty }
    }

    public var completed: [Int] {
        guard let lastAction, lastAction != pass else { return [] }
        return grid.boxesBy[lastAction].filter(isComplete)
    }

    /// Boxes a side.
    public var size: Int { Int(side) }
    /// The action that passes.
    public var pass: Int { count }
    /// Whether the opponent has just completed a box and moves again.
    public var mustPass: Bool {
        last < count && grid.boxesBy[Int(last)].contains(where: isComplete) && !isTerminal
    }
    public var board: [Int] { grid.encoding.board }
    public var encoding: Encoding { grid.encoding }
    public var isTerminal: Bool { firstEdges.nonzeroBitCount + restEdges.nonzeroBitCount == count }

    /// The boxes of player 0 and of player 1.
    public var scores: [Int] { [boxes(of: 0), boxes(of: 1)] }

    private func boxes(of player: Player) -> Int {
        let second = boxesOf1.nonzeroBitCount
        return player == 1 ? second : (0..<size * size).count(where: isComplete) - second
    }

    /// The place of an edge's upper or left dot, counted from the top left, and whether the edge is horizontal.
    public func place(of edge: Int) -> (row: Int, column: Int, isAcross: Bool) {
        let down = edge - count / 2
        if down < 0 { return (edge / size, edge % size, true) }
        return (down / (size + 1), down % (size + 1), false)
    }

    /// An edge by its two dots, such as "A1–B1".
    public func name(of edge: Int) -> String {
        let (row, column, isAcross) = place(of: edge)
        let (down, right) = isAcross ? (0, 1) : (1, 0)
        let dots = [(row, column), (row + down, column + right)]
        return dots.map { Self.letter(of: $0.1) + Self.number(of: $0.0) }.joined(separator: "–")
    }

    /// The name of a column of dots, counted from the left.
    public static func letter(of column: Int) -> String { String("ABCDEFGHIJ".dropFirst(column).prefix(1)) }

    /// The name of a row of dots, counted from above.
    public static func number(of row: Int) -> String { String(row + 1) }

    /// Whether a box beside a free edge lacks only this edge.
    public func completes(_ edge: Int) -> Bool {
        grid.boxesBy[edge].contains { box in
            let sides = grid.sides[box]
            return (firstEdges & sides.first).nonzeroBitCount + (restEdges & sides.rest).nonzeroBitCount == 3
        }
    }

    /// The four edges of each box that `edge` is a side of.
    func boxesBeside(_ edge: Int) -> [[Int]] {
        grid.boxesBy[edge].map { box in grid.boxesBy.indices.filter { grid.boxesBy[$0].contains(box) } }
    }

    public func legalActions() -> [Int] {
        mustPass ? [pass] : numbers(below: count) { !isDrawn($0) }
    }

    /// No action ends the game at once: boxes are counted at the end, which a search sees just as early.
    public func sudden() -> Sudden? {
        Sudden(wins: [], answers: legalActions().map { _ in 0 })
    }

    public func whyIllegal(move: Int) -> Refusal? { isDrawn(move) ? Refusal(.drawn) : nil }

    public func apply(_ action: Int) throws -> DotsAndBoxes {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        var next = self
        next.mover = 1 - mover
        next.last = UInt8(action)
        if action == pass { return next }
        if action < 64 { next.firstEdges |= 1 << UInt64(action) } else { next.restEdges |= 1 << UInt32(action - 64) }
        if mover == 1 {
            for box in grid.boxesBy[action] where next.isComplete(box) { next.boxesOf1 |= 1 << UInt64(box) }
        }
        return next
    }

    /// "edges" is 1 where an edge is drawn: the horizontal ones in the upper size + 1 rows (whose last column stays zero), the
    /// vertical ones below. The other planes have one number in the last column: "mover_boxes" in row 0, "opponent_boxes" in
    /// row 1, and in row 2 "must_pass", a 1 if the mover must pass.
    public func plane(_ name: String) throws -> [Float] {
        let cells = board[0] * board[1]
        if name == "last" { return lastPlane(cells: cells, at: lastCell) }
        guard let index = Self.planes.firstIndex(of: name) else {
            throw unknownPlane(Self.name, name, known: Self.planes + ["last"])
        }
        var plane = [Float](repeating: 0, count: cells)
        if index == 0 {
            draw(&plane)
        } else {
            plane[index * (size + 1) - 1] = Float(number(index))
        }
        return plane
    }

    /// Draw the plane "edges" on one that is empty.
    private func draw(_ plane: inout [Float]) {
        let cells = grid.cells
        for edge in cells.indices where isDrawn(edge) { plane[cells[edge]] = 1 }
    }

    /// The number of the plane with this index, one of those after "edges".
    private func number(_ index: Int) -> Int {
        switch index {
        case 1: boxes(of: toMove)
        case 2: boxes(of: other(toMove))
        default: mustPass ? 1 : 0
        }
    }

    /// The last edge's place in the plane "edges"; nil before the first move and after a pass.
    private var lastCell: Int? {
        lastAction.flatMap { $0 == pass ? nil : grid.cells[$0] }
    }

    /// The four planes at once: no two of them have a number in the same cell.
    public func encode() -> [Float] {
        var tensor = [Float](repeating: 0, count: board[0] * board[1])
        draw(&tensor)
        for index in 1..<Self.planes.count { tensor[index * (size + 1) - 1] = Float(number(index)) }
        return tensor
    }

    /// The edge's number, or `pass`.
    public func label(_ action: Int) -> String { action == pass ? "pass" : String(action) }
}

/// What all positions of one size share.
private final class Boxes: Sendable {
    /// By size; the first two are never asked for.
    static let all = (0...DotsAndBoxes.sizes[DotsAndBoxes.sizes.count - 1]).map { Boxes(size: $0) }

    /// What the reference network reads: one plane (2 size + 1, size + 1), the planes summed.
    let encoding: Encoding
    /// The four edges of each box, above, below, left and right, as bits: the first 64 and the rest.
    let sides: [(first: UInt64, rest: UInt32)]
    /// The one or two boxes that each edge is a side of.
    let boxesBy: [[Int]]
    /// Each edge's place in the plane "edges": a row of horizontal ones leaves the last column free.
    let cells: [Int]

    private init(size: Int) {
        let horizontal = size * (size + 1)
        let sides = (0..<size * size).map { box in
            let left = horizontal + box / size * (size + 1) + box % size
            return [box, box + size, left, left + 1]
        }
        self.sides = sides.map { edges in
            let first = edges.filter { $0 < 64 }.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
            return (first, edges.filter { $0 >= 64 }.reduce(UInt32(0)) { $0 | 1 << UInt32($1 - 64) })
        }
        encoding = DotsAndBoxes.shapes.encoding(rows: 2 * size + 1, columns: size + 1)
        boxesBy = (0..<2 * horizontal).map { edge in sides.indices.filter { sides[$0].contains(edge) } }
        cells = (0..<2 * horizontal).map { $0 < horizontal ? $0 + $0 / size : $0 + size + 1 }
    }
}
