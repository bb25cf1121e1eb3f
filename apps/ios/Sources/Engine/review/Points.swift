/// What moves of a hint gain or lose against the best of them: boxes or discs in a solved end, points of Go by random playouts.

/// Two means differ if they are this number of standard errors apart.
private let clearly = 2.0
/// On a larger board playouts take too long.
private let largest = 13

extension State {
    /// The gain of each action against the first one, which a search thinks best; nil if only chances are known. GameError if
    /// one of them is illegal.
    public func points(of actions: [Int]) throws -> [Int: Int]? {
        if let state = self as? Go { return try state.pointsSeen(actions) }
        return try pointsSolved(actions)
    }

    /// The gains in a solved end, which need no playouts; nil elsewhere.
    public func pointsSolved(_ actions: [Int]) throws -> [Int: Int]? {
        if !(self is any CountedState) { return nil }
        let before = Known(self)
        if before.margin == nil { return nil }
        var points: [Int: Int] = [:]
        for action in actions {
            guard let lost = before.marginLost(to: Known(try apply(action))) else { return nil }
            points[action] = -lost
        }
        return points
    }
}

extension Go {
    /// The gains by playouts; nil on a large board, and in an opening, in which random games say little.
    fileprivate func pointsSeen(_ actions: [Int]) throws -> [Int: Int]? {
        guard hasBegun, size <= largest, let first = actions.first else { return nil }
        let best = try lead(after: first)
        var points: [Int: Int] = [:]
        for action in actions { points[action] = action == first ? 0 : try lead(after: action).difference(from: best) }
        return points
    }

    private func lead(after action: Int) throws -> Lead {
        let found = try apply(action).ownership()
        let mean = toMove == 0 ? found.meanLead : -found.meanLead
        return Lead(mean: mean, variance: found.spread * found.spread / Double(found.playouts))
    }
}

/// The mean lead of the playouts after a move, for its player, and the square of its standard error.
private struct Lead {
    let mean: Double
    let variance: Double

    /// In whole points; 0 if the playouts cannot tell the two apart.
    func difference(from best: Lead) -> Int {
        let difference = mean - best.mean
        if abs(difference) <= clearly * (variance + best.variance).squareRoot() { return 0 }
        return Int((difference + 0.5).rounded(.down))
    }
}
