/// What moves of a hint gain or lose against the best of them in what their game is counted in: boxes or discs of an end
/// that is solved, points of Go as random playouts see them.

/// So many standard errors apart two means are said to differ.
private let clearly = 2.0
/// On a larger board playouts take too long.
private let largest = 13

extension State {
    /// By action, against the first one, which a search thinks best; nil if nothing is known but chances. GameError if
    /// one of them is illegal.
    public func points(of actions: [Int]) throws -> [Int: Int]? {
        if let state = self as? Go { return try state.pointsSeen(actions) }
        return try pointsSolved(actions)
    }

    /// Those of an end that is solved alone: as fast as it is solved, and the same whatever a search thinks.
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
    /// nil in an opening, where random games say little of what a stone is worth, and on a large board.
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

/// A mean of the playouts after a move, for who makes it, and the square of its standard error.
private struct Lead {
    let mean: Double
    let variance: Double

    /// In whole points; 0 where the playouts do not tell the two apart.
    func difference(from best: Lead) -> Int {
        let difference = mean - best.mean
        if abs(difference) <= clearly * (variance + best.variance).squareRoot() { return 0 }
        return Int((difference + 0.5).rounded(.down))
    }
}
