/// What the games share in which pieces stay where they were put, and so many in a row win.
///
/// An action is the cell of a new piece. `cells` has 0 for an empty cell, 1 and 2 for a piece of player 0 and 1;
/// `winner` has enough in a row, or has won by a rule of the game.
public protocol RowState: State {
    static var name: String { get }
    var grid: Grid { get }
    /// The planes that the game draws.
    static var drawn: [String] { get }
    var cells: [UInt8] { get }
    /// How many pieces were set.
    var played: Int { get }
    var winner: Player? { get }
}

/// The planes that every such game draws.
let rowPlanes = piecePlanes + ["last"]

extension RowState {
    public var actions: Int { cells.count }
    public var board: [Int] { [grid.rows, grid.columns] }
    public var toMove: Player { played & 1 }
    public var isTerminal: Bool { winner != nil || played == cells.count }

    public func returns() -> Int { result(of: winner) }

    /// The cells in a row that have won, ascending; none where nobody has, or has won otherwise.
    public func winningLine() -> [Int] {
        guard winner != nil, let lastAction else { return [] }
        return grid.winningRow(cells, at: lastAction)
    }

    /// The longest row that has won, from its left or upper end to the other; none where nobody has, or has won otherwise.
    public func longestLine() -> [Int] {
        guard winner != nil, let lastAction else { return [] }
        return grid.longestRow(cells, at: lastAction)
    }

    public func plane(_ name: String) throws -> [Float] {
        guard Self.drawn.contains(name) else { throw unknownPlane(Self.name, name, known: Self.drawn + ["signed"]) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        return pieces(cells, of: owner(of: name, toMove: toMove))
    }
}
