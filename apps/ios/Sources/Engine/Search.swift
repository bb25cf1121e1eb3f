/// Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.
///
///     let search = Search(Connect4(), evaluator)
///     try await search.run(200)
///     try await search.bestAction()
///     try await search.play(38)  // the tree below the move is kept
///
/// In each simulation the child with the largest Q + ((C*P)*sqrt(N)) / (1+n) is followed from the root to a node that
/// was not visited yet; its value is added up on the way back, negated at every ply.
/// C = ln((1 + N + 19652) / 19652) + 1.25 (Silver et al., "A general reinforcement learning algorithm that masters
/// chess, shogi, and Go through self-play", 2018, pseudocode).

import Foundation

/// What a search has found: `action` is the best one, `winRate` its expected result as a chance, 0 to 1.
///
/// `simulations` are those of this move, `visits` those of the best action (kept ones counted), `depth` the longest
/// line in plies, `seconds` the time spent on this move.
public struct Report: Equatable, Sendable {
    public let action: Int
    public let simulations: Int
    public let visits: Int
    public let depth: Int
    public let winRate: Double
    public let seconds: Double
}

/// One of the root's actions; `mean` is its value, -1 to 1, for the player to move; 0 where it was never visited.
public struct Child: Equatable, Sendable {
    public let action: Int
    public let visits: Int
    public let mean: Double
    public let prior: Double
}

