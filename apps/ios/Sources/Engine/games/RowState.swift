/// A game in which pieces stay where they were put, and a number of pieces in a row wins.
///
/// An action is the cell of a new piece. `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0 and 1; `winner` has
/// enough in a row, or has won by a rule of the game.
public protocol RowState: State {
    static var name: String { get }
    var grid: Grid { get }
    /// The planes that the game draws.
    static var drawn: [String] { get }
    var cells: [UInt8] { get }
    /// The number of pieces on the board.
    var played: Int { get }
    var winner: Player? { get }
    /// The last moves, newest first, as many as the planes of earlier plies need.
    var recent: [Int] { get }
}

/// The planes of such a game, with those of pieces also as they were 1 to `plies` plies ago: "mover@2".
func rowPlanes(plies: Int = 0) -> [String] {
    piecePlanes.flatMap { who in [who] + (0..<plies).map { "\(who)@\($0 + 1)" } } + ["last"]
}

/// The owner of the pieces on one of these planes, and the number of plies ago.
func split(plane: String) -> (who: Substring, ago: Int) {
    let parts = plane.split(separator: "@")
    return (parts[0], parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
}

/// The column's letter and the row from the bottom, such as D4; GameError if `action` is not a point of the board.
func pointName(_ action: Int, of state: some State, _ game: String, _ columns: [Character]) throws -> String {
    let size = state.board[0]
    guard 0..<size * size ~= action else {
        throw GameError("\(game): action \(action) is no point of this board, choose 0 to \(state.actions - 1).")
    }
    return "\(columns[action % size])\(size - action / size)"
}

extension RowState {
    public var actions: Int { cells.count }
    public var board: [Int] { [grid.rows, grid.columns] }
    public var toMove: Player { played & 1 }
    public var isTerminal: Bool { winner != nil || played == cells.count }

    public var recent: [Int] { [] }

    public func returns() -> Int { result(of: winner) }

    /// The cells of the rows that have won, ascending; none if no row has.
    public func winningLine() -> [Int] {
        guard winner != nil, let lastAction else { return [] }
        return grid.winningRow(cells, at: lastAction)
    }

    /// The longest row that has won, from its left or upper end to the other; none if no row has.
    public func longestLine() -> [Int] {
        guard winner != nil, let lastAction else { return [] }
        return grid.longestRow(cells, at: lastAction)
    }

    /// "mover" is the player to move now; "mover@2" are that player's pieces two plies ago.
    public func plane(_ name: String) throws -> [Float] {
        guard Self.drawn.contains(name) else { throw unknownPlane(Self.name, name, known: Self.drawn + ["signed"]) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        let (who, ago) = split(plane: name)
        var plane = pieces(cells, of: owner(of: who, toMove: toMove))
        for point in recent.prefix(ago) { plane[point] = 0 }
        return plane
    }
}
