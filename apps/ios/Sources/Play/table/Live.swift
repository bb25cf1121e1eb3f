import AzxEngine

/// A position that is looked at for as long as it is shown: what the search considers there, deeper and deeper.
extension Table {
    /// Look at whatever position of a replay is shown, or no more.
    public func watchLive(_ wanted: Bool) {
        if wanted == isLive { return }
        isLive = wanted
        forgetHint()
        look()
    }

    /// Look at the position that is shown now, and no more at another one.
    func look() {
        // What a person is to find themselves is not shown to them.
        let isFree = isLive && isSeen && isReplay && !isAnalysing && retry == nil && !displayed.visible.isTerminal
        let wanted = isFree ? displayed.actionsShown : nil
        // One that was looked at to the end is looked at again where that was forgotten.
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

/// What moves of an end that is solved lose, each counted once while the search goes on, away from the main actor; not
/// before it has something to tell. Of Go playouts would have to be made anew for each that is told: there it says chances.
private actor Worths {
    private let state: any State
    private var known: [Int: Int] = [:]

    init(_ state: any State) { self.state = state }

    /// nil where chances alone are known.
    func measure(_ found: Analysis) -> [Int: Int]? {
        let more = found.candidates.map(\.action).filter { known[$0] == nil }
        if more.isEmpty && !known.isEmpty { return known }
        guard let points = (try? state.pointsSolved(more)) ?? nil else { return nil }
        known.merge(points) { $1 }
        return known
    }
}
