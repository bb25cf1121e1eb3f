import AzxEngine

/// The results of a search so far; `winRate` is the chance of the player to move, nil if unknown. A `proven` result, or one
/// that is certain without a search, takes its place.
public struct Progress: Equatable, Sendable {
    public let simulations: Int
    public let depth: Int
    public let winRate: Double?
    public let seconds: Double
    public let proven: Bool

    /// The same with the certain chance, if there is one.
    func corrected(by certain: Double?) -> Progress {
        guard let certain else { return self }
        return Progress(simulations: simulations, depth: depth, winRate: certain, seconds: seconds, proven: proven)
    }
}

/// The network's decision.
public struct Thought: Equatable, Sendable {
    public let progress: Progress
    public let action: Int
}

/// The network's own opinion: a probability for each legal action, and the chance of the player to move, or the certain chance
/// if there is one. `left` are the actions that keep a certain result, or all of them.
public struct Advice: Equatable, Sendable {
    public let policy: [Int: Double]
    public let winRate: Double?
    public let left: [Int]
}

/// Thinks about positions, given as the actions that lead to them. It keeps one search, which follows the moves of a game.
///
/// Cancelling the task of a thought ends it after the current simulation, or before the first; it still has an answer. Another
/// thought waits until this one has ended.
public actor Thinker {
    // Often enough for a person to see progress, seldom enough to cost nothing.
    static let slice = 0.05

    let reading: Reading
    let network: any Evaluator
    let hasValue: Bool
    private let settings: SearchSettings
    private var search: Search?
    private var followed: Position?
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// `settings` are those of the network's bundle.
    public init(
        _ reading: Reading, _ network: any Evaluator, hasValue: Bool, settings: SearchSettings = SearchSettings()
    ) {
        self.settings = settings
        self.reading = reading
        self.network = network
        self.hasValue = hasValue
    }

    private struct Position {
        let settings: Settings
        let actions: [Int]
        var withoutPass = false

        /// Whether this position leads to `later` by more moves.
        func isBefore(_ later: Position) -> Bool {
            settings == later.settings && actions.count < later.actions.count && later.actions.starts(with: actions)
        }
    }

    /// Choose an action; `tell` gets the progress about twenty times a second. With `passes` Go is passed as people do: without
    /// a thought once nothing is left to play for, and never before. GameError if the game is over or `actions` cannot be
    /// played; the network's error if it fails.
    public func think(
        _ settings: Settings, _ actions: [Int], _ limit: Limit, passes: Bool = false,
        tell: @Sendable (Progress) async -> Void
    ) async throws -> Thought {
        await begin()
        defer { end() }
        try await network.ready()
        var position = Position(settings: settings, actions: actions)
        let go = passes ? try state(position) as? Go : nil
        if let go, try go.mayPass() {
            let nothing = Progress(simulations: 0, depth: 0, winRate: nil, seconds: 0, proven: false)
            return Thought(progress: nothing, action: go.pass)
        }
        let certain = Known(try state(position)).certainChance
        let thought = try await ponder(position, limit, certain, tell)
        guard let go, thought.action == go.pass else { return thought }
        position.withoutPass = true
        return try await ponder(position, limit, certain, tell)
    }

    /// Choose an action; a `certain` chance is reported in place of the search's.
    private func ponder(
        _ position: Position, _ limit: Limit, _ certain: Double?, _ tell: @Sendable (Progress) async -> Void
    ) async throws -> Thought {
        let thought = try await choose(position, limit) { await tell($0.corrected(by: certain)) }
        return Thought(progress: thought.progress.corrected(by: certain), action: thought.action)
    }

    private func choose(
        _ position: Position, _ limit: Limit, _ tell: @Sendable (Progress) async -> Void
    ) async throws -> Thought {
        let level = level(limit)
        if limit == .policy || level?.simulations == 0 || Task.isCancelled {
            return try await glance(position, limit)
        }
        // A level's search starts empty and without proofs, as it was measured.
        if level != nil { (search, followed) = (nil, nil) }
        defer { if level != nil { (search, followed) = (nil, nil) } }
        do {
            return try await searchMove(position, limit, tell)
        } catch {
            // The tree may be incomplete.
            (search, followed) = (nil, nil)
            throw error
        }
    }

    /// What the network says of a position without a search.
    public func advise(_ settings: Settings, _ actions: [Int]) async throws -> Advice {
        let state = try state(Position(settings: settings, actions: actions))
        let evaluation = try await network.evaluate(state)
        let legal = state.legalActions()
        let policy = Dictionary(uniqueKeysWithValues: zip(legal, evaluation.priors(legal)))
        let known = Known(state)
        let chance = winRate(evaluation).map { known.certainChance ?? $0 }
        return Advice(policy: policy, winRate: chance, left: known.left)
    }

    private func searchMove(
        _ position: Position, _ limit: Limit, _ tell: @Sendable (Progress) async -> Void
    ) async throws -> Thought {
        // Moves are drawn by visits, and only PUCT's visits measure a move.
        let draws = level(limit).map { $0.temperature > 0 } ?? false
        let search = try await follow(position, proves: level(limit) == nil, draws ? SearchSettings() : settings)
        let simulations =
            if case .simulations(let count) = limit { count } else { level(limit)?.simulations ?? Int.max }
        let seconds = if case .seconds(let count) = limit { count } else { Double.infinity }
        await search.plan(simulations == Int.max ? nil : simulations)
        var made = 0
        while made < simulations, !Task.isCancelled, !(await search.isDone) {
            let left = seconds - (try await search.report().seconds)
            if left <= 0 { break }
            made += try await search.run(simulations - made, seconds: min(Self.slice, left))
            await tell(try await progress(search))
        }
        let progress = try await progress(search)
        // If the thought ended before the search could compare moves, the policy decides.
        if try await search.report().visits == 0, !progress.proven {
            return Thought(progress: progress, action: try await glance(position, limit).action)
        }
        if !draws { return Thought(progress: progress, action: try await search.bestAction()) }
        let weights = await search.visits().map { (action: $0.action, weight: Double($0.visits)) }
        let found = try drawMove(position, await search.state, limit, weights)
        let action = if let found { found } else { try await search.bestAction() }
        return Thought(progress: progress, action: action)
    }

    /// The level of a limit; nil for another limit.
    private func level(_ limit: Limit) -> Level? {
        guard case .level(let number, _) = limit else { return nil }
        return Levels.of(reading.game.name, hasPolicy: reading.numbering != nil)[number - 1]
    }

    /// A level's move, by the visits or the priors of the legal moves; nil for other limits.
    private func drawMove(
        _ position: Position, _ state: any State, _ limit: Limit, _ weights: [(action: Int, weight: Double)]
    ) throws -> Int? {
        guard let level = level(limit), case .level(_, let seed) = limit else { return nil }
        let pass = try Levels.findPass(state)
        return try Levels.chooseAction(weights, level, seed: seed, ply: position.actions.count, pass: pass)
    }

    private func glance(_ position: Position, _ limit: Limit) async throws -> Thought {
        let begin = ContinuousClock.now
        let state = try state(position)
        let forced = Forced(state)
        func thought(_ action: Int, _ winRate: Double?, proven: Bool) -> Thought {
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            let progress = Progress(simulations: 0, depth: 0, winRate: winRate, seconds: seconds, proven: proven)
            return Thought(progress: progress, action: action)
        }
        if let result = forced.result, level(limit) == nil {
            return thought(forced.moves[0], Double(result + 1) / 2, proven: true)
        }
        let evaluation = try await network.evaluate(state)
        let legal = state.legalActions()
        let weights = zip(legal, evaluation.priors(legal)).map { (action: $0, weight: $1) }
        let action = try drawMove(position, state, limit, weights) ?? evaluation.best(forced.moves)
        return thought(action, winRate(evaluation), proven: false)
    }

    private func winRate(_ evaluation: Evaluation) -> Double? {
        hasValue ? (evaluation.value + 1) / 2 : nil
    }

    private func progress(_ search: Search) async throws -> Progress {
        let report = try await search.report()
        return Progress(
            simulations: report.simulations, depth: report.depth, winRate: report.winRate, seconds: report.seconds,
            proven: report.proven)
    }

    /// The search at a position; the last one if the game has gone on to this position.
    private func follow(
        _ position: Position, proves: Bool, _ settings: SearchSettings
    ) async throws -> Search {
        let (known, before) = (search, followed)
        followed = position
        if let known, let before, before.isBefore(position) {
            for action in position.actions.dropFirst(before.actions.count) { try await known.play(action) }
            if await known.state.isTerminal { throw over }
            return known
        }
        let begun = Search(try state(position), network, proves: proves, settings: settings)
        search = begun
        return begun
    }

    private func state(_ position: Position) throws -> any State {
        let state = try position.actions.reduce(try reading.start(position.settings)) { try $0.apply($1) }
        if state.isTerminal { throw over }
        return if position.withoutPass, let go = state as? Go { go.withoutPass() } else { state }
    }

    /// Wait until no other thought is under way.
    private func begin() async {
        if isBusy { await withCheckedContinuation { waiting.append($0) } } else { isBusy = true }
    }

    /// Let the next thought begin.
    private func end() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}

private let over = GameError("The game is over: there is nothing to think about.")
