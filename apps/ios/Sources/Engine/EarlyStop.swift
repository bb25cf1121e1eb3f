/// Ends a search before its last simulation, as soon as no other move can be visited as often as the leader.
///
/// With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among
/// others, stop thinking at that point. The whole search would have played the same move, unless a later proof had
/// excluded it. `visits` are the root's, including those kept from an earlier search.
struct EarlyStop {
    /// Whether the root's visits decide the move already.
    private(set) var isOver = false
    // The root's visits at the end, nil if unknown, and the visits at which the next look is due.
    private var ends: Int?
    private var looksAt = 0

    /// Begin anew, for another root.
    mutating func forget() { self = EarlyStop() }

    /// From now on `simulations` belong together; nil if their number is unknown.
    mutating func begin(_ visits: Int, _ simulations: Int?) {
        ends = simulations.map { visits + $0 }
        looksAt = visits
        isOver = false
    }

    /// Whether a look at the visits of the moves may show that the move is decided.
    func isDue(_ visits: Int) -> Bool { ends != nil && !isOver && visits >= looksAt }

    /// Find out whether the move is decided; `counts` are the visits of the moves that may be played.
    mutating func look(_ visits: Int, _ counts: [Int]) {
        guard let ends else { return }
        let sorted = counts.sorted(by: >) + [0, 0]
        let (lead, left) = (sorted[0] - sorted[1], ends - visits)
        isOver = lead > left
        // Each simulation adds at most 1 to the lead and takes 1 from what is left.
        looksAt = visits + (left - lead) / 2 + 1
    }
}
