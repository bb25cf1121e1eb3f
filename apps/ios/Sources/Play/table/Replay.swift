import AzxEngine

/// A walk through the positions of a game, and moves of both sides that are tried out from there.
extension Table {
    /// The session whose position is shown: the game, or a line that branches off from it.
    public var displayed: Session { line?.session ?? session }
    /// Whether moves can be tried out.
    public var canTry: Bool { isReplay && !displayed.visible.isTerminal }

    /// Walk through the game, or go on playing.
    public func replay(_ wanted: Bool) {
        forgetHint()
        lay(nil)
        isReplay = wanted
        if wanted {
            pause(true)
        } else {
            put(session.show(session.moves))
            if canPlay, choices.alwaysHeat { warmUp() }
        }
    }

    /// In a replay, show the position after so many moves.
    public func show(at moves: Int) {
        if !isReplay { return }
        forgetHint()
        lay(nil)
        put(session.show(moves))
    }

    /// Play a move of either side in a line of the person's own; says why where it cannot be played.
    func tryOut(_ action: Int) {
        if !canTry { return }
        forgetHint()
        if let reason = displayed.visible.whyIllegal(action) {
            notice = .notPossible(reason)
        } else if let next = try? Line(session, line, trying: action) {
            notice = nil
            lay(next)
        }
    }

    /// Take the last move of the line back.
    public func takeBack() {
        forgetHint()
        lay(line?.takeBack())
    }

    /// Leave the line, for the position of the game that it branches off from.
    public func toGame() {
        forgetHint()
        lay(nil)
    }

    private func lay(_ next: Line?) {
        let before = displayed
        if line == nil, next == nil { return }
        line = next
        watcher?(before, displayed)
    }

    /// Whether what is shown is another position than the game's end, from which it can go on.
    public var canPlayFromHere: Bool { canTry && (line != nil || session.ply < session.moves) }

    /// How many moves of the game are lost where it goes on from what is shown.
    public var lost: Int { session.moves - (line?.from ?? session.ply) }

    /// Make the position that is shown the game, and go on playing.
    public func playFromHere() {
        if !canPlayFromHere { return }
        let next = line?.session ?? session.shorten(to: session.ply)
        drop()
        line = nil
        (isReplay, isPlayedOn, isPaused) = (false, false, false)
        change(next)
        go()
    }
}
