/// The search tree: a row for each node, and a bough for each node that was visited.
///
/// The choice of a child reads rows in order, so they are small and lie side by side: a search makes very many, and visits
/// few of them. The bough has everything else about a node. Nothing here knows of games or networks.
struct Tree: ~Copyable {
    /// What is known of a visited node: its value, also its children, or the game's result. The game is over at a closed node
    /// or, in a search that proves, its children decide the result.
    enum Kind: UInt8 { case leaf, open, closed }

    struct Row {
        var prior = 1.0
        /// Q: the bough's total divided by visits, 0 before the first visit. It is stored because it is read far more often
        /// than it changes.
        var mean = 0.0
        var visits: Int32 = 0
        /// The number of the node's bough, by which the caller stores its own data too; `none` before the first visit.
        var slot: Int32 = Tree.none
    }

    struct Bough {
        /// The sum of all visits' values, for the player to move in the parent.
        var total = 0.0
        /// The sum of the squares of those values.
        var squares = 0.0
        /// The row of the first child. The children lie side by side, the visited ones first, in the order of first visits.
        var first: Int32 = 0
        var children: Int32 = 0
        var visited: Int32 = 0
        /// The best child without a visit, counted from `first`; `none` if it has to be looked for, `unclear` if all have to be
        /// compared.
        var next: Int32 = Tree.none
        var kind: Kind
        /// Whether all children have the same prior; their first visits then follow their order.
        var isEven = false
    }

    static let root = 0
    static let none: Int32 = -1
    private static let unclear: Int32 = -2
    private var rows = Pile<Row>()
    /// The action that leads to each row; the root's does not matter.
    private var actions = Pile<UInt16>()
    private var boughs = Pile<Bough>()
    /// The nodes of the simulation that is being made, from the root on.
    private(set) var path = Pile<Int32>()

    /// The root alone.
    init() { self.init(Row()) }

    private init(_ root: Row) {
        rows.append(root)
        actions.append(0)
    }

    subscript(node: Int) -> Row { rows[node] }

    func action(_ node: Int) -> Int { Int(actions[node]) }

    /// The kind of a node; nil if it was never visited.
    func kind(_ node: Int) -> Kind? {
        let slot = rows[node].slot
        return slot == Self.none ? nil : boughs[Int(slot)].kind
    }

    /// The rows of a node's children, in no order.
    func below(_ node: Int) -> Range<Int> {
        let slot = rows[node].slot
        return slot == Self.none ? 0..<0 : below(boughs[Int(slot)])
    }

    private func below(_ bough: Bough) -> Range<Int> { Int(bough.first)..<Int(bough.first + bough.children) }

    /// Visit the path's last node, a leaf or closed, for the first time; its slot is the next number.
    mutating func visit(_ kind: Kind) {
        if path.count > 1 { moveForward() }
        rows[last].slot = Int32(boughs.count)
        boughs.append(Bough(kind: kind))
    }

    /// Exchange the path's last node with the first of its siblings without a visit.
    private mutating func moveForward() {
        let parent = Int(rows[Int(path[path.count - 2])].slot)
        let (from, to) = (last, Int(boughs[parent].first + boughs[parent].visited))
        boughs[parent].visited += 1
        boughs[parent].next = Self.none
        if from == to { return }
        (rows[from], rows[to]) = (rows[to], rows[from])
        (actions[from], actions[to]) = (actions[to], actions[from])
        path[path.count - 1] = Int32(to)
    }

    /// Begin a simulation: its path is the root.
    mutating func begin() {
        path.removeAll()
        path.append(Int32(Self.root))
    }

    /// Go on from the path's last node to its child in the row `child`.
    mutating func follow(_ child: Int) { path.append(Int32(child)) }

    /// Follow the best children from the path's last node to the first one that has none yet.
    ///
    /// The best child has the largest Q + ((C*P)*sqrt(N)) / (1+n), computed in this order in doubles; of equals it has the lowest
    /// action. C is the one of `constants` for N. Swift does not fuse multiplication and addition on its own.
    ///
    /// Q of a child without a visit is 0 or, with a `firstPlay`, the node's own value less that.
    mutating func descend(_ constants: borrowing Pile<Double>, _ firstPlay: Double?) {
        var node = last
        while rows[node].slot != Self.none {
            let slot = Int(rows[node].slot)
            if boughs[slot].kind != .open { break }
            let visits = rows[node].visits
            let (exploration, root) = (constants[Int(visits)], Double(visits).squareRoot())
            if let firstPlay {
                // The node's mean is that of the player who moved into it. No move is worth less than a loss.
                node = bestOfAll(boughs[slot], exploration, root, unseen: max(-1, -rows[node].mean - firstPlay))
            } else {
                node = best(slot, exploration, root)
            }
            path.append(Int32(node))
        }
    }

