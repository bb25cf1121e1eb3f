import AzxEngine

/// What the network thinks of a position, for a person who asks. A hint is a help: without one the game goes on, and it
/// can be asked for again.
extension Table {
    public var canHint: Bool { canPlay || (canTry && !(isTrying && line != nil)) }

    /// Show what a search of the position that is shown considers, on the board and in a list.
    public func hint() {
        if !canHint { return }
        let (thinker, settings, actions, count) = (opened.thinker, settings, displayed.actionsShown, simulations)
        let state = displayed.visible
        ask(unless: { [self] in displayed.actionsShown != actions }, show: showAnalysis) {
            let found = try await thinker.analyse(settings, actions, simulations: count)
            return try await measure(found, state)
        }
    }

    private func showAnalysis(_ advised: Advised) {
        let analysis = advised.analysis
        guard let best = analysis.candidates.first else { return }
        let seen = analysis.seen
        // A move that gives away what is proven is no hint, however often a search has looked at it.
        let isKept = seen?.known?.left.contains(best.action) ?? true
        (found, points) = (analysis, advised.points)
        advise(isKept ? best.action : seen?.best ?? best.action, analysis.shares, seen?.chance(of: displayed.side))
    }

    /// Colour the board by the network's policy.
    func warmUp() {
        let (thinker, settings, actions) = (opened.thinker, settings, session.actions)
        ask(unless: { [self] in isReplay }, show: showAdvice) { try await thinker.advise(settings, actions) }
    }

    private func showAdvice(_ advice: Advice) {
        // The lowest action of equals.
        let sorted = advice.policy.filter { advice.left.contains($0.key) }.sorted { $0.key < $1.key }
        guard var best = sorted.first else { return }
        for each in sorted where each.value > best.value { best = each }
        (found, points) = (nil, nil)
        let isOwn = session.latest.toMove == session.side
        advise(best.key, advice.policy, advice.winRate.map { isOwn ? $0 : 1 - $0 })
    }

    private func advise(_ action: Int, _ shares: [Int: Double], _ winRate: Double?) {
        heat = shares
        estimated = nil
        // What the rules did is more than what the network would do.
        if case .forcedPass = notice { return }
        notice = .hint(action: action, share: shares[action] ?? 0, winRate: winRate)
    }

    /// Show the answer to a question in this turn, `unless` by then it is of no use; an error is said as a notice.
    func ask<Answer: Sendable>(
        unless isUseless: @escaping @MainActor () -> Bool = { false }, show: @escaping @MainActor (Answer) -> Void,
        _ question: @escaping @MainActor () async throws -> Answer
    ) {
        let mine = turn
        asked = Task {
            let answer = await catchError(question)
            if mine != turn { return }
            asked = nil
            if isUseless() { return }
            switch answer {
            case .success(let answer): show(answer)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    func forgetHint() {
        (heat, found, points, estimated) = (nil, nil, nil, nil)
        if notice?.isOfOnePosition == true { notice = nil }
    }
}

/// What a search says of a position, and what its moves gain or lose in points where that is known.
private struct Advised: Sendable {
    let analysis: Analysis
    let points: [Int: Int]?
}

/// What the moves of a hint gain or lose, away from the main actor: playouts take a while.
private nonisolated func measure(_ found: Analysis, _ state: any State) async throws -> Advised {
    let points = try state.points(of: found.candidates.map(\.action))
    return Advised(analysis: found.putBestFirst(points ?? [:]), points: points)
}

extension Session {
    /// The moves that lead to the position that is shown.
    var actionsShown: [Int] { Array(actions.prefix(ply)) }
}
