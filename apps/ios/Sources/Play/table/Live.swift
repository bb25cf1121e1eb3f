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
        let (thinker, settings) = (opened.thinker, settings)
        live = Task {
            let answer = await catchError {
                try await thinker.analyse(settings, wanted, simulations: nil) { [weak self] in
                    await self?.show($0, of: wanted)
                }
            }
            if Task.isCancelled { return }
            live = nil
            switch answer {
            case .success(let found): show(found, of: wanted)
            case .failure(let error): notice = .noHint(Failure(error))
            }
        }
    }

    func endLook() {
        live?.cancel()
        (live, lookedAt) = (nil, nil)
    }

    private func show(_ analysis: Analysis, of actions: [Int]) {
        if lookedAt != actions || analysis.candidates.isEmpty { return }
        (found, points, heat) = (analysis, nil, analysis.shares)
    }
}