    /// The best child of the node that has the bough `slot`.
    ///
    /// Of the children without a visit only the one with the largest prior is compared: Q and n are 0 for all of them. A node
    /// has many of them, and most are never visited.
    private mutating func best(_ slot: Int, _ exploration: Double, _ root: Double) -> Int {
        if boughs[slot].next == Self.none { boughs[slot].next = nextUnvisited(boughs[slot]) }
        let bough = boughs[slot]
        let first = Int(bough.first)
        let visited = first..<first + Int(bough.visited)
        // For a C near 0, or near where doubles end, a larger prior may be no larger score.
        let isUsual = exploration > 1e-3 && exploration < 1e3
        if bough.next == Self.unclear || !isUsual { return bestOfAll(bough, exploration, root) }
        let (best, bestScore) =
            bough.isEven
            ? bestVisited(visited, exploration, root, areInOrder: true)
            : bestVisited(visited, exploration, root, areInOrder: false)
        if bough.visited == bough.children { return bestScore > -.infinity ? best : bestOfAll(bough, exploration, root) }
        let next = first + Int(bough.next)
        // Q is 0 and the bonus is divided by 1: the same without the two.
        let score = exploration * rows[next].prior * root
        return score > bestScore || (score == bestScore && actions[next] < actions[best]) ? next : best
    }

    /// The best of some visited children, and its score; actions are compared only if their order is unknown.
    @inline(__always)
    private func bestVisited(
        _ children: Range<Int>, _ exploration: Double, _ root: Double, areInOrder: Bool
    ) -> (Int, Double) {
        var best = children.lowerBound
        var bestScore = -Double.infinity
        for child in children {
            let row = rows[child]
            let score = row.mean + exploration * row.prior * root / Double(1 &+ row.visits)
            if score > bestScore || (!areInOrder && score == bestScore && actions[child] < actions[best]) {
                (best, bestScore) = (child, score)
            }
        }
        return (best, bestScore)
    }

    /// The child without a visit, counted from the first child, that has the largest prior (of equals the lowest action);
    /// `unclear` if another prior is so near that rounding of the scores decides.
    private func nextUnvisited(_ bough: Bough) -> Int32 {
        // The number does not matter if there is none.
        if bough.isEven || bough.visited == bough.children { return bough.visited }
        let first = Int(bough.first)
        var found = first + Int(bough.visited)
        var (largest, second) = (-Double.infinity, -Double.infinity)
        for child in found..<first + Int(bough.children) {
            let prior = rows[child].prior
            if !(prior > second) { continue }
            if prior > largest {
                (second, largest, found) = (largest, prior, child)
            } else if prior < largest {
                second = prior
            } else if actions[child] < actions[found] {
                found = child
            }
        }
        // The smallest doubles have fewer digits.
        let isClear = largest == 0 || second < largest * (1 - 1e-14) - 1e-290
        return isClear ? Int32(found - first) : Self.unclear
    }

    /// The best child, if children without a visit are worth `unseen`. All are compared: in the sum with `unseen` rounding may
    /// make the scores of two priors equal.
    private func bestOfAll(_ bough: Bough, _ exploration: Double, _ root: Double, unseen: Double = 0) -> Int {
        let visited = Int(bough.first)..<Int(bough.first + bough.visited)
        var (best, bestScore) = bestVisited(visited, exploration, root, areInOrder: false)
        for child in visited.upperBound..<Int(bough.first + bough.children) {
            let score = unseen + exploration * rows[child].prior * root
            if score > bestScore || (score == bestScore && actions[child] < actions[best]) {
                (best, bestScore) = (child, score)
            }
        }
        // The lowest action, if all scores are NaN.
        if bestScore == -.infinity { for child in below(bough) where actions[child] < actions[best] { best = child } }
        return best
    }

    /// The path's last node.
    var last: Int { Int(path[path.count - 1]) }

    /// Count one simulation along the path; its last node has the `value` for its player to move.
    mutating func backUp(_ value: Double) {
        var worth = value
        for at in (0..<path.count).reversed() {
            worth = -worth
            let node = Int(path[at])
            let slot = Int(rows[node].slot)
            boughs[slot].total += worth
            boughs[slot].squares += worth * worth
            rows[node].visits += 1
            rows[node].mean = boughs[slot].total / Double(rows[node].visits)
        }
    }

