import AzxEngine

/// A mistake that a person tries to do better, from the position before it until they find a good move.
public struct Retry: Equatable, Sendable {
    /// The result of the last try.
    public enum Try: Equatable, Sendable {
        /// The person has not tried yet, or the try could not be judged.
        case none
        /// The move that was played in the game.
        case same
        /// A move that is being judged.
        case waiting(Int)
        case judged(JudgedMove)
    }

    public let mistake: JudgedMove
    public internal(set) var last = Try.none

    /// Whether a good move was found.
    public var isDone: Bool { if case .judged(let move) = last { move.verdict == .good } else { false } }
}

extension Table {
    /// Whether the move that is shown is a mistake that has a better one.
    public var canRetry: Bool { isReplay && line == nil && retry == nil && session.judged?.better != nil }
    /// Whether a person is still to find a better move.
    public var isTrying: Bool { retry.map { !$0.isDone } ?? false }

    /// Let a person find a better move than the one that is shown.
    public func tryAgain() {
        guard canRetry, let mistake = session.judged else { return }
        show(at: session.ply - 1)
        retry = Retry(mistake: mistake)
        look()
    }

    /// Judge a move that a person has chosen: a good one is kept, any other is taken back.
    func attempt(_ action: Int) {
        guard line == nil, let retry else { return }
        if action == retry.mistake.action {
            self.retry?.last = .same
            return
        }
        guard let before = session.seen[session.ply], let next = try? Line(session, nil, trying: action) else { return }
        self.retry?.last = .waiting(action)
        lay(next)
        let (mine, thinker, settings, actions, count) = (turn, opened.thinker, settings, next.session.actions, simulations)
        asked?.cancel()
        asked = Task {
            let answer = await catchError { try await thinker.analyse(settings, actions, simulations: count) }
            // A person who looks at another position by now gets no answer about this one.
            if mine != turn || self.retry?.last != .waiting(action) { return }
            asked = nil
            if case .failure(let error) = answer { notice = .noHint(Failure(error)) }
            let found = (try? answer.get()).flatMap { $0.isWhole ? $0.seen : nil }
            judge(next, found.flatMap { Review([before, $0], [action]).moves.first })
        }
    }

    /// Keep the line that begins with the judged move if it is good; else take it back.
    private func judge(_ tried: Line, _ judged: JudgedMove?) {
        retry?.last = judged.map { .judged($0) } ?? .none
        if retry?.isDone == true { keepLine(tried) } else { lay(nil) }
    }

    /// Forget a try that is still being judged.
    func giveUpTry() {
        guard case .waiting = retry?.last else { return }
        retry?.last = .none
        lay(nil)
    }
}
