/// The two games of a few cells, Connect4 and tic-tac-toe: their positions as bits.
///
/// A search holds very many positions and copies each several times. A position of three words needs no allocation and no
/// reference count.

/// What lies on a board of at most 63 bits, and how it came about.
///
/// A set of cells has the bit row * (columns + 1) + column for each. The last bit of every row stays 0, so that no row of
/// pieces continues in the next row of the board.
public struct Pieces: Equatable, Sendable {
    fileprivate var ofPlayer0: UInt64 = 0
    fileprivate var ofPlayer1: UInt64 = 0
    fileprivate var played: UInt8 = 0
    /// The cell played last, 64 before the first move.
    fileprivate var last: UInt8 = 64
    fileprivate var isWon = false

    /// The cells that hold a piece.
    var all: UInt64 { ofPlayer0 | ofPlayer1 }

    func of(_ player: Player) -> UInt64 { player == 0 ? ofPlayer0 : ofPlayer1 }
}

/// A game of `rows` by `columns` cells with `wins` in a row.
public protocol BitState: RowState {
    static var rows: Int { get }
    static var columns: Int { get }
    static var wins: Int { get }
    var pieces: Pieces { get }
    init(_ pieces: Pieces)
    /// The cells in which a piece may be set while the game is not over, as a set of bits.
    var open: UInt64 { get }
}

extension BitState {
    /// The empty board.
    public init() { self.init(Pieces()) }

    /// A board with these cells, to be shown: no moves need lead there.
    static func arranged(_ cells: [UInt8]) -> Self {
        var pieces = Pieces()
        for at in cells.indices where cells[at] != Cell.empty {
            if cells[at] == mark(0) { pieces.ofPlayer0 |= bit(at) } else { pieces.ofPlayer1 |= bit(at) }
            pieces.played += 1
        }
        return Self(pieces)
    }

    public var played: Int { Int(pieces.played) }
    public var toMove: Player { Int(pieces.played & 1) }
    public var lastAction: Int? { pieces.last == 64 ? nil : Int(pieces.last) }
    public var winner: Player? { pieces.isWon ? 1 - toMove : nil }
    public var isTerminal: Bool { pieces.isWon || played == actions }
    public var actions: Int { Self.rows * Self.columns }
    public var board: [Int] { [Self.rows, Self.columns] }
    public var grid: Grid { Grid(rows: Self.rows, columns: Self.columns, wins: Self.wins) }

    public var cells: [UInt8] {
        (0..<actions).map { at in
            let bit = Self.bit(at)
            return pieces.ofPlayer0 & bit != 0 ? mark(0) : pieces.ofPlayer1 & bit != 0 ? mark(1) : Cell.empty
        }
    }

    /// The bit of a cell.
    static func bit(_ at: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: at + at / columns) }

    public func legalActions() -> [Int] {
        if pieces.isWon { return [] }
        var left = open
        return [Int](unsafeUninitializedCapacity: actions) { buffer, found in
            while left != 0 {
                let bit = left.trailingZeroBitCount
                buffer[found] = bit - bit / (Self.columns + 1)
                found += 1
                left &= left - 1
            }
        }
    }

    /// Whether a piece may be set in the cell `action`, which may be no cell of the board.
    func isLegal(_ action: Int) -> Bool {
        !pieces.isWon && 0 <= action && action < actions && open & Self.bit(action) != 0
    }

    public func apply(_ action: Int) throws -> Self {
        guard isLegal(action) else { throw illegal(Self.name, action, legalActions()) }
        var next = pieces
        let own = pieces.of(toMove) | Self.bit(action)
        if toMove == 0 { next.ofPlayer0 = own } else { next.ofPlayer1 = own }
        next.played += 1
        next.last = UInt8(truncatingIfNeeded: action)
        next.isWon = Self.hasRow(own)
        return Self(next)
    }

    /// Whether enough of the cells are in a row: across, down, on one diagonal, on the other.
    private static func hasRow(_ cells: UInt64) -> Bool {
        hasRow(cells, 1) || hasRow(cells, columns + 1) || hasRow(cells, columns + 2) || hasRow(cells, columns)
    }

    private static func hasRow(_ cells: UInt64, _ step: Int) -> Bool {
        var row = cells
        // After k rounds: the cells from which on k + 1 are in a row.
        for _ in 1..<wins { row &= row >> UInt64(truncatingIfNeeded: step) }
        return row != 0
    }
}
