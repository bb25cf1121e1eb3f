import AzxEngine

/// Live analysis: the shown position is searched for as long as it is shown.
extension Table {
    /// Turn live analysis of a replay on or off.
    public func watchLive(_ wanted: Bool) {
        if wanted == isLive { return }
        isLive = wanted
        forgetHint()
        look()
    }

    /// Search the position that is shown now, and end the search of another one.
    func look() {
        // A person who tries a mistake again finds the move without help.
        let isFree = isLive && isSeen && isReplay && !isAnalysing && retry == nil && !displayed.visible.isTerminal
        let wanted = isFree ? displayed.actionsShown : nil
        // A finished search begins anew if its result was forgotten.
        if wanted == lookedAt, live != nil || found != nil || wanted == nil { return }
        if lookedAt != nil { forgetFound() }
        endLook()
        guard let wanted else { return }
        lookedAt = wanted
        let (thinker, settings, state) = (opened.thinker, settings, displayed.visible)
        live = Task {
            let worths = Worths(state)
            let answer = await catchError {
                try await thinker.analyse(settings, wanted, simulations: nil) { [weak self] in
                    await self?.show($0, await worths.measure($0), of: wanted)
                }
            }
            let points = if case .success(let found) = answer { await worths.measure(found) } else { [Int: Int]?.none }
            if Task.isCancelled { return }
            live = nil
            switch answer {
            case .success(let found): show(found, points, of: wanted)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    func endLook() {
        live?.cancel()
        (live, lookedAt) = (nil, nil)
    }

    private func show(_ analysis: Analysis, _ points: [Int: Int]?, of actions: [Int]) {
        if lookedAt != actions || analysis.candidates.isEmpty { return }
        (found, self.points, heat) = (analysis.putBestFirst(points ?? [:]), points, analysis.shares)
    }
}

/// What the moves of a solved end lose. Each is counted once during a search, away from the main actor. Go has chances instead: its
/// playouts would have to be made anew for each report.
private actor Worths {
    private let state: any State
    private var known: [Int: Int] = [:]

    init(_ state: any State) { self.state = state }

    /// nil if only chances are known.
    func measure(_ found: Analysis) -> [Int: Int]? {
        let more = found.candidates.map(\.action).filter { known[$0] == nil }
        if more.isEmpty && !known.isEmpty { return known }
        guard let points = (try? state.pointsSolved(more)) ?? nil else { return nil }
        known.merge(points) { $1 }
        return known
    }
}
