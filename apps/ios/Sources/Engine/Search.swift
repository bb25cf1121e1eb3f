/// Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.
///
///     let search = Search(Connect4(), evaluator)
///     try await search.run(200)
///     try await search.bestAction()
///     try await search.play(38)  // the tree below the move is kept
///
/// A simulation walks from the root to a node without a visit, at each node to the child with the largest
/// Q + ((C*P)*sqrt(N)) / (1+n). The node's value is added up on the way back, negated at every ply.
/// C = ln((1 + N + 19652) / 19652) + 1.25 (pseudocode of Silver et al., "A general reinforcement learning algorithm that
/// masters chess, shogi, and Go through self-play", 2018).
///
/// A search for play `proves`: it takes from the rules what needs no network. It plays a win at once. It does not search a
/// move that lets the opponent win at once, while there is another. Results at the ends of lines go up the tree as far as
/// they decide. The search ends if nothing more can be found (`isDone`).
///
/// `settings` may change numbers of the formula or share out the root's simulations differently (`GumbelRoot.swift`). They may
/// end the search once the move is decided (`EarlyStop.swift`), or choose it by more than visits (`LowerBound.swift`).

import Foundation

/// What a search has found: `action` is the best one, `winRate` its expected result as a chance, 0 to 1.
///
/// `simulations` and `seconds` were spent on this move. `visits` are the best action's, including kept ones; `depth` is the
/// longest line in plies. If the result is `proven`, `winRate` is that result: 1, 0.5 or 0.
public struct Report: Equatable, Sendable {
    public let action: Int
    public let simulations: Int
    public let visits: Int
    public let depth: Int
    public let winRate: Double
    public let seconds: Double
    public let proven: Bool
}

/// One of the root's actions; `mean` is its value for the player to move, -1 to 1, and 0 before its first visit.
public struct Child: Equatable, Sendable {
    public let action: Int
    public let visits: Int
    public let mean: Double
    public let prior: Double
}

