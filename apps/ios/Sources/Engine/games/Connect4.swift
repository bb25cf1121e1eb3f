/// Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.
///
/// Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right. `cells` has 0 for an empty cell, 1 and
/// 2 for a disc of player 0 and 1; `winner` has four in a row. `OtherConnect4` has every other board.
public struct Connect4: BitState, ColumnState {
    public static let rows = 6
    public static let columns = 7
    public static let wins = 4
    public static let cells = rows * columns
    public static let encoding = Shapes.of(name).referenceEncoding
    public static let name = "connect4"
    public static let drawn = rowPlanes()
    private static let bottom: UInt64 = 0x7f << 40

    public let pieces: Pieces

    public init(_ pieces: Pieces) { self.pieces = pieces }

    public var encoding: Encoding { Self.encoding }

    /// The lowest empty cell of each column that has one.
    public var open: UInt64 {
        let all = pieces.all
        return ~all & (all >> 8 | Self.bottom)
    }

    public func isTaken(_ at: Int) -> Bool { pieces.all & Self.bit(at) != 0 }

    /// (2, 6, 7): the mover's discs, then the opponent's; written directly, without planes.
    public func encode() -> [Float] {
        let (own, others) = (pieces.of(toMove), pieces.of(other(toMove)))
        return [Float](unsafeUninitializedCapacity: 2 * Self.cells) { buffer, count in
            for at in 0..<Self.cells {
                let bit = Self.bit(at)
                buffer[at] = own & bit == 0 ? 0 : 1
                buffer[Self.cells + at] = others & bit == 0 ? 0 : 1
            }
            count = 2 * Self.cells
        }
    }
}
