import AzxEngine

/// A line that a person tries out: a session of its own that branches off from the game, with moves of both sides. The
/// game is not changed by it.
public struct Line: Sendable {
    /// After how many moves of the game it branches off.
    public let from: Int
    /// The game until there, and the line's moves.
    public let session: Session
}

extension Line {
    /// How many moves the line has, forced passes counted.
    public var length: Int { session.moves - from }

    /// The moves of the line alone.
    public var moves: [Int] { Array(session.actions.dropFirst(from)) }

    /// The line of one move from the position that is shown, or of one more. GameError where it is illegal.
    init(_ game: Session, _ line: Line?, trying action: Int) throws {
        from = line?.from ?? game.ply
        session = try (line?.session ?? game.shorten(to: from)).play(action)
    }

    /// The line without its last move, and the passes that the rules forced after it; nil where nothing is left.
    func takeBack() -> Line? {
        var moves = session.moves - 1
        while moves > from, isForcedPass(session.states[moves]) { moves -= 1 }
        return moves > from ? Line(from: from, session: session.shorten(to: moves)) : nil
    }
}
