/// The board of a position with these pieces by their cells, to be shown: no moves need lead there.
public func arrange(_ state: any State, _ pieces: [Int: Player]) -> any State {
    var cells = [UInt8](repeating: Cell.empty, count: state.board[0] * state.board[1])
    for (at, player) in pieces where cells.indices.contains(at) { cells[at] = mark(player) }
    return switch state {
    case is Connect4: Connect4.arranged(cells)
    case is TicTacToe: TicTacToe.arranged(cells)
    case let state as OtherConnect4: state.arranged(cells)
    case let state as Gomoku: state.arranged(cells)
    case let state as Hex: state.arranged(cells)
    case let state as Go: state.arranged(cells)
    default: state
    }
}
