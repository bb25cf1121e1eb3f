import AzxEngine

/// What the network thinks of a position, for a person who asks. A hint is a help: without one the game goes on, and it
/// can be asked for again.
extension Table {
    /// Colour the board by the network's policy.
    public func hint() { if canPlay { warmUp() } }

    func warmUp() {
        let (mine, thinker, settings, actions) = (turn, opened.thinker, settings, session.actions)
        asked = Task {
            let answer = await caught { try await thinker.advise(settings, actions) }
            if mine != turn { return }
            asked = nil
            switch answer {
            case .success(let advice): advised(advice)
            case .failure(let error): notice = .noHint(Refusal(error))
            }
        }
    }

    private func advised(_ advice: Advice) {
        // The lowest action of equals.
        let sorted = advice.policy.sorted { $0.key < $1.key }
        guard var best = sorted.first else { return }
        for each in sorted where each.value > best.value { best = each }
        heat = advice.policy
        estimated = nil
        // What the rules did is more than what the network would do.
        if case .forcedPass = notice { return }
        notice = .hint(action: best.key, share: best.value, winRate: advice.winRate)
    }

    func forgetHint() {
        (heat, estimated) = (nil, nil)
        if notice?.isAdvice == true { notice = nil }
    }
}
