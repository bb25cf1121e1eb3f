/// What the rules alone say of a position's moves: wins in one, and moves that the opponent answers with one.

/// What two plies prove: the `moves` that are left to choose among, ascending, and the `result` for the mover.
///
/// With `result` 1 each of the moves wins at once. With -1 the opponent wins at once after every move; these leave it the
/// fewest ways. With nil the opponent has no win at once after these moves, and has one after every other. If the result
/// is known, the lowest of the moves is played, and no network is asked.
public struct Forced: Equatable, Sendable {
    public let moves: [Int]
    public let result: Int?

    /// The moves of `state` that are left; none if the game is over.
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

    /// The number of moves that win at once for the player to move; more than possible if the last move has lost the game.
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

/// The actions that win at once, and the number of the opponent's winning answers to each legal action, in their order.
///
/// An action that loses at once has more answers than are possible.
public struct Sudden: Equatable, Sendable {
    public let wins: [Int]
    public let answers: [Int]
}
