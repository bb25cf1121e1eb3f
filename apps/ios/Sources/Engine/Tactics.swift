/// What the rules alone say of a position's moves: wins in one, and moves that the opponent answers with one.

/// What two plies prove: the `moves` that are left to choose among, ascending, and the `result` for the mover.
///
/// `result` 1: each of the moves wins at once. nil: nothing is known but that the opponent has no win at once after any
/// of these, as it has after every other one. -1: the opponent wins at once whatever is played; these leave it the fewest
/// ways to do so. Where a result is known the lowest of the moves is played, and no network is asked.
public struct Forced: Equatable, Sendable {
    public let moves: [Int]
    public let result: Int?

    /// The moves of `state` that are left; none where the game is over.
    public init(_ state: any State) {
        let legal = state.legalActions()
        let known = state.sudden()
        let wins = known?.wins ?? Self.wins(state)
        if !wins.isEmpty {
            (moves, result) = (wins, 1)
            return
        }
        let answers = known?.answers ?? legal.map { Self.answers(Self.after($0, state)) }
        let fewest = answers.min() ?? 0
        moves = zip(legal, answers).filter { $0.1 == fewest }.map(\.0)
        result = fewest > 0 ? -1 : nil
    }

    /// The actions that win at once.
    private static func wins(_ state: any State) -> [Int] {
        let won = 1 - 2 * state.toMove
        return state.legalActions().filter { after($0, state).returns() == won }
    }

    /// How many moves win at once for who is to move now; where the last move has lost the game, more than can be.
    private static func answers(_ after: any State) -> Int {
        if !after.isTerminal { return wins(after).count }
        return after.returns() == 1 - 2 * after.toMove ? after.actions + 1 : 0
    }

    private static func after(_ action: Int, _ state: any State) -> any State {
        guard let next = try? state.apply(action) else {
            fatalError("search: a legal action cannot be played, this is a bug.")
        }
        return next
    }
}

/// The actions that win at once, and how many such the opponent has after each legal one, in their order.
///
/// An action that loses at once counts for more answers than there can be.
public struct Sudden: Equatable, Sendable {
    public let wins: [Int]
    public let answers: [Int]
}
