/// Dots and Boxes on n x n boxes: an action draws one edge between two neighbouring dots.
///
/// Edges are numbered row by row, first the horizontal ones (n + 1 rows of n), then the vertical ones (n rows of
/// n + 1); the last action is the pass. Boxes are numbered row by row. Who completes a box moves again: the opponent
/// must pass, so that the players always alternate.
///
/// `edges` has 1 for a drawn edge, `owners` for each box 0 while it is open, 1 or 2 where player 0 or 1 has completed
/// it. `completed` are the boxes that the last action completed.
public struct DotsAndBoxes: State {
    public static let sizes = Array(2...6)
    public static let referenceSize = 3
    private static let name = "dots_and_boxes"
    fileprivate static let planes = ["edges", "mover_boxes", "opponent_boxes", "must_pass"]

    /// What the reference network of a size reads: one plane (2 size + 1, size + 1), the planes summed.
    public static func encoding(size: Int = referenceSize) -> Encoding {
        Encoding(.sum, [2 * size + 1, size + 1], planes)
    }

    private let grid: Boxes
    public let edges: [UInt8]
    public let owners: [UInt8]
    /// How many edges are drawn.
    private let drawn: Int
    public let toMove: Player
    public let lastAction: Int?
    public let completed: [Int]

    /// The empty grid of `size` x `size` boxes; GameError where the size is not 2 to 6.
    public init(size: Int = referenceSize) throws {
        guard let grid = Boxes.all[size] else {
            throw GameError("dots_and_boxes: size \(size) is not played, choose one from 2 to 6.")
        }
        let edges = [UInt8](repeating: 0, count: grid.edges)
        let owners = [UInt8](repeating: Cell.empty, count: size * size)
        self.init(grid, edges, owners, drawn: 0, toMove: 0, lastAction: nil, completed: [])
    }

    private init(
        _ grid: Boxes, _ edges: [UInt8], _ owners: [UInt8], drawn: Int, toMove: Player, lastAction: Int?,
        completed: [Int]
    ) {
        self.grid = grid
        self.edges = edges
        self.owners = owners
        self.drawn = drawn
        self.toMove = toMove
        self.lastAction = lastAction
        self.completed = completed
    }

    /// Boxes a side.
    public var size: Int { grid.size }
    /// The action that passes.
    public var pass: Int { edges.count }
    /// Whether the opponent has just completed a box and moves again.
    public var mustPass: Bool { !completed.isEmpty && !isTerminal }
    public var actions: Int { edges.count + 1 }
    public var board: [Int] { grid.encoding.board }
    public var encoding: Encoding { grid.encoding }
    public var isTerminal: Bool { drawn == edges.count }

    /// The boxes of player 0 and of player 1.
    public var scores: [Int] { [boxes(of: 0), boxes(of: 1)] }

    private func boxes(of player: Player) -> Int {
        let own = mark(player)
        return owners.reduce(0) { $1 == own ? $0 + 1 : $0 }
    }

    public func legalActions() -> [Int] {
        mustPass ? [pass] : numbers(below: edges.count) { edges[$0] == 0 }
    }

    public func whyIllegal(_ action: Int) -> Reason? {
        if isTerminal { return .over }
        guard 0 <= action, action <= pass else { return Reason(.noSuchAction, "no edge of the grid") }
        if mustPass {
            let why = Reason(.mustPass, "the other player has completed a box and moves again")
            return action == pass ? nil : why
        }
        if action == pass { return Reason(.noPass, "only after the other player has completed a box") }
        return edges[action] == 0 ? nil : Reason(.occupied, "drawn already")
    }

    public func apply(_ action: Int) throws -> DotsAndBoxes {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        if action == pass { return next(action, edges, owners, drawn, []) }
        var edges = edges
        edges[action] = 1
        let done = grid.boxesBy[action].filter { box in grid.sides[box].allSatisfy { edges[$0] == 1 } }
        var owners = owners
        for box in done { owners[box] = mark(toMove) }
        return next(action, edges, owners, drawn + 1, done)
    }

    private func next(
        _ action: Int, _ edges: [UInt8], _ owners: [UInt8], _ drawn: Int, _ completed: [Int]
    ) -> DotsAndBoxes {
        DotsAndBoxes(
            grid, edges, owners, drawn: drawn, toMove: other(toMove), lastAction: action, completed: completed)
    }

    public func returns() -> Int {
        isTerminal ? (boxes(of: 0) - boxes(of: 1)).signum() : 0
    }

    /// "edges" is 1 where an edge is drawn: the horizontal ones in the upper size + 1 rows (whose last column stays
    /// zero), the vertical ones below. The last column holds in row 0 the number of the mover's boxes ("mover_boxes"),
    /// in row 1 the opponent's ("opponent_boxes"), in row 2 a 1 when the mover must pass ("must_pass").
    public func plane(_ name: String) throws -> [Float] {
        let cells = board[0] * board[1]
        if name == "last" { return lastPlane(cells: cells, at: lastCell) }
        guard let index = Self.planes.firstIndex(of: name) else {
            throw unknownPlane(Self.name, name, known: Self.planes + ["last"])
        }
        var plane = [Float](repeating: 0, count: cells)
        if index == 0 {
            for edge in edges.indices { plane[grid.cells[edge]] = Float(edges[edge]) }
        } else {
            plane[index * (size + 1) - 1] = Float(number(index))
        }
        return plane
    }

    /// What the plane of this index, one of those behind "edges", has at the end of its row.
    private func number(_ index: Int) -> Int {
        switch index {
        case 1: boxes(of: toMove)
        case 2: boxes(of: other(toMove))
        default: mustPass ? 1 : 0
        }
    }

    /// Where the plane "edges" has the edge drawn last; nil before the first move and after a pass.
    private var lastCell: Int? {
        lastAction.flatMap { $0 == pass ? nil : grid.cells[$0] }
    }

    /// The four planes in one go: no two of them have a number in the same cell.
    public func encode() -> [Float] {
        var tensor = [Float](repeating: 0, count: board[0] * board[1])
        for edge in edges.indices { tensor[grid.cells[edge]] = Float(edges[edge]) }
        for index in 1..<Self.planes.count { tensor[index * (size + 1) - 1] = Float(number(index)) }
        return tensor
    }

    /// The edge's number, or `pass`.
    public func label(_ action: Int) -> String { action == pass ? "pass" : String(action) }
}

/// What all positions of one size share; a class, so that a state has one reference to it all.
private final class Boxes: Sendable {
    static let all = Dictionary(uniqueKeysWithValues: DotsAndBoxes.sizes.map { ($0, Boxes(size: $0)) })

    let size: Int
    let edges: Int
    let encoding: Encoding
    /// The four edges of each box: above, below, left, right.
    let sides: [[Int]]
    /// The one or two boxes that each edge is a side of.
    let boxesBy: [[Int]]
    /// Where the plane "edges" has each edge: a row of horizontal ones leaves the last column free.
    let cells: [Int]

    private init(size: Int) {
        let horizontal = size * (size + 1)
        let sides = (0..<size * size).map { box in
            let left = horizontal + box / size * (size + 1) + box % size
            return [box, box + size, left, left + 1]
        }
        self.size = size
        self.sides = sides
        edges = 2 * horizontal
        encoding = DotsAndBoxes.encoding(size: size)
        boxesBy = (0..<2 * horizontal).map { edge in sides.indices.filter { sides[$0].contains(edge) } }
        cells = (0..<2 * horizontal).map { $0 < horizontal ? $0 + $0 / size : $0 + size + 1 }
    }
}
