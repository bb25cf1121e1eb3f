/// Reversi on boards of 4 to 10 cells a side, an even number.
///
/// A disc on an empty cell turns over the opponent's discs between it and another disc of the mover's, and must turn at
/// least one. A player who cannot must pass. The game ends if neither player can move; the player with more discs wins.
/// Cells are numbered row by row, row 0 on top; the last action is the pass. Black is player 0.
///
/// `cells` has 1 for black, 2 for white; `moves` are the cells on which the player to move may put a disc. Without `moves` the
/// player must pass, or the game is over.
public struct Reversi: CountedState {
    private static let name = "reversi"
    fileprivate static let shapes = Shapes.of(name)
    private static let planes = piecePlanes + ["last", "legal"]
    private static let letters = Array("ABCDEFGHIJ")
    public static let sizes = shapes.sizes
    public static let usualSize = shapes.referenceSize

    public let cells: [UInt8]
    public let toMove: Player
    public let moves: [Int]
    public let isTerminal: Bool
    public let lastAction: Int?
    let kind: Discs

    /// Four discs in the middle, white's on d4 and e5 of 8 x 8, black to move; GameError if the size is not played.
    public init(size: Int = usualSize) throws {
        guard let kind = Discs.all[size] else {
            throw GameError("reversi: size \(size) is not played, choose one of \(join(Self.sizes)).")
        }
        var cells = [UInt8](repeating: Cell.empty, count: size * size)
        let (low, high) = (size / 2 - 1, size / 2)
        for at in [low * size + high, high * size + low] { cells[at] = mark(0) }
        for at in [low * size + low, high * size + high] { cells[at] = mark(1) }
        self.init(kind, cells, toMove: 0, lastAction: nil)
    }

    private init(_ kind: Discs, _ cells: [UInt8], toMove: Player, lastAction: Int?) {
        self.kind = kind
        self.cells = cells
        self.toMove = toMove
        self.lastAction = lastAction
        moves = kind.moves(cells, toMove)
        isTerminal = moves.isEmpty && kind.moves(cells, other(toMove)).isEmpty
    }

    /// Cells a side.
    public var size: Int { kind.size }
    /// The action that passes.
    public var pass: Int { cells.count }
    /// Whether the player to move can turn no disc while the opponent can.
    public var mustPass: Bool { moves.isEmpty && !isTerminal }
    public var board: [Int] { [size, size] }
    public var encoding: Encoding { kind.encoding }

    /// The discs of black and of white.
    public var scores: [Int] { [0, 1].map { player in cells.count { $0 == mark(player) } } }

    public func legalActions() -> [Int] { mustPass ? [pass] : moves }

    public func whyIllegal(move: Int) -> Refusal? {
        if cells[move] != Cell.empty { return Refusal(.occupied) }
        return moves.contains(move) ? nil : Refusal(.turnsNothing)
    }

    public func apply(_ action: Int) throws -> Reversi {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        let next = action == pass ? cells : kind.withDisc(cells, action, toMove)
        return Reversi(kind, next, toMove: other(toMove), lastAction: action)
    }

    /// "legal" is 1 at the cells on which the player to move may put a disc.
    public func plane(_ name: String) throws -> [Float] {
        guard Self.planes.contains(name) else { throw unknownPlane(Self.name, name, known: Self.planes) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        if name != "legal" { return pieces(cells, of: owner(of: name, toMove: toMove)) }
        var plane = [Float](repeating: 0, count: cells.count)
        for at in moves { plane[at] = 1 }
        return plane
    }

    /// (size, size, 3): the mover's discs, the opponent's, and where the mover may put one.
    public func encode() -> [Float] {
        let depth = encoding.planes.count
        var tensor = [Float](repeating: 0, count: cells.count * depth)
        for at in cells.indices where cells[at] != Cell.empty {
            tensor[at * depth + (cells[at] == mark(toMove) ? 0 : 1)] = 1
        }
        for at in moves { tensor[at * depth + 2] = 1 }
        return tensor
    }

    /// The cell's column as a letter and its row counted from the top, D3; or `pass`.
    public func label(_ action: Int) throws -> String {
        guard 0..<actions ~= action else {
            throw GameError("reversi: action \(action) is none of this board, choose 0 to \(actions - 1).")
        }
        return action == pass ? "pass" : "\(Self.letters[action % size])\(action / size + 1)"
    }
}

/// What all positions of one size share.
final class Discs: Sendable {
    static let all = Dictionary(uniqueKeysWithValues: Reversi.sizes.map { ($0, Discs(size: $0)) })

    let size: Int
    let encoding: Encoding
    /// By cell: the cells in each of the eight directions, the nearest first. Rays of one cell are left out, as no disc fits
    /// between.
    private let rays: [[[Int]]]

    private init(size: Int) {
        self.size = size
        encoding = Reversi.shapes.encoding(rows: size, columns: size)
        rays = (0..<size * size).map { at in
            directions.flatMap { down, right in
                [ray(from: at, size, down: down, right: right), ray(from: at, size, down: -down, right: -right)]
            }.filter { $0.count > 1 }
        }
    }

    /// The cells on which a disc of `player` turns some over, ascending.
    func moves(_ cells: [UInt8], _ player: Player) -> [Int] {
        numbers(below: cells.count) { at in
            cells[at] == Cell.empty && rays[at].contains { countTurned($0, cells, player) > 0 }
        }
    }

    /// The number of discs at the beginning of a ray that a disc of `player` before it turns over.
    private func countTurned(_ ray: [Int], _ cells: [UInt8], _ player: Player) -> Int {
        let (own, theirs) = (mark(player), mark(other(player)))
        var count = 0
        for at in ray {
            if cells[at] == own { return count }
            if cells[at] != theirs { return 0 }
            count += 1
        }
        return 0
    }

    /// The board after a disc of `player` on the cell `at`.
    func withDisc(_ cells: [UInt8], _ at: Int, _ player: Player) -> [UInt8] {
        var after = cells
        after[at] = mark(player)
        for ray in rays[at] {
            for place in ray.prefix(countTurned(ray, cells, player)) { after[place] = mark(player) }
        }
        return after
    }
}
