/// The search tree as one array of rows, a row a node.
///
/// A row is what a node's parent knows of it (action, prior, visits, total) and where its children are, side by side
/// from `first` on. `total` is seen by the player to move in the parent. Nothing here knows of games or networks.
/// Rows and not an object a node: a search makes very many, and the choice of a child reads them in order.
struct Tree {
    /// What is known of a node: nothing, its value, its children too, or that the game is over there.
    enum Kind: UInt8 { case fresh, leaf, open, closed }

    struct Row {
        var prior = 1.0
        var total = 0.0
        /// Q: total divided by visits, 0 before the first; kept, as it is read far more often than it changes.
        var mean = 0.0
        var visits: Int32 = 0
        var first: Int32 = 0
        var children: Int32 = 0
        var action: Int32 = 0
        /// A number of the caller's: where it keeps what belongs to a node that is no longer fresh.
        var slot: Int32 = 0
        var kind = Kind.fresh
    }

    static let root = 0
    /// The root is always there.
    private(set) var rows = [Row()]

    subscript(node: Int) -> Row { rows[node] }

    /// The rows of a node's children.
    func below(_ node: Int) -> Range<Int> {
        let first = Int(rows[node].first)
        return first..<first + Int(rows[node].children)
    }

    /// A node's value is known now, and what belongs to it is in the caller's `slot`.
    mutating func evaluated(_ node: Int, slot: Int) {
        rows[node].kind = .leaf
        rows[node].slot = Int32(slot)
    }

    /// What belongs to a node has moved to another slot.
    mutating func moved(_ node: Int, to slot: Int) {
        rows[node].slot = Int32(slot)
    }

    /// The game is over at a node.
    mutating func close(_ node: Int) {
        rows[node].kind = .closed
    }

    /// Follow the best children from `node` to the first one that has none yet, which is returned; `path` is led there.
    ///
    /// The best child has the largest Q + ((C*P)*sqrt(N)) / (1+n), evaluated in this order in doubles, C being the one of
    /// `constants` for N; the first of equals has the lowest action. Swift joins no multiplication and addition into one
    /// rounding unless it is told to.
    func descend(from node: Int, _ constants: [Double], _ path: inout [Int]) -> Int {
        rows.withUnsafeBufferPointer { rows in
            var node = node
            while rows[node].kind == .open {
                let visits = rows[node].visits
                let (exploration, root) = (constants[Int(visits)], Double(visits).squareRoot())
                let first = Int(rows[node].first)
                var best = first
                var bestScore = -Double.infinity
                for child in first..<first + Int(rows[node].children) {
                    let bonus = exploration * rows[child].prior * root
                    let count = rows[child].visits
                    // Of a child without a visit Q is 0 and the bonus is divided by 1: the same without the division.
                    let score = count == 0 ? bonus : rows[child].mean + bonus / Double(1 + count)
                    if score > bestScore { (best, bestScore) = (child, score) }
                }
                node = best
                path.append(node)
            }
            return node
        }
    }

    /// Count one simulation along `path`, whose last node is worth `value` to its player to move.
    mutating func backUp(_ path: [Int], value: Double) {
        rows.withUnsafeMutableBufferPointer { rows in
            var worth = value
            for node in path.reversed() {
                worth = -worth
                rows[node].visits += 1
                rows[node].total += worth
                rows[node].mean = rows[node].total / Double(rows[node].visits)
            }
        }
    }

    /// Give `node` a child for each legal action, with the weights, divided by their sum, as priors.
    ///
    /// `legal` is ascending and the weights are summed in that order. A sum of 0 means uniform.
    mutating func expand(_ node: Int, _ legal: [Int], _ weights: [Double]) {
        var sum = 0.0
        for weight in weights { sum += weight }
        rows[node].first = Int32(rows.count)
        rows[node].children = Int32(legal.count)
        rows[node].kind = .open
        for (action, weight) in zip(legal, weights) {
            rows.append(Row(prior: sum > 0 ? weight / sum : 1 / Double(legal.count), action: Int32(action)))
        }
    }

    /// The root's child for `action`; nil where it has none.
    func child(for action: Int) -> Int? {
        below(Self.root).first { rows[$0].action == action }
    }

    /// The tree of `top` and of everything below it, parents before children, siblings side by side.
    ///
    /// Copied row by row in the order of the new tree, which is the queue of what is still to be copied: no recursion,
    /// whose depth a long game's line would decide.
    func subtree(_ top: Int) -> Tree {
        var kept = Tree()
        kept.rows[Self.root] = rows[top]
        var node = 0
        while node < kept.rows.count {
            if kept.rows[node].kind == .open {
                // A copied row still says where its children were; from now on, where they are.
                let were = kept.below(node)
                kept.rows[node].first = Int32(kept.rows.count)
                kept.rows += rows[were]
            }
            node += 1
        }
        return kept
    }
}
