/// What is certain of a move that a search considers, before what the search says of it.

extension Candidate {
    /// The same with the chance that is certain for who plays it from `state`, of which `known` is known: a move that keeps a
    /// result has that result's chance, one that does not has no larger one.
    public func corrected(in state: any State, _ known: Known) -> Candidate {
        guard let chance = certainChance(in: state, known) else { return self }
        return Candidate(action: action, visits: visits, winRate: chance, prior: prior)
    }

    private func certainChance(in state: any State, _ known: Known) -> Double? {
        let result = known.certainChance
        if let result, known.left.contains(action) || result == 0 { return result }
        // Ends that are counted are told in boxes or discs, and to solve one more for each move takes long.
        if !(state is DotsAndBoxes || state is Reversi), let after = try? state.apply(action) {
            let seen = after.isTerminal ? Double(1 + after.returns() * (1 - 2 * after.toMove)) / 2 : Known(after).certainChance
            if let seen { return after.toMove == state.toMove ? seen : 1 - seen }
        }
        // The table of openings knows what the move gives away, and not always what is left.
        if known.outcome != nil, let result { return min(winRate, result - 0.5) }
        return result.map { min(winRate, $0) }
    }
}
