/// The root of a search that shares its simulations out by sequential halving, without random draws.
///
/// A search at the root wants to find the best move, not to visit good ones often. It considers the few moves that look
/// best at first and visits all of them equally often. Then it drops the worse half, and so on until two remain. The best
/// move has the largest logarithm of the prior plus the rescaled value. Danihelka, Guez, Schrittwieser and Silver, "Policy
/// improvement by planning with Gumbel", ICLR 2022. The numbers are those of mctx, without Gumbel's noise: the same
/// position always has the same search.
///
/// All arithmetic is in doubles in the order written, the logarithm too, so that visits are the same in every language.
struct GumbelRoot {
    // If the number of simulations is unknown, this many are shared out first, then twice as many, and so on.
    private static let firstShare = 32
    // A smaller prior counts as this one, so that it has a logarithm.
    private static let leastPrior = 1e-300
    // Values that differ by less count as equal.
    private static let leastSpan = 1e-8

    private let settings: SearchSettings.Gumbel
    private var isOpen = false
    private var size = 0
    private var left = 0
    private var halving: Halving?
    // The root's children, ascending by action (the tree's rows are not). Their visits when the plan began, the logarithms of
    // their priors, their scores, and the place of each action among them.
    private var before: [Int32]?
    private var logits: [Double] = []
    private var scores: [Double] = []
    private var places: [Int] = []
    // The current row of each of them.
    private var rows: [Int] = []

    init(_ settings: SearchSettings.Gumbel) { self.settings = settings }

    /// Begin anew, for another root.
    mutating func forget() { self = GumbelRoot(settings) }

    /// From now on `simulations` belong together; nil if their number is unknown.
    mutating func begin(_ simulations: Int?) {
        isOpen = simulations == nil
        shareOut(simulations ?? Self.firstShare)
    }

    private mutating func shareOut(_ simulations: Int) {
        (size, left) = (simulations, simulations)
        (halving, before) = (nil, nil)
    }

    /// A simulation begins; `toCome` simulations of its run are left, itself included.
    mutating func count(_ toCome: Int) {
        if left == 0 { shareOut(isOpen ? 2 * size : toCome) }
        left -= 1
    }

    /// The root's child that the simulation counted last visits; `value` is the network's of the root.
    mutating func choose(_ tree: borrowing Tree, _ value: Double) -> Int {
        look(tree)
        if halving == nil { halving = Halving(min(settings.considered, rows.count), left + 1) }
        let before = before ?? rows.map { tree[$0].visits }
        self.before = before
        let step = halving?.step() ?? 0
        score(tree, value)
        var best = -1
        for at in rows.indices where Int(tree[rows[at]].visits - before[at]) == step {
            if best < 0 || scores[at] > scores[best] { best = at }
        }
        return rows[best]
    }

    /// The best of the `actions`, which are ascending: by score among those visited most since the plan began.
    mutating func best(_ tree: borrowing Tree, _ value: Double, among actions: [Int]) -> Int {
        look(tree)
        score(tree, value)
        var (best, most) = (actions[0], Int32.min)
        for action in actions {
            let at = places[action]
            let news = tree[rows[at]].visits - (before?[at] ?? 0)
            if news > most || (news == most && scores[at] > scores[places[best]]) { (best, most) = (action, news) }
        }
        return best
    }

    /// Find the rows of the children, which change places when they are visited.
    private mutating func look(_ tree: borrowing Tree) {
        let below = tree.below(Tree.root)
        if logits.isEmpty {
            rows = below.sorted { tree.action($0) < tree.action($1) }
            places = Array(repeating: 0, count: tree.action(rows[rows.count - 1]) + 1)
            for at in rows.indices { places[tree.action(rows[at])] = at }
            logits = rows.map { logarithm(max(Self.leastPrior, tree[$0].prior)) }
            scores = logits
        }
        for row in below { rows[places[tree.action(row)]] = row }
    }

    /// Score the children. A child without a visit has the mean of `value` and the visited ones' values, weighted by their
    /// priors. All values are stretched to the range 0 to 1.
    private mutating func score(_ tree: borrowing Tree, _ value: Double) {
        var (visits, most) = (0, 0)
        var priors = 0.0
        for row in rows {
            let count = Int(tree[row].visits)
            visits += count
            most = max(most, count)
            if count > 0 { priors += max(Self.leastPrior, tree[row].prior) }
        }
        var weighted = 0.0
        for row in rows where tree[row].visits > 0 {
            weighted += max(Self.leastPrior, tree[row].prior) * tree[row].mean / priors
        }
        let mixed = (value + Double(visits) * weighted) / Double(visits + 1)
        var (low, high) = (Double.infinity, -Double.infinity)
        for at in rows.indices {
            scores[at] = tree[rows[at]].visits > 0 ? tree[rows[at]].mean : mixed
            low = min(low, scores[at])
            high = max(high, scores[at])
        }
        let scale = (settings.visit + Double(most)) * settings.scale
        let span = max(high - low, Self.leastSpan)
        for at in rows.indices { scores[at] = logits[at] + scale * ((scores[at] - low) / span) }
    }
}

/// The order of visits: the next simulation visits a move that has as many visits as `step` says.
struct Halving {
    private var moves: Int
    private let simulations: Int
    private let halvings: Int
    private var visits = 0
    private var rounds = 0
    private var toVisit = 0

    /// `moves` is the number of moves to choose from, `simulations` the number of simulations to share out.
    init(_ moves: Int, _ simulations: Int) {
        (self.moves, self.simulations) = (moves, simulations)
        halvings = max(1, Int.bitWidth - (moves - 1).leadingZeroBitCount)
        beginPhase()
    }

    private mutating func beginPhase() {
        rounds = max(1, simulations / (halvings * moves))
        toVisit = moves
    }

    /// The visits that the next simulation's move has so far in this plan.
    mutating func step() -> Int {
        if toVisit == 0 {
            visits += 1
            rounds -= 1
            toVisit = moves
            if rounds == 0 {
                moves = max(min(2, moves), moves / 2)
                beginPhase()
            }
        }
        toVisit -= 1
        return visits
    }
}

/// The natural logarithm of a number above 0 and at most 1, by arithmetic that is the same in every language.
///
/// For m from sqrt(1/2) to 1, and s = (m - 1) / (m + 1): ln m = 2 (s + s^3/3 + s^5/5 + ...).
func logarithm(_ number: Double) -> Double {
    var (left, doublings) = (number, 0.0)
    while left < 0.7071067811865476 {
        left *= 2
        doublings += 1
    }
    let s = (left - 1) / (left + 1)
    let square = s * s
    var total = 0.0
    for odd in stride(from: 21.0, to: 0, by: -2) { total = total * square + 1 / odd }
    return 2 * s * total - doublings * 0.6931471805599453
}
