import AzxEngine
import Foundation
import Support
import Testing

/// Answers as `HashEvaluator` does and counts; `between` is called first, with how often it was asked.
private actor Counting: Evaluator {
    private(set) var asked = 0
    private var between: @Sendable (Int, any State) async throws -> Void

    init(_ between: @escaping @Sendable (Int, any State) async throws -> Void = { _, _ in }) {
        self.between = between
    }

    func evaluate(_ state: any State) async throws -> Evaluation {
        asked += 1
        try await between(asked, state)
        return HashEvaluator().evaluate(state)
    }

    func calm() { between = { _, _ in } }
}

/// Logits that differ by so much from one action to the next, in an order of their own.
private struct Logits: Evaluator {
    let apart: Float

    func evaluate(_ state: any State) -> Evaluation {
        let policy = (0..<state.actions).map { -apart * Float($0 * 5 % 7) }
        let value = HashEvaluator().evaluate(state).value
        return Evaluation(value: value, policy: policy, logits: true)
    }
}

/// The search as its head says it, which compares all children each time: a node is its children's numbers.
private final class Plain {
    private let state: any State
    private var total = 0.0
    private var visits = 0
    private var children: [(action: Int, prior: Double, node: Plain?)] = []

    init(_ state: any State) { self.state = state }

    /// Make a simulation below this node; its value, for the player to move here.
    func simulate(_ evaluator: Logits, _ constant: (Int) -> Double) throws -> Double {
        let value = try worth(evaluator, constant)
        visits += 1
        total -= value
        return value
    }

    private func worth(_ evaluator: Logits, _ constant: (Int) -> Double) throws -> Double {
        if state.isTerminal { return Double(state.returns() * (1 - 2 * state.toMove)) }
        let answer = evaluator.evaluate(state)
        if visits == 0 { return answer.value }
        if children.isEmpty {
            let legal = state.legalActions()
            children = zip(legal, answer.priors(legal)).map { ($0, $1, nil) }
        }
        var (best, bestScore) = (0, -Double.infinity)
        for (at, child) in children.enumerated() {
            let (total, count) = (child.node?.total ?? 0, child.node?.visits ?? 0)
            let bonus = constant(visits) * child.prior * Double(visits).squareRoot()
            let score = (count == 0 ? 0 : total / Double(count)) + bonus / Double(1 + count)
            if score > bestScore { (best, bestScore) = (at, score) }
        }
        let node = try children[best].node ?? Plain(state.apply(children[best].action))
        children[best].node = node
        return -(try node.simulate(evaluator, constant))
    }

    var counts: [Int] { children.map { $0.node?.visits ?? 0 } }
}

private struct Lost: Error {}

/// The paths of a search's simulations.
private final class Paths: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [[Int]] = []

    var all: [[Int]] { lock.withLock { found } }

    func add(_ path: [Int]) { lock.withLock { found.append(path) } }
}

