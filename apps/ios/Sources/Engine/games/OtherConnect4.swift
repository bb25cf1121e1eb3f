/// Connect4 on 4 to 10 rows by 4 to 10 columns: an action is the cell a disc lands on.
///
/// As `Connect4`, whose bits have no room for the larger boards. Cells are numbered row by row, row 0 on top.
public struct OtherConnect4: ColumnState {
    public static let name = Connect4.name
    public static let drawn = rowPlanes()
    private static let shapes = Shapes.of(name)

    /// What all positions of one board share; a class, so that a state has one reference to it all.
    private final class Kind: Sendable {
        let grid: Grid
        let encoding: Encoding

        init(rows: Int, columns: Int) {
            grid = Grid(rows: rows, columns: columns, wins: Connect4.wins)
            encoding = OtherConnect4.shapes.encoding(rows: rows, columns: columns)
        }
    }

    private let kind: Kind
    public let cells: [UInt8]
    public let played: Int
    public let lastAction: Int?
    public let winner: Player?

    /// The empty board; GameError if there is none of these rows and columns.
    public init(rows: Int, columns: Int) throws {
        guard Self.shapes.board([rows, columns]) != nil else {
            throw GameError("connect4: \(rows) rows of \(columns) are not played, choose numbers from 4 to 10.")
        }
        let cells = [UInt8](repeating: Cell.empty, count: rows * columns)
        self.init(Kind(rows: rows, columns: columns), cells, played: 0, by: nil, winner: nil)
    }

    private init(_ kind: Kind, _ cells: [UInt8], played: Int, by action: Int?, winner: Player?) {
        self.kind = kind
        self.cells = cells
        self.played = played
        lastAction = action
        self.winner = winner
    }

    func arranged(_ cells: [UInt8]) -> OtherConnect4 {
        OtherConnect4(kind, cells, played: cells.count { $0 != Cell.empty }, by: nil, winner: nil)
    }

    public var grid: Grid { kind.grid }
    public var encoding: Encoding { kind.encoding }

    public func isTaken(_ at: Int) -> Bool { cells[at] != Cell.empty }

    /// The lowest empty cell of each column that has one, ascending; none once the game is over.
    public func legalActions() -> [Int] {
        winner != nil ? [] : numbers(below: cells.count, where: isLowest)
    }

    public func apply(_ action: Int) throws -> OtherConnect4 {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        let next = with(cells, piece: toMove, at: action)
        let winner = grid.hasRow(next, at: action) ? toMove : nil
        return OtherConnect4(kind, next, played: played + 1, by: action, winner: winner)
    }

    /// (2, rows, columns): the mover's discs, then the opponent's.
    public func encode() -> [Float] { pieces(cells, of: toMove) + pieces(cells, of: other(toMove)) }
}
