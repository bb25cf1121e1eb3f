import AzxEngine

/// What the network thinks of a position, for a person who asks. A hint is a help: without one the game goes on, and it
/// can be asked for again.
extension Table {
    public var canHint: Bool { canPlay || canTry }

    /// Show what a search of the position that is shown considers, on the board and in a list.
    public func hint() {
        if !canHint { return }
        let (mine, thinker, settings, count) = (turn, opened.thinker, settings, simulations)
        let actions = displayed.actionsShown
        asked = Task {
            let answer = await catchError { try await thinker.analyse(settings, actions, simulations: count) }
            if mine != turn { return }
            asked = nil
            if displayed.actionsShown != actions { return }
            switch answer {
            case .success(let analysis): showAnalysis(analysis)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    private func showAnalysis(_ analysis: Analysis) {
        guard let best = analysis.candidates.first else { return }
        let isOwn = displayed.visible.toMove == displayed.side
        let rate = analysis.rates.map { _ in isOwn ? best.winRate : 1 - best.winRate }
        found = analysis
        advise(best.action, analysis.shares, rate)
    }

    /// Colour the board by the network's policy.
    func warmUp() {
        let (mine, thinker, settings, actions) = (turn, opened.thinker, settings, session.actions)
        asked = Task {
            let answer = await catchError { try await thinker.advise(settings, actions) }
            if mine != turn { return }
            asked = nil
            if isReplay { return }
            switch answer {
            case .success(let advice): showAdvice(advice)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    private func showAdvice(_ advice: Advice) {
        // The lowest action of equals.
        let sorted = advice.policy.sorted { $0.key < $1.key }
        guard var best = sorted.first else { return }
        for each in sorted where each.value > best.value { best = each }
        found = nil
        advise(best.key, advice.policy, advice.winRate)
    }

    private func advise(_ action: Int, _ shares: [Int: Double], _ winRate: Double?) {
        heat = shares
        estimated = nil
        // What the rules did is more than what the network would do.
        if case .forcedPass = notice { return }
        notice = .hint(action: action, share: shares[action] ?? 0, winRate: winRate)
    }

    func forgetHint() {
        (heat, found, estimated) = (nil, nil, nil)
        if notice?.isOfOnePosition == true { notice = nil }
    }
}

extension Session {
    /// The moves that lead to the position that is shown.
    var actionsShown: [Int] { Array(actions.prefix(ply)) }
}
