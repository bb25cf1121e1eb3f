/// The symmetries of a board: a position may be read turned, and the policy for it turned back.

@testable import AzxEngine

/// One symmetry of a board as lists of indices.
///
/// The turned tensor has at k what the tensor has at `cells[k]`. Action `a` of the position as it is is called
/// `actions[a]` in the turned one, so a policy for that is turned back by taking `policy[actions[a]]`.
struct Symmetry: Equatable, Sendable {
    let cells: [Int]
    let actions: [Int]

    /// The symmetries of `game`, the identity first: 8 of a square board, 2 of Connect4, 1 if there are no others.
    ///
    /// `actions` is how many the game has; those beyond the board's cells (a pass) stay as they are.
    static func all(_ game: String, _ encoding: Encoding, actions: Int) -> [Symmetry] {
        let columns = encoding.board.last ?? 1
        let rows = encoding.board.count == 2 ? encoding.board[0] : 1
        return (turnsOf[game] ?? [Turn()]).map { turn in
            let was = (0..<rows * columns).map { source(turn, rows, columns, $0) }
            return Symmetry(cells: cellsOf(encoding, was), actions: actionsOf(was, actions))
        }
    }
}

/// `numbers` taken at the `indices`: a tensor turned, or a policy turned back.
func permute(_ numbers: [Float], _ indices: [Int]) -> [Float] {
    indices.map { numbers[$0] }
}

private struct Turn {
    var quarters = 0
    var mirrored = false
}

private let mirror = [Turn(), Turn(mirrored: true)]
private let halfTurn = [Turn(), Turn(quarters: 2)]
private let square = [false, true].flatMap { mirrored in (0..<4).map { Turn(quarters: $0, mirrored: mirrored) } }
// Those that leave both diagonals where they are: Reversi begins with discs in the middle.
private let diagonals = [
    Turn(), Turn(quarters: 2), Turn(quarters: 1, mirrored: true), Turn(quarters: 3, mirrored: true),
]
// Which turns of the board leave a game's rules as they are.
private let turnsOf = [
    "tictactoe": square, "gomoku": square, "go": square, "connect4": mirror,
    "reversi": diagonals, "hex": halfTurn,
]

/// The board's cell that lies at `cell` of the board turned anticlockwise by quarters and then mirrored.
private func source(_ turn: Turn, _ rows: Int, _ columns: Int, _ cell: Int) -> Int {
    var (row, column) = (cell / columns, cell % columns)
    if turn.mirrored { column = columns - 1 - column }
    // Only square boards are turned.
    for _ in 0..<turn.quarters { (row, column) = (column, rows - 1 - row) }
    return row * columns + column
}

private func cellsOf(_ encoding: Encoding, _ was: [Int]) -> [Int] {
    let inside = encoding.layout == .channelsLast ? encoding.planes.count : 1
    let stride = inside * was.count
    let within = planeOf(encoding, was)
    return (0..<encoding.size).map { at in
        let (plane, cell) = (at / stride, at % stride / inside)
        return plane * stride + within[cell] * inside + at % inside
    }
}

/// The cells `was` as a plane of the tensor has them, which may be flipped or transposed.
private func planeOf(_ encoding: Encoding, _ was: [Int]) -> [Int] {
    let columns = encoding.board.last ?? 1
    let (first, row, column) = encoding.steps
    func place(_ cell: Int) -> Int { first + cell / columns * row + cell % columns * column }
    var found = [Int](repeating: 0, count: was.count)
    for (cell, from) in was.enumerated() { found[place(cell)] = place(from) }
    return found
}

private func actionsOf(_ was: [Int], _ count: Int) -> [Int] {
    var names = Array(0..<count)
    // The turned board's cell k is the board's cell `was[k]`: the other way round is asked for.
    if was.count <= count { for (turned, cell) in was.enumerated() { names[cell] = turned } }
    return names
}