/// A tree above one state of a game, which grows with `run` and follows the game with `play`.
///
/// An actor, so that a screen may ask what has been found while `run` thinks off the main thread: it is answered
/// while the evaluator is waited for, and now and then where the evaluator answers at once.
public actor Search {
    /// The state at the root.
    public private(set) var state: any State
    /// Whether `run` has begun and not ended.
    public var isRunning: Bool { since != nil }

    private let evaluator: any Evaluator
    private let constant: @Sendable (Int) -> Double
    private let trace: (@Sendable ([Int]) -> Void)?
    private var tree = Tree()
    // What belongs to the nodes that have been evaluated, by their slot: few of the tree's rows ever have a state. An
    // answer is needed until its node is expanded.
    private var states: [any State] = []
    private var answers: [Evaluation?] = []
    private var path: [Int] = []
    private var constants: [Double] = []
    private var kept = 0
    private var deepest = 0
    private var spent = Duration.zero
    private var since: ContinuousClock.Instant?
    private let stopped = Flag()

    /// C of a node visited so often.
    @Sendable
    public static func exploration(_ visits: Int) -> Double {
        log((1 + Double(visits) + 19652) / 19652) + 1.25
    }

    /// `constant` gives C by a node's visits; `trace` is called with the actions of every simulation's path.
    public init(
        _ root: any State, _ evaluator: any Evaluator,
        constant: @escaping @Sendable (Int) -> Double = Search.exploration,
        trace: (@Sendable ([Int]) -> Void)? = nil
    ) {
        state = root
        self.evaluator = evaluator
        self.constant = constant
        self.trace = trace
    }

    /// Forget the tree and stand at `state`.
    public func reset(_ state: any State) throws {
        try refuseWhileRunning()
        self.state = state
        hold(Tree(), [], [])
    }

    /// Put a tree in the place of the old one, and count simulations and time anew.
    private func hold(_ tree: Tree, _ states: [any State], _ answers: [Evaluation?]) {
        self.tree = tree
        self.states = states
        self.answers = answers
        kept = Int(tree[Tree.root].visits)
        deepest = 0
        spent = .zero
    }

    /// Make `simulations` new ones, or as many as `seconds` allow, and at least one; none where the game is over.
    ///
    /// Returns how many there were. `stop` ends it early, and so does the end of the task that it runs in.
    @discardableResult
    public func run(_ simulations: Int, seconds: Double = .infinity) async throws -> Int {
        try refuseWhileRunning()
        let begin = ContinuousClock.now
        since = begin
        stopped.lower()
        defer {
            spent += ContinuousClock.now - begin
            since = nil
        }
        var made = 0
        while made < simulations, !stopped.isRaised, !Task.isCancelled, !state.isTerminal {
            descend()
            if let leaf = try newLeaf() { take(leaf, try await evaluator.evaluate(leaf)) }
            made += 1
            if seconds != .infinity, ContinuousClock.now - begin >= .seconds(seconds) { break }
            // Others have their turn, even where nothing was waited for.
            if made % 256 == 0 { await Task.yield() }
        }
        return made
    }

    /// End a running `run` after the simulation that it is in.
    public nonisolated func stop() {
        stopped.raise()
    }

    private func refuseWhileRunning() throws {
        if isRunning { throw GameError("search: it is running, stop it and wait until run() has ended.") }
    }

    /// Walk from the root to a node whose value is wanted; `path` leads there.
    private func descend() {
        makeConstants(Int(tree[Tree.root].visits))
        path.removeAll(keepingCapacity: true)
        path.append(Tree.root)
        var node = tree.descend(from: Tree.root, constants, &path)
        while tree[node].kind == .leaf {
            expand(node)
            node = tree.descend(from: node, constants, &path)
        }
    }

    /// Let the table of constants reach `visits`, as a logarithm costs more than a look into it; no node has more
    /// visits than the root.
    private func makeConstants(_ visits: Int) {
        if visits < constants.count { return }
        constants = (0..<max(1024, 2 * visits)).map(constant)
    }

    private func expand(_ node: Int) {
        let slot = Int(tree[node].slot)
        guard let answer = answers[slot] else { fatalError("search: a node was expanded twice, this is a bug.") }
        let legal = states[slot].legalActions()
        tree.expand(node, legal, answer.weights(legal))
        answers[slot] = nil
    }

    /// The state that the evaluator is to be asked about, where the path ends at a node that was not visited yet; nil
    /// where the game is over there, and the simulation counted.
    private func newLeaf() throws -> (any State)? {
        let node = path[path.count - 1]
        if tree[node].kind == .closed {
            // All visits of it had the same value, so their mean is the result. It is seen from the parent, so it is
            // negated for the node's own player to move.
            settle(-tree[node].mean)
            return nil
        }
        if path.count == 1 { return state }
        let parent = path[path.count - 2]
        let reached = try states[Int(tree[parent].slot)].apply(Int(tree[node].action))
        if !reached.isTerminal { return reached }
        tree.close(node)
        settle(Double(reached.returns() * (1 - 2 * reached.toMove)))
        return nil
    }

    /// Keep what the evaluator has answered for the state at the end of the path.
    private func take(_ leaf: any State, _ answer: Evaluation) {
        tree.evaluated(path[path.count - 1], slot: states.count)
        states.append(leaf)
        answers.append(answer)
        settle(answer.value)
    }

    /// Count the simulation, whose last node is worth `value` to its player to move.
    private func settle(_ value: Double) {
        tree.backUp(path, value: value)
        deepest = max(deepest, path.count - 1)
        trace?(path.dropFirst().map { Int(tree[$0].action) })
    }

    /// The root's actions, ascending; none before the second simulation.
    public func children() -> [Child] {
        tree.below(Tree.root).map { row in
            let found = tree[row]
            return Child(
                action: Int(found.action), visits: Int(found.visits), mean: found.mean, prior: found.prior)
        }
    }

    /// The visit count of every legal action at the root, ascending, kept ones counted; all 0 before the first
    /// simulation.
    public func visits() -> [(action: Int, visits: Int)] {
        let children = children()
        if children.isEmpty { return state.legalActions().map { ($0, 0) } }
        return children.map { ($0.action, $0.visits) }
    }

    /// The most visited action, the lowest of equals; with a temperature T, drawn in proportion to n^(1/T) by `random`,
    /// which gives numbers from 0 to 1. GameError where the game is over.
    public func bestAction(
        temperature: Double = 0, random: @Sendable () -> Double = { .random(in: 0..<1) }
    ) throws -> Int {
        let counts = visits()
        guard var best = counts.first else {
            throw GameError("search: the game is over, there is no move to choose.")
        }
        for count in counts where count.visits > best.visits { best = count }
        if temperature <= 0 || best.visits == 0 { return best.action }
        // In parts of the largest count: the power of a large one would be no number any more.
        let shares = counts.map { pow(Double($0.visits) / Double(best.visits), 1 / temperature) }
        var left = random() * shares.reduce(0, +)
        for (count, share) in zip(counts, shares) {
            left -= share
            if left < 0 { return count.action }
        }
        // Rounding may leave a little over.
        return best.action
    }

    /// What has been found so far; may be asked while `run` has not ended. GameError where the game is over.
    public func report() throws -> Report {
        let action = try bestAction()
        let child = children().first { $0.action == action }
        let time = spent + (since.map { ContinuousClock.now - $0 } ?? .zero)
        return Report(
            action: action, simulations: Int(tree[Tree.root].visits) - kept, visits: child?.visits ?? 0,
            depth: deepest, winRate: ((child?.mean ?? 0) + 1) / 2, seconds: time / .seconds(1))
    }

    /// Follow the game by `action` and keep the tree below it; GameError where it is illegal.
    public func play(_ action: Int) throws {
        try refuseWhileRunning()
        let next = try state.apply(action)
        // Below a node that was never visited, or where the game is over, there is nothing to keep.
        guard let row = tree.child(for: action), tree[row].kind == .leaf || tree[row].kind == .open else {
            try reset(next)
            return
        }
        state = next
        moveInto(tree.subtree(row))
    }

    /// Hold a kept tree with the states and answers of its nodes, whose slots are numbered anew.
    private func moveInto(_ subtree: Tree) {
        var tree = subtree
        var states: [any State] = []
        var answers: [Evaluation?] = []
        for node in tree.rows.indices where tree[node].kind == .leaf || tree[node].kind == .open {
            let slot = Int(tree[node].slot)
            tree.moved(node, to: states.count)
            states.append(self.states[slot])
            answers.append(self.answers[slot])
        }
        hold(tree, states, answers)
    }
}

/// A switch that any thread may turn.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var raised = false

    // Not by withLock, which Foundation does not let the compiler look into: it is asked in every simulation.
    var isRaised: Bool {
        lock.lock()
        defer { lock.unlock() }
        return raised
    }

    func raise() { set(true) }

    func lower() { set(false) }

    private func set(_ wanted: Bool) {
        lock.lock()
        raised = wanted
        lock.unlock()
    }
}
