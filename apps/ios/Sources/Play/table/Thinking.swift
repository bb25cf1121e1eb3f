import AzxEngine

/// The network's moves: it thinks elsewhere, and plays if it is its turn.
extension Table {
    /// Let the network think if it is its turn.
    func go() {
        switch session.phase {
        case .theirs: if session.isWatched { watch() } else { think() }
        case .scoring: if dead == nil && asked == nil { propose() }
        case .yours: if choices.alwaysHeat && heat == nil { warmUp() }
        case .over, .read: break
        }
    }

    func think() {
        let (mine, opened, settings, actions) = (turn, opened, settings, session.actions)
        let side = sides?[session.latest.toMove]
        let strength = side.flatMap { Strength(level: $0.level) } ?? choices.strength
        let limit = strength.limit(seed: .random(in: 0...UInt64.max)).lessen(warmth)
        let passes = !isPlayedOn
        thought = Task {
            let answer = await catchError {
                let thinker = if let side { try await opened.seat(side) } else { opened.thinker }
                return try await thinker.think(settings, actions, limit, passes: passes) { [weak self] in
                    await self?.hear($0, mine)
                }
            }
            if mine != turn { return }
            thought = nil
            attempt { try accept(try answer.get()) }
        }
    }

    private func hear(_ found: Progress, _ mine: Int) {
        if mine == turn { (progress, heardAt) = (found, session.moves) }
    }

    private func accept(_ thought: Thought) throws {
        progress = thought.progress
        let shown = session.ply
        let played = try session.rate(thought.progress.winRate).play(thought.action)
        // Who looks at an earlier position goes on looking at it.
        change(isReplay && shown < session.moves ? played.show(shown) : played)
        go()
    }
}
