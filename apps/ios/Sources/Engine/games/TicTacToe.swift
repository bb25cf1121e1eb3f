/// Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right.
///
/// `cells` has 0 for an empty cell, 1 and 2 for a mark of player 0 and 1; `winner` has three in a row.
public struct TicTacToe: BitState {
    public static let rows = 3
    public static let columns = 3
    public static let wins = 3
    public static let encoding = Shapes.of(name).referenceEncoding
    public static let name = "tictactoe"
    public static let drawn = rowPlanes()
    private static let all: UInt64 = 0x777

    public let pieces: Pieces

    public init(_ pieces: Pieces) { self.pieces = pieces }

    public var encoding: Encoding { Self.encoding }

    /// The empty cells.
    public var open: UInt64 { ~pieces.all & Self.all }

    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        return isLegal(action) ? nil : Refusal(.occupied)
    }

    /// (9): +1 where the mover has a mark, -1 where the opponent has one.
    public func encode() -> [Float] {
        let (own, others) = (pieces.of(toMove), pieces.of(other(toMove)))
        return (0..<actions).map { at in
            let bit = Self.bit(at)
            return own & bit != 0 ? 1 : others & bit != 0 ? -1 : 0
        }
    }

    /// The cell's number.
    public func label(_ action: Int) -> String { String(action) }
}
