/// A watched game: the network plays against itself, at a pace that a person chooses.
extension Table {
    /// Think about the next move once the last one was seen for a while.
    func watch() {
        if isPaused { return }
        let (mine, seconds) = (turn, session.moves == session.setUp ? 0 : choices.pace.seconds)
        thought = Task {
            await rest(seconds)
            if mine != turn { return }
            think()
        }
    }

    /// Pause a watched game and end its thought, or let it go on.
    public func pause(_ wanted: Bool) {
        if !session.isWatched || wanted == isPaused { return }
        isPaused = wanted
        leaveThoughts()
        if !wanted { go() }
    }

    /// Play one move of a paused game.
    public func step() {
        if session.isWatched, isPaused, session.phase == .theirs, thought == nil { think() }
    }
}
