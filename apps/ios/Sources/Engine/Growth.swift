/// What a search has grown: the tree, and the state and the evaluator's answer of every visited node.
///
/// A simulation is `leaf`, a question to the evaluator if `leaf` returns a state, and `take` with the answer. It is a value
/// and not a part of `Search`, so that overlapping accesses are checked once per call, not at each member.
struct Growth: ~Copyable {
    /// The state at the root.
    private(set) var root: any State
    private(set) var tree = Tree()
    /// The root's visits at the time when its subtree became the tree.
    private(set) var kept = 0
    /// The longest path in plies since then.
    private(set) var deepest = 0
    /// What two plies prove of the root; nil in a plain search.
    private(set) var forced: Forced?
    /// How many simulations in a row have ended at a node whose result was known before.
    private var idle = 0
    private let proves: Bool
    private let nodes: Int
    // By the tree's slots, with one more state while the evaluator is asked about it. An answer is kept until its node is
    // expanded.
    private var states: [any State] = []
    private var answers: [Evaluation?] = []
    // The network's values by slot for a `GumbelRoot`, which reads the root's; empty otherwise.
    private var values: [Double] = []
    private var sharing: GumbelRoot?
    private var early: EarlyStop?
    private var isPlanned = false
    /// In a choice by lower bound: how many standard errors are subtracted.
    private let errors: Double?
    /// How many simulations of this run are still to come.
    private var toCome = 0
    private var constants = Pile<Double>()
    private let constant: @Sendable (Int) -> Double
    private let firstPlay: Double?
    private let trace: (@Sendable ([Int]) -> Void)?

    /// The parameters are those of a `Search`.
    init(
        _ root: any State, _ constant: @escaping @Sendable (Int) -> Double,
        _ trace: (@Sendable ([Int]) -> Void)?, proves: Bool, nodes: Int, settings: SearchSettings
    ) {
        sharing = settings.root.map(GumbelRoot.init)
        early = settings.earlyStop && settings.choosesByVisits ? EarlyStop() : nil
        errors = settings.lowerBound
        firstPlay = settings.firstPlay
        self.root = root
        self.proves = proves
        self.nodes = nodes
        forced = proves ? Forced(root) : nil
        self.constant = constant
        self.trace = trace
    }

    /// The number of positions whose states it holds, which determines its memory.
    var positions: Int { states.count }

    /// How often the root was visited.
    var visits: Int { Int(tree[Tree.root].visits) }

    /// The game's proven result for the player to move, 1, 0 or -1; nil if unproven.
    var result: Int? {
        if let known = forced?.result { return known }
        // The root's mean is that of the player who moved into it.
        return proves && tree.kind(Tree.root) == .closed ? -Int(tree[Tree.root].mean) : nil
    }

    /// As that of a `Search`.
    var isDone: Bool {
        if early?.isOver == true { return true }
        if !proves { return root.isTerminal }
        return root.isTerminal || tree.count >= nodes || idle >= Search.mostIdle || result != nil
    }

    /// Those of the visit `counts` whose actions may be played: they keep the proven result, or are not proven to lose.
    func choice(_ counts: [(action: Int, visits: Int)]) -> [(action: Int, visits: Int)] {
        guard let forced else { return counts }
        if forced.result != nil { return [(forced.moves[0], 0)] }
        let result = result
        return counts.filter { count in
            let node = tree.child(for: count.action)
            let known = node.flatMap { tree.kind($0) == .closed ? Int(tree[$0].mean) : nil }
            return result == nil ? known != -1 : known == result
        }
    }

    /// The best action of `counts`, all of which may be played; nil if `counts` is empty. It is the most visited one (the
    /// lowest of equals), unless the settings say otherwise.
    mutating func best(_ counts: [(action: Int, visits: Int)]) -> Int? {
        guard var best = counts.first else { return nil }
        if sharing != nil, !tree.below(Tree.root).isEmpty {
            return sharing?.best(tree, values[Int(tree[Tree.root].slot)], among: counts.map(\.action))
        }
        for count in counts where count.visits > best.visits { best = count }
        guard let errors, best.visits > 0 else { return best.action }
        let much = counts.filter { Double($0.visits) >= LowerBound.share * Double(best.visits) }
        let bounds = much.map { count in
            tree.child(for: count.action).map { tree.lowerBound($0, errors: errors) } ?? -.infinity
        }
        return bounds.max().flatMap { bounds.firstIndex(of: $0) }.map { much[$0].action }
    }

    /// As that of a `Search`.
    mutating func plan(_ simulations: Int?) {
        belong(simulations)
        isPlanned = true
    }

    private mutating func belong(_ simulations: Int?) {
        sharing?.begin(simulations)
        let before = visits
        early?.begin(before, simulations)
        look()
    }

