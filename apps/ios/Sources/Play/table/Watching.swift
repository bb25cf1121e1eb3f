/// A game that the network plays against itself, move by move at a pace that a person chooses.
extension Table {
    /// Let the last move be seen before the next one is thought about.
    func watch() {
        if isPaused { return }
        let (mine, seconds) = (turn, session.moves == session.setUp ? 0 : choices.pace.seconds)
        thought = Task {
            await rest(seconds)
            if mine != turn { return }
            think()
        }
    }

    /// Let a game that is watched stand still, with the thought that is under way given up, or let it go on.
    public func pause(_ wanted: Bool) {
        if !session.isWatched || wanted == isPaused { return }
        isPaused = wanted
        leaveThoughts()
        if !wanted { go() }
    }

    /// One move of a game that is watched and stands still.
    public func step() {
        if session.isWatched, isPaused, session.phase == .theirs, thought == nil { think() }
    }
}
