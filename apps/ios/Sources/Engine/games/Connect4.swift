/// Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
///
/// Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right. `cells` has 0 for an empty cell, 1 and
/// 2 for a disc of player 0 and 1; `winner` has four in a row.
public struct Connect4: RowState {
    public static let rows = 6
    public static let columns = 7
    public static let cells = rows * columns
    public static let encoding = Encoding(.channelsFirst, [rows, columns], ["mover", "opponent"])
    public static let name = "connect4"
    public static let drawn = rowPlanes
    private static let grid = Grid(rows: rows, columns: columns, wins: 4)

    public let cells: [UInt8]
    public let played: Int
    public let lastAction: Int?
    public let winner: Player?

    /// The empty board.
    public init() {
        self.init([UInt8](repeating: Cell.empty, count: Self.cells), 0, nil, nil)
    }

    private init(_ cells: [UInt8], _ played: Int, _ lastAction: Int?, _ winner: Player?) {
        self.cells = cells
        self.played = played
        self.lastAction = lastAction
        self.winner = winner
    }

    public var grid: Grid { Self.grid }
    public var encoding: Encoding { Self.encoding }

    /// The lowest empty cell of each column that has one, ascending; none once the game is over.
    public func legalActions() -> [Int] {
        winner == nil ? numbers(below: Self.cells, where: isOpen) : []
    }

    /// Whether a cell is empty, and is on the bottom or on a disc.
    private func isOpen(_ at: Int) -> Bool {
        cells[at] == Cell.empty && (at >= Self.cells - Self.columns || cells[at + Self.columns] != Cell.empty)
    }

    /// The cell a disc dropped into `column` (0 on the left) lands on; GameError where it cannot.
    public func landing(_ column: Int) throws -> Int {
        let legal = legalActions()
        if let found = legal.first(where: { $0 % Self.columns == column }) { return found }
        let columns = joined(legal.map { $0 % Self.columns }.sorted())
        let instead = legal.isEmpty ? Reason.over.words : "choose column \(columns)"
        throw GameError("connect4: no disc can be dropped into column \(column), \(instead).")
    }

    public func whyIllegal(_ action: Int) -> Reason? {
        if isTerminal { return .over }
        guard cells.indices.contains(action) else { return Reason(.noSuchAction, "no cell of the board") }
        if cells[action] != Cell.empty { return .occupied }
        return isOpen(action) ? nil : Reason(.notLowest, "a disc falls to the lowest empty cell of its column")
    }

    public func apply(_ action: Int) throws -> Connect4 {
        guard winner == nil, cells.indices.contains(action), isOpen(action) else {
            throw illegal(Self.name, action, legalActions())
        }
        let next = with(cells, piece: toMove, at: action)
        // Nobody has four discs before the seventh ply.
        let won = played > 5 && grid.hasRow(next, at: action)
        return Connect4(next, played + 1, action, won ? toMove : nil)
    }

    /// (2, 6, 7): the mover's discs, then the opponent's; written without a plane for each.
    public func encode() -> [Float] {
        pieces(cells, of: toMove) + pieces(cells, of: other(toMove))
    }

    /// The number of the column, 0 on the left.
    public func label(_ action: Int) -> String { String(action % Self.columns) }
}
