import AzxEngine

/// A replay: a walk through the positions of a game, and moves of both sides that a person tries out.
extension Table {
    /// The session whose position is shown: the game, or a line that branches off from it.
    public var displayed: Session { line?.session ?? session }
    /// Whether moves can be tried out.
    public var canTry: Bool { isReplay && !displayed.visible.isTerminal }

    /// Begin a replay, or go back to playing. A record of other people's game is always a replay.
    public func replay(_ wanted: Bool) {
        forgetHint()
        retry = nil
        lay(nil)
        isReplay = wanted || session.isRead
        if isReplay {
            pause(true)
        } else {
            put(session.show(session.moves))
            if canPlay, choices.alwaysHeat { warmUp() }
        }
        look()
    }

    /// In a replay, show the position after `moves` moves.
    public func show(at moves: Int) {
        if !isReplay { return }
        forgetHint()
        retry = nil
        lay(nil)
        put(session.show(moves))
    }

    /// Try out a move of either side; a notice says why it cannot be played.
    func tryOut(_ action: Int) {
        if !canTry { return }
        forgetHint()
        if let reason = displayed.whyIllegal(action) {
            notice = .notPossible(reason)
        } else if isTrying {
            notice = nil
            attempt(action)
        } else if line == nil, session.actions.dropFirst(session.ply).first == action {
            // The game's own next move is no line.
            show(at: session.ply + 1)
        } else if let next = try? Line(session, line, trying: action) {
            (notice, retry) = (nil, nil)
            lay(next)
            keepLine(next)
        }
        look()
    }

    /// Keep a line with the game.
    func keepLine(_ line: Line) {
        identity.beside.note(line.moves, from: line.from)
        if session.moves > 0 { keep() }
    }

    public var canTakeBack: Bool { line != nil && !isTrying }

    /// Take the last move of the line back.
    public func takeBack() {
        if !canTakeBack { return }
        forgetHint()
        retry = nil
        lay(line?.takeBack())
    }

    /// Whether something beside the game is shown: a line, or a mistake that is tried again.
    public var isBesideGame: Bool { line != nil || isTrying }

    /// Leave the line, and show the position that it branches off from. A mistake that was tried again is shown.
    public func toGame() {
        if isTrying { return show(at: session.ply + 1) }
        forgetHint()
        retry = nil
        lay(nil)
    }

    func lay(_ next: Line?) {
        let before = displayed
        if line == nil, next == nil { return }
        line = next
        watcher?(before, displayed)
        look()
    }

    /// Whether a game can go on from the shown position: it is not the last one of a game that is played here.
    public var canPlayFromHere: Bool { canTry && (line != nil || session.ply < session.moves || session.isRead) }

    /// Begin a new game from the shown position, and leave this one as it is.
    public func playFromHere() {
        if !canPlayFromHere { return }
        let next = (line?.session ?? session.shorten(to: session.ply)).takeOver()
        drop()
        line = nil
        identity = Identity(.played)
        (isReplay, isPlayedOn, isPaused) = (false, false, false)
        change(next)
        go()
    }

    /// Hand the game to another table from the shown position. Returns the library's entry, a new one unless that is the last
    /// position; nil if nothing was played, or if no game is saved.
    public func handOver() -> String? {
        playFromHere()
        leave()
        guard let library = opened.shelf?.library, session.moves > 0 else { return nil }
        if library[identity.id] == nil { store(in: library) }
        return identity.id
    }
}
