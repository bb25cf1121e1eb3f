/// What is proven after a move that a search considers, before what the search says of it.

extension Candidate {
    /// The same with the result that is proven after the move in place of the chance that the search has found.
    ///
    /// Ends that are counted stay as they are: a hint tells them in boxes or discs, and solving one more for each move takes long.
    public func corrected(in state: any State) -> Candidate {
        guard !(state is any CountedState), let after = try? state.apply(action) else { return self }
        let result = after.isTerminal ? Double(1 + after.returns() * (1 - 2 * after.toMove)) / 2 : Known(after).certainChance
        guard let result else { return self }
        let chance = after.toMove == state.toMove ? result : 1 - result
        return Candidate(action: action, visits: visits, winRate: chance, prior: prior)
    }
}
