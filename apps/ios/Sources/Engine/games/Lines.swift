/// Pieces on a board of rows and columns: rows of equal pieces, and planes.

/// (rows down, columns right) of the four lines through a cell.
let directions = [(down: 0, right: 1), (down: 1, right: 0), (down: 1, right: 1), (down: 1, right: -1)]

/// The size of a board, and how many pieces in a row win on it.
public struct Grid: Equatable, Sendable {
    public let rows: Int
    public let columns: Int
    public let wins: Int

    /// The number of cells beyond one, in one direction, that hold the same piece.
    private func reach(_ cells: [UInt8], from cell: (row: Int, column: Int), _ down: Int, _ right: Int) -> Int {
        let piece = cells[cell.row * columns + cell.column]
        var (row, column) = (cell.row + down, cell.column + right)
        var count = 0
        while row >= 0, row < rows, column >= 0, column < columns, cells[row * columns + column] == piece {
            count += 1
            row += down
            column += right
        }
        return count
    }

    /// Whether the piece at `at` is part of a row that wins.
    func hasRow(_ cells: [UInt8], at: Int) -> Bool {
        // One division: this runs for every move.
        let cell = (row: at / columns, column: at % columns)
        for (down, right) in directions {
            let behind = reach(cells, from: cell, -down, -right)
            if behind + 1 + reach(cells, from: cell, down, right) >= wins { return true }
        }
        return false
    }

    /// The winning rows through `at`, each from its left or upper end to the other.
    private func winningRows(_ cells: [UInt8], at: Int) -> [[Int]] {
        let cell = (row: at / columns, column: at % columns)
        return directions.compactMap { down, right in
            let behind = reach(cells, from: cell, -down, -right)
            let length = behind + 1 + reach(cells, from: cell, down, right)
            return length < wins ? nil : (0..<length).map { at + ($0 - behind) * (down * columns + right) }
        }
    }

    /// The cells of all winning rows through `at`, ascending; none if there is no such row.
    func winningRow(_ cells: [UInt8], at: Int) -> [Int] { Set(winningRows(cells, at: at).joined()).sorted() }

    /// The longest winning row through `at`, the first of equals; none if there is no such row.
    func longestRow(_ cells: [UInt8], at: Int) -> [Int] {
        winningRows(cells, at: at).reduce([]) { $1.count > $0.count ? $1 : $0 }
    }
}

/// The cells from `at` on in one direction, the nearest first, to the edge of a board with `size` cells a side.
func ray(from at: Int, _ size: Int, down: Int, right: Int) -> [Int] {
    var cells: [Int] = []
    var (row, column) = (at / size + down, at % size + right)
    while 0..<size ~= row, 0..<size ~= column {
        cells.append(row * size + column)
        row += down
        column += right
    }
    return cells
}

/// The cells one step away from `at` that lie on a board with `size` cells a side, in the order of the steps.
func cells(beside at: Int, _ size: Int, _ steps: [(down: Int, right: Int)]) -> [Int] {
    steps.compactMap { down, right in
        let (row, column) = (at / size + down, at % size + right)
        return 0..<size ~= row && 0..<size ~= column ? row * size + column : nil
    }
}

/// 1 at the pieces of a player.
func pieces(_ cells: [UInt8], of player: Player) -> [Float] {
    let own = mark(player)
    return cells.map { $0 == own ? 1 : 0 }
}

/// `cells` with one more piece.
func with(_ cells: [UInt8], piece player: Player, at: Int) -> [UInt8] {
    var next = cells
    next[at] = mark(player)
    return next
}