/// The search itself, for an evaluator that is made before it.
private actor Later {
    private var search: Search?

    func set(_ search: Search) { self.search = search }

    func get() throws -> Search { try #require(search) }
}

@Suite(.timeLimit(.minutes(10))) struct SearchTests {
    private func total(_ search: Search) async -> Int {
        await search.visits().reduce(0) { $0 + $1.visits }
    }

    @Test func hasTheCOfTheFormula() {
        #expect(abs(Search.exploration(0) - (log(19653.0 / 19652) + 1.25)) < 1e-12)
        #expect(abs(Search.exploration(19651) - (log(2) + 1.25)) < 1e-12)
    }

    @Test func expandsTheRootFirstAndThenVisitsItsChildren() async throws {
        let search = Search(Connect4(), Uniform())
        #expect(await search.visits().map(\.visits) == [Int](repeating: 0, count: 7))
        #expect(try await search.run(50) == 50)
        #expect(await total(search) == 49)
        #expect(try await search.report().simulations == 50)
    }

    /// Priors that the last digit of a double tells apart, whose scores may round to the same, and a C that makes none
    /// of them count.
    @Test(arguments: [0, 1e-16, 1e-15, 0.3, 120] as [Float], [0, 1.25])
    func comparesAsIfItLookedAtAllChildren(_ apart: Float, _ constant: Double) async throws {
        for game in ["connect4", "tictactoe", "go"] {
            let start = try Game.find(game).begin()
            let search = Search(start, Logits(apart: apart), constant: { _ in constant })
            try await search.run(120)
            let plain = Plain(start)
            for _ in 0..<120 { _ = try plain.simulate(Logits(apart: apart)) { _ in constant } }
            #expect(await search.visits().map(\.visits) == plain.counts)
        }
    }

    @Test func prefersTheLowestActionOfEquals() async throws {
        let search = Search(TicTacToe(), Uniform())
        try await search.run(4)
        #expect(await search.visits().filter { $0.visits > 0 }.map(\.action) == [0, 1, 2])
        #expect(try await search.bestAction() == 0)
    }

    @Test func findsTheMarkThatWinsAndNeverAsksAboutAGameThatIsOver() async throws {
        let counting = Counting { _, state in #expect(!state.isTerminal) }
        let search = Search(try TicTacToe().after(0, 3, 1, 4), counting)
        try await search.run(200)
        #expect(try await search.report().action == 2)
        #expect(try await search.report().winRate == 1)
        #expect(await 2..<200 ~= counting.asked)
    }

    @Test func keepsTheTreeBelowTheMoveThatWasPlayedAndAsksNothingTwice() async throws {
        let counting = Counting()
        let search = Search(Connect4(), counting)
        try await search.run(400)
        let before = try await search.report()
        let asked = await counting.asked
        try await search.play(before.action)
        #expect(await total(search) == before.visits - 1)
        let fresh = try await search.report()
        #expect(fresh.simulations == 0)
        #expect(fresh.depth == 0)
        #expect(fresh.seconds == 0)
        #expect(await search.state.lastAction == before.action)
        try await search.run(100)
        #expect(await total(search) == before.visits + 99)
        #expect(await counting.asked - asked <= 100)
    }

    @Test func standsAtTheNewStateWithoutATreeWhereAMoveWasNeverSearched() async throws {
        let search = Search(Connect4(), Uniform())
        try await search.play(38)
        #expect(await search.state.lastAction == 38)
        #expect(await total(search) == 0)
    }

    @Test func tellsThePathOfEverySimulationAlsoBelowAMoveThatWasPlayed() async throws {
        let paths = Paths()
        let search = Search(TicTacToe(), HashEvaluator(), trace: { paths.add($0) })
        try await search.run(30)
        try await search.play(4)
        try await search.run(30)
        #expect(paths.all.count == 60)
        #expect(paths.all[0] == [])
        let replies = await search.state.legalActions()
        #expect(paths.all.dropFirst(30).allSatisfy { replies.contains($0[0]) })
        #expect(abs(await search.children().reduce(0) { $0 + $1.prior } - 1) < 1e-12)
    }

    @Test func isStoppedAfterTheSimulationThatItIsInAndCanGoOn() async throws {
        let later = Later()
        let search = Search(Connect4(), Counting { asked, _ in if asked == 7 { try await later.get().stop() } })
        await later.set(search)
        #expect(try await search.run(1000) == 7)
        #expect(await !search.isRunning)
        #expect(try await search.report().simulations == 7)
        #expect(try await search.run(3) == 3)
    }

    @Test func isStoppedFromElsewhereAndAnswersMeanwhileAlthoughNothingIsWaitedFor() async throws {
        let search = Search(Connect4(), HashEvaluator())
        let running = Task { try await search.run(.max) }
        while await !search.isRunning { await Task.yield() }
        while try await search.report().simulations < 100 { await Task.yield() }
        search.stop()
        let made = try await running.value
        #expect(made >= 100)
        #expect(try await search.report().simulations == made)
    }

    @Test func endsWithTheTaskThatItRunsIn() async throws {
        let search = Search(Connect4(), HashEvaluator())
        let running = Task { try await search.run(.max) }
        running.cancel()
        let made = try await running.value
        #expect(try await search.report().simulations == made)
    }

    @Test func refusesToBeChangedWhileItRunsAndMayBeAsked() async throws {
        let later = Later()
        let words = "search: it is running, stop it and wait until run() has ended."
        let counting = Counting { asked, _ in
            let search = try await later.get()
            #expect(await search.isRunning)
            await expectRefused(words) { try await search.play(38) }
            await expectRefused(words) { try await search.run(1) }
            #expect(try await search.report().simulations == asked - 1)
        }
        let search = Search(Connect4(), counting)
        await later.set(search)
        #expect(try await search.run(5) == 5)
        #expect(await counting.asked == 5)
    }

    @Test func runsForATimeASimulationAtLeast() async throws {
        let search = Search(Connect4(), Uniform())
        #expect(try await search.run(.max, seconds: 0) == 1)
        #expect(try await search.run(.max, seconds: 0.05) > 1)
        #expect(try await search.report().seconds >= 0.05)
        #expect(try await search.run(0) == 0)
    }

    @Test func isWholeAfterAnEvaluatorHasFailed() async throws {
        let counting = Counting { _, state in if state.lastAction == 40 { throw Lost() } }
        let search = Search(Connect4(), counting)
        await #expect(throws: Lost.self) { try await search.run(500) }
        #expect(await !search.isRunning)
        await counting.calm()
        try await search.run(500 - search.report().simulations)
        let fresh = Search(Connect4(), HashEvaluator())
        try await fresh.run(500)
        #expect(await search.children() == fresh.children())
    }

    @Test func hasNothingToDoAndNoMoveWhereTheGameIsOver() async throws {
        let search = Search(try TicTacToe().after(0, 3, 1, 4, 2), Uniform())
        #expect(try await search.run(10) == 0)
        await expectRefused("search: the game is over, there is no move to choose.") { try await search.report() }
        await expectRefused("tictactoe: action 5 is illegal here, the game is over.") { try await search.play(5) }
    }

    @Test func exploresByTheConstantOfThePaper() {
        #expect(abs(Search.exploration(0) - (1.25 + log(19653.0 / 19652))) < 1e-15)
        #expect(abs(Search.exploration(19651) - (1.25 + log(2))) < 1e-12)
    }
}

@Suite struct EvaluationTests {
    private let policy: [Float] = [0, 3, 1, 9]

    private func evaluation(_ policy: [Float]?, logits: Bool) -> Evaluation {
        Evaluation(value: 0, policy: policy, logits: logits)
    }

    @Test func isSoftMaxedOverTheLegalActionsWhereItHasLogitsAndDividedByItsSumWhereNot() {
        let softened = evaluation(policy, logits: true).priors([0, 2])
        #expect(abs(softened[0] - 1 / (1 + exp(1))) < 1e-12)
        #expect(abs(softened[1] - 1 / (1 + exp(-1))) < 1e-12)
        #expect(evaluation(policy, logits: false).priors([1, 2]) == [0.75, 0.25])
        #expect(evaluation([5000, 0, -5000], logits: true).priors([0, 1, 2]) == [1, 0, 0])
        #expect(evaluation([-1, 3], logits: false).priors([0, 1]) == [0, 1])
    }

    @Test func isEvenWhereNothingIsPromised() {
        #expect(evaluation(nil, logits: false).priors([4, 5]) == [0.5, 0.5])
        #expect(evaluation([0, 0], logits: false).priors([0, 1]) == [0.5, 0.5])
        #expect(evaluation([1], logits: false).priors([0, 1]) == [0.5, 0.5])
    }

    @Test func hasABestLegalActionTheLowestOfEquals() async throws {
        #expect(try evaluation(policy, logits: true).best([0, 1, 2]) == 1)
        #expect(try evaluation(nil, logits: false).best([2, 3]) == 2)
        await expectRefused("search: there is no legal action to choose from.") {
            try evaluation(nil, logits: false).best([])
        }
    }
}
