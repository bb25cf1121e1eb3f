/// When a search ends before its last simulation: as soon as no other move can still be visited as often as the leader.
///
/// With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among
/// others, stop thinking at that point. The move played is the one that the whole search would have played, unless what
/// the rules prove had changed what may be played.
///
/// `visits` are the root's, kept ones counted.
struct EarlyStop {
    /// Whether the root's visits decide the move already.
    private(set) var isOver = false
    // The root's visits at the end, nil if nobody knows, and those at which it is worth a look.
    private var ends: Int?
    private var looksAt = 0

    /// The root is another one.
    mutating func forget() { self = EarlyStop() }

    /// So many simulations belong together from now on; nil: nobody knows how many.
    mutating func begin(_ visits: Int, _ simulations: Int?) {
        ends = simulations.map { visits + $0 }
        looksAt = visits
        isOver = false
    }

    /// Whether it is worth a look at the visits of the moves.
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
