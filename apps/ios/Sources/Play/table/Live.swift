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
        if lookedAt != nil { (found, points, heat) = (nil, nil, nil) }
        endLook()
        guard let wanted else { return }
        lookedAt = wanted
        let (thinker, settings, state) = (opened.thinker, settings, displayed.visible)
        live = Task {
            // Nil where chances alone are known; playouts of Go would take what the search needs.
            let points = await pointsSolved(state)
            let answer = await catchError {
                try await thinker.analyse(settings, wanted, simulations: nil) { [weak self] in
                    await self?.show($0, points, of: wanted)
                }
            }
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

/// What each move of a solved end loses, away from the main actor.
private nonisolated func pointsSolved(_ state: any State) async -> [Int: Int]? {
    (try? state.pointsSolved(state.legalActions())) ?? nil
}
