import AzxEngine

/// The end of a game of Go: the dead stones are proposed, marked and agreed on; and an estimate on the way there.
extension Table {
    public var isScoring: Bool { session.phase == .scoring && !isReplay }
    public var canEstimate: Bool { canPlay && session.latest is Go }

    /// The dead stones and areas that the board shows; nil if all stones count.
    public var counted: Counted? {
        if !isAtEnd { return nil }
        return session.counted(marked: dead) ?? (session.phase == .scoring ? nil : estimated)
    }

    /// Mark a chain as dead, or a dead one as alive.
    func toggle(_ at: Int) {
        if let state = session.latest as? Go, let dead { mark(state, toggleChain(state, dead, at)) }
    }

    private func mark(_ state: Go, _ found: [Int]) {
        dead = found
        notice = .scoring(without: state.score(without: found), alive: state.score())
    }

    /// After two passes, propose the dead stones.
    func propose() {
        guard let state = session.latest as? Go else { return }
        ask(show: { [self] in mark(state, $0) }) {
            await away { state.deadStones(state.ownership()) }
        }
    }

    /// Agree that the marked stones are dead.
    public func agree() {
        guard isScoring, let dead else { return }
        drop()
        change(session.agree(dead))
    }

    /// Take both passes back. The network then plays until dead stones are captured.
    public func playOn() {
        if !isScoring { return }
        drop()
        isPlayedOn = true
        change(session.playOn())
        go()
    }

    /// Say who leads in Go, and show the owner of each point.
    public func estimate() {
        guard canEstimate, let state = session.latest as? Go else { return }
        let show = { @MainActor [self] (owned: Ownership) in
            forgetFound()
            estimated = Counted(state, seen: owned)
            notice = .estimated(state.estimate(owned))
        }
        ask(show: show) { await away { state.ownership() } }
    }
}
