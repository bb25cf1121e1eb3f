/// Pieces on a board of rows and columns: rows of equal pieces, and planes.

/// (rows down, columns right) of the four lines through a cell.
let directions = [(down: 0, right: 1), (down: 1, right: 0), (down: 1, right: 1), (down: 1, right: -1)]

/// The size of a board, and how many pieces in a row win on it.
public struct Grid: Equatable, Sendable {
    public let rows: Int
    public let columns: Int
    public let wins: Int

    /// How many cells from `at` (not counted) on in one direction hold what `at` holds.
    private func reach(_ cells: [UInt8], _ at: Int, _ down: Int, _ right: Int) -> Int {
        var (row, column) = (at / columns + down, at % columns + right)
        var count = 0
        while row >= 0, row < rows, column >= 0, column < columns, cells[row * columns + column] == cells[at] {
            count += 1
            row += down
            column += right
        }
        return count
    }

    /// Whether the piece at `at` is part of a row that wins.
    func hasRow(_ cells: [UInt8], at: Int) -> Bool {
        for (down, right) in directions {
            let behind = reach(cells, at, -down, -right)
            if behind + 1 + reach(cells, at, down, right) >= wins { return true }
        }
        return false
    }

    /// The cells of all winning rows through `at`, ascending; none where there is no such row.
    func winningRow(_ cells: [UInt8], at: Int) -> [Int] {
        var found = Set<Int>()
        for (down, right) in directions {
            let behind = reach(cells, at, -down, -right)
            let length = behind + 1 + reach(cells, at, down, right)
            if length < wins { continue }
            for k in 0..<length { found.insert(at + (k - behind) * (down * columns + right)) }
        }
        return found.sorted()
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
