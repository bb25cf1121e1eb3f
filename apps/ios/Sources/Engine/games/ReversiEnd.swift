/// The end of a game of Reversi, solved: by how many discs the player to move wins if both play perfectly.

extension Solved {
    /// With more empty cells than this a position is not solved.
    private static let mostEmpty = Tables.thresholds.solvedCells
    /// More discs than a board has.
    private static let beyond = 1000

    /// How the game ends; nil with more than `mostEmpty` empty cells while it goes on.
    init?(_ state: Reversi) {
        let (kind, cells, mover) = (state.kind, state.cells, state.toMove)
        if !state.isTerminal, cells.count(where: { $0 == Cell.empty }) > Self.mostEmpty { return nil }
        var (margin, best) = (-Self.beyond, [Int]())
        for at in state.moves {
            let after = kind.withDisc(cells, at, mover)
            // The bound is one below the best, so that equally good moves are recognised.
            let lead = -Self.lead(kind, after, other(mover), -Self.beyond, 1 - margin)
            if lead > margin { (margin, best) = (lead, []) }
            if lead == margin { best.append(at) }
        }
        if best.isEmpty {
            margin = Self.lead(kind, cells, mover, -Self.beyond, Self.beyond)
            best = state.legalActions()
        }
        (self.margin, self.best) = (margin, best)
    }

    /// The margin for `player`, who is to move: exact between `low` and `high`, else a bound.
    private static func lead(_ kind: Discs, _ cells: [UInt8], _ player: Player, _ low: Int, _ high: Int) -> Int {
        let moves = kind.moves(cells, player)
        if moves.isEmpty {
            if !kind.moves(cells, other(player)).isEmpty { return -lead(kind, cells, other(player), -high, -low) }
            return cells.reduce(0) { $0 + ($1 == Cell.empty ? 0 : $1 == mark(player) ? 1 : -1) }
        }
        var best = -beyond
        for at in moves {
            let after = kind.withDisc(cells, at, player)
            best = max(best, -lead(kind, after, other(player), -high, -max(low, best)))
            if best >= high { break }
        }
        return best
    }
}