    /// Close each node above the path's last one whose children decide its result.
    mutating func closeAbove() {
        for at in (0..<path.count - 1).reversed() {
            if !close(Int(path[at])) { return }
        }
    }

    /// Close `node`, which has children, if one of them wins for its mover or all are known; whether it is closed now.
    ///
    /// A closed node has its result as the value of every visit, also of earlier ones.
    @discardableResult
    mutating func close(_ node: Int) -> Bool {
        var best = -1.0
        var isOpen = false
        for child in below(node) {
            if kind(child) == .closed { best = max(best, rows[child].mean) } else { isOpen = true }
        }
        if isOpen && best < 1 { return false }
        let slot = Int(rows[node].slot)
        boughs[slot].kind = .closed
        boughs[slot].total = -best * Double(rows[node].visits)
        boughs[slot].squares = best * best * Double(rows[node].visits)
        rows[node].mean = -best
        return true
    }

    /// Keep only the root's children for `moves`, their priors divided by their sum. What is below the others stays in the tree,
    /// out of reach.
    mutating func leaveOnly(_ moves: [Int]) {
        let root = Int(rows[Self.root].slot)
        let left = below(Self.root).filter { moves.contains(action($0)) }
        // Ascending, so that the sum is that of every language.
        let priors = left.sorted { action($0) < action($1) }.map { rows[$0].prior }
        let sum = priors.reduce(0, +)
        boughs[root].first = Int32(rows.count)
        boughs[root].children = Int32(left.count)
        boughs[root].visited = Int32(left.count { rows[$0].slot != Self.none })
        boughs[root].next = Self.none
        for node in left {
            var row = rows[node]
            row.prior = sum > 0 ? row.prior / sum : 1 / Double(left.count)
            rows.append(row)
            actions.append(actions[node])
        }
    }

    /// The rows in use.
    var count: Int { rows.count }

    /// Give `node` a child for each legal action; the priors are the weights divided by their sum.
    ///
    /// `legal` is ascending, and the weights are summed in that order. Without weights, or with a sum of 0, all priors are equal.
    mutating func expand(_ node: Int, _ legal: [Int], _ weights: [Double]?) {
        let slot = Int(rows[node].slot)
        boughs[slot].first = Int32(rows.count)
        boughs[slot].children = Int32(legal.count)
        boughs[slot].kind = .open
        var sum = 0.0
        for weight in weights ?? [] { sum += weight }
        if let weights, sum > 0 {
            for weight in weights { rows.append(Row(prior: weight / sum)) }
        } else {
            boughs[slot].isEven = true
            let even = Row(prior: 1 / Double(legal.count))
            for _ in legal { rows.append(even) }
        }
        for action in legal { actions.append(UInt16(action)) }
    }

    /// The lower bound of a visited node's value, for the player to move in its parent.
    func lowerBound(_ node: Int, errors: Double) -> Double {
        let bough = boughs[Int(rows[node].slot)]
        return LowerBound.of(Int(rows[node].visits), total: bough.total, squares: bough.squares, errors: errors)
    }

    /// A node's child with the most visits, the lowest action of equals; nil if none was visited.
    func mostVisited(_ node: Int) -> Int? {
        below(node).filter { rows[$0].visits > 0 }.max {
            (rows[$0].visits, actions[$1]) < (rows[$1].visits, actions[$0])
        }
    }

    /// The root's child for `action`; nil if it has none.
    func child(for action: Int) -> Int? {
        below(Self.root).first { self.action($0) == action }
    }

    /// The tree of `top` and everything below it, parents before children, siblings side by side. `slots` gets the old slot of
    /// each new slot.
    ///
    /// Rows are copied in the order of the new tree, which is also the queue. Recursion would be as deep as a game is long.
    func subtree(_ top: Int, _ slots: inout [Int]) -> Tree {
        var kept = Tree(rows[top])
        var node = 0
        while node < kept.rows.count {
            // A copied row still has its old slot, whose bough says where its children were.
            let slot = Int(kept.rows[node].slot)
            if slot != Self.none {
                var bough = boughs[slot]
                let were = below(bough)
                bough.first = Int32(kept.rows.count)
                kept.rows[node].slot = Int32(slots.count)
                kept.boughs.append(bough)
                kept.rows.append(rows, were)
                kept.actions.append(actions, were)
                slots.append(slot)
            }
            node += 1
        }
        return kept
    }
}