/// A tree above one state of a game, which grows with `run` and follows the game with `play`.
///
/// An actor, so that a screen may ask for results while `run` thinks off the main thread. The simulations do not run on the
/// actor, which each evaluation would leave and enter again. A lock guards what they grow, and questions are answered
/// between two simulations.
public actor Search {
    /// The state at the root.
    public var state: any State { shared.use { $0.root } }
    /// Whether `run` has begun and not ended.
    public var isRunning: Bool { since != nil }

    private let evaluator: any Evaluator
    private let shared: Shared
    private var spent = Duration.zero
    private var since: ContinuousClock.Instant?

    /// A tree of a search that proves is full with this number of rows: 40 MB of numbers.
    public static let mostNodes = 1 << 20
    /// A search that proves ends once this number of simulations in a row have met only known results.
    public static let mostIdle = 1000
    /// The game's proven result for the player to move, 1, 0 or -1; nil if unproven.
    public var result: Int? { shared.use { $0.result } }
    /// Whether the search makes no more simulations: the game is over, or the move is decided and the settings stop early. A
    /// search that proves also ends if the result is known, the tree is full, or only known results were met for long.
    public var isDone: Bool { shared.use { $0.isDone } }

    /// C of a node with this number of visits.
    public static func exploration(_ visits: Int, cInit: Double = SearchSettings().cInit) -> Double {
        log((1 + Double(visits) + 19652) / 19652) + cInit
    }

    /// `constant` gives C by a node's visits; without it C is as the settings say. `trace` is called with the actions of every
    /// simulation's path. With `proves` the rules' proofs count, in a tree of at most `nodes` rows. `settings` are those of
    /// the network's bundle.
    public init(
        _ root: any State, _ evaluator: any Evaluator,
        constant: (@Sendable (Int) -> Double)? = nil,
        trace: (@Sendable ([Int]) -> Void)? = nil, proves: Bool = false, nodes: Int = Search.mostNodes,
        settings: SearchSettings = SearchSettings()
    ) {
        self.evaluator = evaluator
        let usual = { @Sendable visits in Search.exploration(visits, cInit: settings.cInit) }
        shared = Shared(Growth(root, constant ?? usual, trace, proves: proves, nodes: nodes, settings: settings))
    }

    /// Say that the next `simulations` belong together, in any number of runs; nil if their number is unknown.
    ///
    /// For settings that share simulations out or stop early: without a plan each run counts by itself.
    public func plan(_ simulations: Int?) { shared.use { $0.plan(simulations) } }

    /// Make `simulations` new ones, or as many as `seconds` allow, at least one; none if the search `isDone`.
    ///
    /// Returns their number. `stop` ends the run early, and so does the end of its task.
    @discardableResult
    public func run(_ simulations: Int, seconds: Double = .infinity) async throws -> Int {
        try refuseWhileRunning()
        let begin = ContinuousClock.now
        since = begin
        shared.setStopped(false)
        defer {
            spent += ContinuousClock.now - begin
            since = nil
        }
        // A handler is cheaper than a question in each simulation.
        return try await withTaskCancellationHandler {
            try await simulate(
                simulations, until: seconds == .infinity ? begin : begin + .seconds(seconds), isTimed: seconds != .infinity)
        } onCancel: {
            shared.setStopped(true)
        }
    }

    private nonisolated func simulate(
        _ simulations: Int, until end: ContinuousClock.Instant, isTimed: Bool
    ) async throws -> Int {
        if shared.use({ $0.root.isTerminal }) { return 0 }
        shared.use { $0.beginRun(simulations, isTimed: isTimed) }
        var made = 0
        var isLate = false
        var answer: Evaluation?
        while true {
            switch try shared.step(answer, goesOn: made < simulations && !isLate) {
            case .ended: return made
            case .counted: answer = nil
            case .asked(let leaf): answer = try await evaluator.evaluate(leaf)
            }
            made += 1
            if isTimed { isLate = ContinuousClock.now >= end }
            // Give other tasks a turn, even if no evaluation had to be waited for.
            if made % 256 == 0 { await Task.yield() }
        }
    }

    /// End `run` after its current simulation.
    public nonisolated func stop() {
        shared.setStopped(true)
    }

    private func refuseWhileRunning() throws {
        if isRunning { throw GameError("search: it is running, stop it and wait until run() has ended.") }
    }

    /// The root's actions, ascending; none before the second simulation.
    public func children() -> [Child] {
        shared.use { growth in
            let children = growth.tree.below(Tree.root).map { node in
                let found = growth.tree[node]
                return Child(
                    action: growth.tree.action(node), visits: Int(found.visits), mean: found.mean, prior: found.prior)
            }
            return children.sorted { $0.action < $1.action }
        }
    }

    /// The number of positions whose states the tree holds, including kept ones; it determines the memory.
    public var positions: Int { shared.use { $0.positions } }

    /// The line that the search expects: at most `most` moves, the first of which is one of the root's actions.
    public func line(_ action: Int, most: Int) -> [Int] {
        shared.use { growth in
            var (found, node) = ([action], growth.tree.child(for: action))
            while found.count < most, let at = node {
                node = growth.tree.mostVisited(at)
                if let next = node { found.append(growth.tree.action(next)) }
            }
            return found
        }
    }

    /// The visit count of every legal action at the root, ascending, including kept visits; all 0 before the first simulation.
    public func visits() -> [(action: Int, visits: Int)] {
        let children = children()
        if children.isEmpty { return shared.use { ($0.forced?.moves ?? $0.root.legalActions()).map { ($0, 0) } } }
        return children.map { ($0.action, $0.visits) }
    }

    /// The most visited action, the lowest of equals; GameError if the game is over. A search that proves chooses among the
    /// actions with the proven result, or those not proven to lose.
    ///
    /// If simulations are shared out, it is the best of the moves visited longest. If the settings choose by lower bound, it
    /// is the one with the largest bound of those visited often.
    public func bestAction() throws -> Int {
        let all = visits()
        guard let best = shared.use({ $0.best($0.choice(all)) }) else {
            throw GameError("search: the game is over, there is no move to choose.")
        }
        return best
    }

    /// The results so far, also during a `run`. GameError if the game is over.
    public func report() throws -> Report {
        // All figures of one moment.
        try shared.lock.withLock {
            let action = try bestAction()
            let child = children().first { $0.action == action }
            let time = spent + (since.map { ContinuousClock.now - $0 } ?? .zero)
            let (simulations, depth, result) = shared.use { ($0.visits - $0.kept, $0.deepest, $0.result) }
            return Report(
                action: action, simulations: simulations, visits: child?.visits ?? 0, depth: depth,
                winRate: ((result.map(Double.init) ?? child?.mean ?? 0) + 1) / 2, seconds: time / .seconds(1),
                proven: result != nil)
        }
    }

    /// Follow the game by `action` and keep the tree below it; GameError if it is illegal.
    public func play(_ action: Int) throws {
        try refuseWhileRunning()
        let next = try state.apply(action)
        shared.use { $0.play(action, to: next) }
        spent = .zero
    }
}

/// What a search grows, for one thread at a time.
private final class Shared: @unchecked Sendable {
    /// The result of one step: the run has ended, the rules gave a simulation's result, or the evaluator is to be asked about a
    /// state.
    enum Step {
        case ended, counted
        case asked(any State)
    }

    /// Nothing is grown by others while it is held.
    let lock = NSRecursiveLock()
    // The lock keeps accesses apart. Of a member that is not a pointer Swift would check that at each access.
    private let growth = UnsafeMutablePointer<Growth>.allocate(capacity: 1)
    private var isStopped = false

    init(_ growth: consuming Growth) { self.growth.initialize(to: growth) }

    deinit {
        growth.deinitialize(count: 1)
        growth.deallocate()
    }

    /// Keep the answer about the last state, if there is one, and begin the next simulation.
    ///
    /// Both under one lock, which costs a good part of a simulation of tic-tac-toe.
    func step(_ answer: consuming Evaluation?, goesOn: Bool) throws -> Step {
        lock.lock()
        defer { lock.unlock() }
        if let answer { growth.pointee.take(answer) }
        if !goesOn || isStopped || growth.pointee.isDone { return .ended }
        guard let leaf = try growth.pointee.leaf() else { return .counted }
        return .asked(leaf)
    }

    func setStopped(_ wanted: Bool) {
        lock.withLock { isStopped = wanted }
    }

    func use<Found>(_ body: (inout Growth) throws -> Found) rethrows -> Found {
        try lock.withLock { try body(&growth.pointee) }
    }
}