    /// A run of `simulations` begins, or of fewer if it `isTimed`.
    mutating func beginRun(_ simulations: Int, isTimed: Bool) {
        if !isPlanned { belong(isTimed ? nil : simulations) }
        toCome = simulations
    }

    /// Find out whether the move is decided, if that ends the search.
    private mutating func look() {
        let made = visits
        guard early?.isDue(made) == true else { return }
        let all = tree.below(Tree.root).map { (action: tree.action($0), visits: Int(tree[$0].visits)) }
        let counts = choice(all).map(\.visits)
        early?.look(made, counts)
    }

    /// Walk to a node without a value and return its state, for the evaluator. nil if the game is over there; the
    /// simulation is then counted already.
    mutating func leaf() throws -> (any State)? {
        // The evaluator had no answer.
        if states.count > answers.count { states.removeLast() }
        descend()
        let node = tree.last
        if tree.kind(node) == .closed {
            // All its visits had the same value, so their mean is the result. It is the parent's, so it is negated for
            // the node's own player to move.
            settle(-tree[node].mean)
            idle += 1
            look()
            return nil
        }
        idle = 0
        if node == Tree.root {
            states.append(root)
            return root
        }
        let parent = Int(tree.path[tree.path.count - 2])
        let reached = try states[Int(tree[parent].slot)].apply(tree.action(node))
        states.append(reached)
        if !reached.isTerminal { return reached }
        visit(.closed, nil)
        if sharing != nil { values.append(0) }
        settle(Double(reached.returns() * (1 - 2 * reached.toMove)))
        if proves { tree.closeAbove() }
        look()
        return nil
    }

    /// Keep the evaluator's answer about the state that `leaf` returned last.
    mutating func take(_ answer: consuming Evaluation) {
        let value = answer.value
        visit(.leaf, answer)
        if sharing != nil { values.append(value) }
        settle(value)
        look()
    }

    /// Walk from the root to a node without a value.
    private mutating func descend() {
        // No node has more visits than the root. A table of C is faster than logarithms.
        while constants.count <= visits { constants.append(constant(constants.count)) }
        tree.begin()
        if sharing != nil { enter() }
        tree.descend(constants, firstPlay)
        while tree.kind(tree.last) == .leaf {
            expand(tree.last)
            tree.descend(constants, firstPlay)
        }
    }

    /// Begin the simulation at the child of the root that comes next, once the root has children.
    private mutating func enter() {
        sharing?.count(toCome)
        toCome -= 1
        if tree.kind(Tree.root) == .leaf { expand(Tree.root) }
        if tree.below(Tree.root).isEmpty { return }
        if let child = sharing?.choose(tree, values[Int(tree[Tree.root].slot)]) { tree.follow(child) }
    }

    private mutating func expand(_ node: Int) {
        let slot = Int(tree[node].slot)
        guard let answer = answers[slot] else { fatalError("search: a node was expanded twice, this is a bug.") }
        let left = node == Tree.root ? forced?.moves : nil
        let legal = left ?? states[slot].legalActions()
        tree.expand(node, legal, answer.policy == nil ? nil : answer.weights(legal))
        answers[slot] = nil
    }

    private mutating func visit(_ kind: Tree.Kind, _ answer: consuming Evaluation?) {
        tree.visit(kind)
        answers.append(answer)
    }

    /// Count the simulation; its last node has the `value` for its player to move.
    private mutating func settle(_ value: Double) {
        tree.backUp(value)
        deepest = max(deepest, tree.path.count - 1)
        if let trace { trace((1..<tree.path.count).map { tree.action(Int(tree.path[$0])) }) }
    }

    /// Follow the game by `action` to `next` and keep the tree below it.
    mutating func play(_ action: Int, to next: any State) {
        // Nothing can be kept below a node that was never visited, or at which the game is over.
        guard let node = tree.child(for: action), let kind = tree.kind(node), kind != .closed else {
            values = []
            hold(next, Tree(), [], [])
            return
        }
        var slots: [Int] = []
        let below = tree.subtree(node, &slots)
        if sharing != nil { values = slots.map { values[$0] } }
        hold(next, below, slots.map { states[$0] }, slots.map { answers[$0] })
    }

    /// Replace the tree, and count anew.
    private mutating func hold(
        _ root: any State, _ tree: consuming Tree, _ states: [any State], _ answers: [Evaluation?]
    ) {
        self.root = root
        self.tree = tree
        self.states = states
        self.answers = answers
        sharing?.forget()
        early?.forget()
        isPlanned = false
        kept = visits
        deepest = 0
        idle = 0
        forced = proves ? Forced(root) : nil
        guard let forced, forced.moves.count < self.tree.below(Tree.root).count else { return }
        self.tree.leaveOnly(forced.moves)
        // What is left may be known already.
        self.tree.close(Tree.root)
    }
}
