/// A walk through the positions of a game.
extension Table {
    /// Walk through the game, or go on playing.
    public func replay(_ wanted: Bool) {
        isReplay = wanted
        forgetHint()
        if wanted { pause(true) } else { put(session.showing(session.moves)) }
    }

    /// In a replay, show the position after so many moves.
    public func show(at moves: Int) {
        if isReplay { put(session.showing(moves)) }
    }
}
