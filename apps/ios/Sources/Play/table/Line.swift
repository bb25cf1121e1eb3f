import AzxEngine

/// A line that a person tries out: moves of both sides that branch off from the game, as a session of its own. It leaves the game
/// as it is.
public struct Line: Sendable {
    /// The number of moves of the game before it branches off.
    public let from: Int
    /// The game up to that point, and the moves of the line.
    public let session: Session
}

extension Line {
    /// The number of moves of the line, forced passes included.
    public var length: Int { session.moves - from }

    /// The moves of the line alone.
    public var moves: [Int] { Array(session.actions.dropFirst(from)) }

    /// The line with one more move, or the first one from the shown position. GameError if it is illegal.
    init(_ game: Session, _ line: Line?, trying action: Int) throws {
        from = line?.from ?? game.ply
        session = try (line?.session ?? game.shorten(to: from)).play(action)
    }

    /// The line without its last move and the passes that the rules forced after it; nil if nothing is left.
    func takeBack() -> Line? {
        var moves = session.moves - 1
        while moves > from, isForcedPass(session.states[moves]) { moves -= 1 }
        return moves > from ? Line(from: from, session: session.shorten(to: moves)) : nil
    }
}
