import AzxEngine

/// What the network thinks of a position, for a person who asks. If a hint fails, the game goes on, and the person can ask again.
extension Table {
    public var canHint: Bool { canPlay || (canTry && !(isTrying && line != nil)) }

    /// Show what a search of the position that is shown considers, on the board and in a list.
    public func hint() {
        if !canHint { return }
        let (thinker, settings, actions, count) = (opened.thinker, settings, displayed.actionsShown, simulations)
        let state = displayed.visible
        ask(unless: { [self] in displayed.actionsShown != actions }, show: { [self] in show($0.analysis, $0.points) }) {
            let found = try await thinker.analyse(settings, actions, simulations: count)
            return try await away {
                let points = try state.points(of: found.candidates.map(\.action))
                return HintResult(analysis: found.putBestFirst(points ?? [:]), points: points)
            }
        }
        isHinting = true
    }

    /// Show what a hint has found, and what its moves gain or lose if that is known.
    func show(_ analysis: Analysis, _ worths: [Int: Int]?) {
        guard let best = analysis.candidates.first else { return }
        (found, points, advised) = (analysis, worths, nil)
        let (panel, seen) = (panel, analysis.seen)
        // A move that gives away what is proven is no hint, however often a search has looked at it.
        let isKept = seen?.known?.left.contains(best.action) ?? true
        let action = isKept ? best.action : seen?.best ?? best.action
        if panel.equal.isEmpty, panel.options.count > 1 { return advise(.lost(action: action), analysis.shares) }
        let equal = panel.options.filter(\.isEqual).map(\.action)
        if equal.count > 1 { return advise(.equal(equal, winRate: toldChance(panel)), analysis.shares) }
        advise(action, analysis.shares)
    }

    /// The chance of the person of this game, for a hint; nil in a game without one.
    private func toldChance(_ panel: Panel) -> Double? { session.hasPerson ? panel.chance : nil }

    /// Colour the board by the network's policy alone.
    func warmUp() {
        let (thinker, settings, actions) = (opened.thinker, settings, session.actions)
        ask(unless: { [self] in isReplay }, show: showAdvice) { try await thinker.advise(settings, actions) }
    }

    private func showAdvice(_ advice: Advice) {
        // The lowest action of equals.
        let sorted = advice.policy.filter { advice.left.contains($0.key) }.sorted { $0.key < $1.key }
        guard var best = sorted.first else { return }
        for each in sorted where each.value > best.value { best = each }
        (found, points, advised) = (nil, nil, advice.winRate)
        advise(best.key, advice.policy)
    }

    private func advise(_ action: Int, _ shares: [Int: Double]) {
        advise(.hint(action: action, share: shares[action] ?? 0, winRate: toldChance(panel)), shares)
    }

    private func advise(_ hint: Notice, _ shares: [Int: Double]) {
        (heat, estimated) = (shares, nil)
        // What the rules did is more than what the network would do.
        if case .forcedPass = notice { return }
        notice = hint
    }

    /// Show the answer to a question in this turn, unless it has become useless by then; a notice tells an error.
    func ask<Answer: Sendable>(
        unless isUseless: @escaping @MainActor () -> Bool = { false }, show: @escaping @MainActor (Answer) -> Void,
        _ question: @escaping @MainActor () async throws -> Answer
    ) {
        let mine = turn
        asked = Task {
            let answer = await catchError(question)
            if mine != turn { return }
            (asked, isHinting) = (nil, false)
            if isUseless() { return }
            switch answer {
            case .success(let answer): show(answer)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    func forgetFound() { (heat, found, points, advised) = (nil, nil, nil, nil) }

    func forgetHint() {
        forgetFound()
        estimated = nil
        if notice?.isOfOnePosition == true { notice = nil }
    }
}

/// What a search says of a position, and what its moves gain or lose in points if that is known.
private struct HintResult: Sendable {
    let analysis: Analysis
    let points: [Int: Int]?
}

extension Session {
    /// The moves that lead to the position that is shown.
    var actionsShown: [Int] { Array(actions.prefix(ply)) }
}
