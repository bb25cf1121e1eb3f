/// An opening of Connect4 on 6 rows by 7 columns, solved: who wins if both play perfectly.
///
/// games/data/connect4_openings.json has the outcome of every position with at most `mostDiscs` discs, mirror images
/// counted once, in the order of `openings`.
struct Opening: Equatable {
    /// For the player to move, 1, 0 or -1.
    let outcome: Int
    /// The actions that keep it, ascending.
    let kept: [Int]

    /// A column is a 1, then a bit for each disc from the bottom up, 1 for player 1's; a position has 7 bits a column.
    private static let bits = 7
    private static let full: UInt64 = 1 << 6
    /// A letter has three outcomes as digits to the base 3: a loss for the player to move, a draw, a win.
    private static let packed = 3
    private static let firstLetter = UInt8(ascii: "A")
    private static let outcomes: [UInt64: Int] = {
        let digits = Tables.openings.outcomes.utf8.flatMap { letter in
            sequence(first: Int(letter - firstLetter)) { $0 / packed }.prefix(packed).map { $0 % packed }
        }
        return Dictionary(uniqueKeysWithValues: zip(openings, digits.map { $0 - 1 }))
    }()

    /// How the game ends; nil if the table lacks the positions after the moves.
    init?(_ state: Connect4) {
        // No player has four in a row before the last disc of the table.
        if state.pieces.all.nonzeroBitCount >= Tables.openings.mostDiscs { return nil }
        let outcome = Self.outcome(state)
        self.outcome = outcome
        kept = state.legalActions().filter { action in
            (try? state.apply(action)).map { Self.outcome($0) == -outcome } ?? false
        }
    }

    private static func outcome(_ state: Connect4) -> Int {
        var columns = [UInt64](repeating: 1, count: Connect4.columns)
        for at in stride(from: Connect4.cells - 1, through: 0, by: -1) where state.isTaken(at) {
            let isSecond = state.pieces.of(1) & Connect4.bit(at) != 0
            columns[at % Connect4.columns] = 2 * columns[at % Connect4.columns] + (isSecond ? 1 : 0)
        }
        return outcomes[asOne(columns)]!
    }

    /// Every position of the table: by the number of discs, then as they first come up, columns from left to right.
    private static var openings: [UInt64] {
        var level = [asOne([UInt64](repeating: 1, count: Connect4.columns))]
        var found = level
        for played in 0..<Tables.openings.mostDiscs {
            var seen = Set<UInt64>()
            level = level.flatMap { moves($0, of: played & 1) }.filter { seen.insert($0).inserted }
            found += level
        }
        return found
    }

    /// The positions to which a disc of a player leads, columns from left to right.
    private static func moves(_ opening: UInt64, of player: Player) -> [UInt64] {
        let columns = (0..<Connect4.columns).map { opening >> (bits * (Connect4.columns - 1 - $0)) & (1 << bits - 1) }
        return columns.indices.filter { columns[$0] < full }.map { at in
            var after = columns
            after[at] = 2 * after[at] + UInt64(player)
            return asOne(after)
        }
    }

    /// A position and its mirror image as one number, the lower of the two.
    private static func asOne(_ columns: [UInt64]) -> UInt64 {
        min(columns.reduce(0) { $0 << bits | $1 }, columns.reversed().reduce(0) { $0 << bits | $1 })
    }
}
