import AzxEngine

/// Where the longest row that has won lies, from end to end; nil if no row has.
public func winningRow(_ state: any State) -> Phrase? {
    let row = (state as? any RowState)?.longestLine() ?? (state as? Hex)?.longestLine() ?? []
    guard let first = row.first, let last = row.last else { return nil }
    switch state {
    case let state as any ColumnState:
        let columns = [first, last].map { $0 % state.width + 1 }.sorted()
        if columns[0] == columns[1] { return Phrase("line_column", .whole(row.count), .whole(columns[0])) }
        return Phrase("line_columns", .whole(row.count), .whole(columns[0]), .whole(columns[1]))
    case is Hex:
        let ends = [first, last].map { Phrase.Part.text((try? state.label($0)) ?? "") }
        return Phrase("line_chain", .whole(row.count), ends[0], ends[1])
    case is TicTacToe: return Phrase("line_points", .whole(row.count), cell(first), cell(last))
    default:
        let ends = [first, last].map { Phrase.Part.text((try? state.label($0)) ?? "") }
        return Phrase("line_points", .whole(row.count), ends[0], ends[1])
    }
}

private func cell(_ at: Int) -> Phrase.Part { .words("move_cell", .whole(at / 3 + 1), .whole(at % 3 + 1)) }
