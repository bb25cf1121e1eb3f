import AzxEngine

/// What a person calls a move: a column, a row and a column, an edge, a point, a pass.
public func move(_ action: Int, _ state: any State) -> Phrase.Part {
    switch state {
    case let state as any ColumnState: .words("move_column", .whole(action % state.width + 1))
    case is TicTacToe: .words("move_cell", .whole(action / 3 + 1), .whole(action % 3 + 1))
    case let state as any CountedState where action == state.pass: .words("move_pass")
    case let state as Go where action == state.pass: .words("move_pass")
    case let state as DotsAndBoxes: .text(state.name(of: action))
    default: .text((try? state.label(action)) ?? "")
    }
}

/// The ends of the longest row that has won; nil if no row has.
public func winningRow(_ state: any State) -> Phrase? {
    let row = (state as? any RowState)?.longestLine() ?? (state as? Hex)?.longestLine() ?? []
    guard let first = row.first, let last = row.last else { return nil }
    if let state = state as? any ColumnState {
        let columns = [first, last].map { $0 % state.width + 1 }.sorted()
        if columns[0] == columns[1] { return Phrase("line_column", .whole(row.count), .whole(columns[0])) }
        return Phrase("line_columns", .whole(row.count), .whole(columns[0]), .whole(columns[1]))
    }
    return Phrase(state is Hex ? "line_chain" : "line_points", .whole(row.count), move(first, state), move(last, state))
}
