/// Connect4 on any board: a person names a column, and a disc lands on the lowest empty cell of it.
public protocol ColumnState: RowState {
    /// Whether a disc lies in a cell.
    func isTaken(_ at: Int) -> Bool
}

extension ColumnState {
    /// How many columns the board has.
    public var width: Int { grid.columns }

    /// Whether a disc can land on a cell: it is empty, and on the bottom or on a disc.
    func isLowest(_ at: Int) -> Bool {
        !isTaken(at) && (at + width >= actions || isTaken(at + width))
    }

    /// A person taps a column, so a full one has a refusal of its own.
    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        if isLowest(action) { return nil }
        if isTaken(action % width) { return Refusal(.full) }
        return Refusal(isTaken(action) ? .occupied : .notLowest)
    }

    /// The number of the column, 0 on the left.
    public func label(_ action: Int) -> String { String(action % width) }
}

/// The empty board of Connect4; GameError if it is not played with these rows and columns.
func connect4(rows: Int, columns: Int) throws -> any State {
    if rows == Connect4.rows, columns == Connect4.columns { return Connect4() }
    return try OtherConnect4(rows: rows, columns: columns)
}
