/// Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right.
///
/// `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1; `winner` has three in a row.
public struct TicTacToe: RowState {
    private static let side = 3
    public static let encoding = Encoding(.flat, [side, side], ["signed"])
    public static let name = "tictactoe"
    public static let drawn = rowPlanes
    private static let grid = Grid(rows: side, columns: side, wins: side)

    public let cells: [UInt8]
    public let played: Int
    public let lastAction: Int?
    public let winner: Player?

    /// The empty board.
    public init() {
        self.init([UInt8](repeating: Cell.empty, count: Self.side * Self.side), 0, nil, nil)
    }

    private init(_ cells: [UInt8], _ played: Int, _ lastAction: Int?, _ winner: Player?) {
        self.cells = cells
        self.played = played
        self.lastAction = lastAction
        self.winner = winner
    }

    public var grid: Grid { Self.grid }
    public var encoding: Encoding { Self.encoding }

    /// The empty cells, ascending; none once the game is over.
    public func legalActions() -> [Int] {
        winner == nil ? numbers(below: cells.count) { cells[$0] == Cell.empty } : []
    }

    public func whyIllegal(_ action: Int) -> Reason? {
        if isTerminal { return .over }
        guard cells.indices.contains(action) else { return Reason(.noSuchAction, "no cell of the board") }
        return cells[action] == Cell.empty ? nil : .occupied
    }

    public func apply(_ action: Int) throws -> TicTacToe {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        let next = with(cells, piece: toMove, at: action)
        return TicTacToe(next, played + 1, action, grid.hasRow(next, at: action) ? toMove : nil)
    }

    /// (9): +1 where the mover has a mark, -1 where the opponent has one.
    public func encode() -> [Float] {
        let own = mark(toMove)
        return cells.map { $0 == Cell.empty ? 0 : $0 == own ? 1 : -1 }
    }

    /// The cell's number.
    public func label(_ action: Int) -> String { String(action) }
}
