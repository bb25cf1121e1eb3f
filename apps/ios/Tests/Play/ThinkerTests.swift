import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay

/// Likes action 4 by far, counts how often it is asked, and takes its time.
actor Counting: Evaluator {
    private(set) var count = 0
    private let milliseconds: Int
    private var fails = false

    init(milliseconds: Int = 0) {
        self.milliseconds = milliseconds
    }

    struct Broken: Error {}

    func fail(_ wanted: Bool) { fails = wanted }

    func evaluate(_ state: any State) async throws -> Evaluation {
        count += 1
        if fails { throw Broken() }
        if milliseconds > 0 { try? await Task.sleep(for: .milliseconds(milliseconds)) }
        let policy = (0..<state.actions).map { Float($0 == 4 ? 9 : 0) }
        return Evaluation(value: 0.5, policy: policy, logits: true)
    }
}

/// Likes the last action by far, which in Go is the pass, and thinks the mover loses.
private struct Passing: Evaluator {
    func evaluate(_ state: any State) async throws -> Evaluation {
        let policy = (0..<state.actions).map { Float($0 == state.actions - 1 ? 30 : 0) }
        return Evaluation(value: -1, policy: policy, logits: true)
    }
}

/// Counts how many ask it at once.
private actor Crowd: Evaluator {
    private(set) var most = 0
    private var asking = 0

    func evaluate(_ state: any State) async throws -> Evaluation {
        asking += 1
        most = max(most, asking)
        try await Task.sleep(for: .milliseconds(1))
        asking -= 1
        return Evaluation(value: 0, policy: nil, logits: false)
    }
}

/// The progress that was told.
private actor Told {
    private(set) var all: [Int] = []

    func add(_ progress: Progress) { all.append(progress.simulations) }
}

func reading(_ name: String, _ settings: Settings = [:]) throws -> Reading {
    let game = try Game.find(name)
    let numbering = try #require(game.numberings(try game.begin()).first)
    return Reading(game: game, encoding: game.encoding, numbering: numbering, settings: settings)
}

@Suite(.timeLimit(.minutes(10))) struct ThinkerTests {
    private func thinker(_ network: any Evaluator, hasValue: Bool = true) throws -> Thinker {
        Thinker(try reading("tictactoe"), network, hasValue: hasValue)
    }

    private func think(_ thinker: Thinker, _ actions: [Int], _ limit: Limit) async throws -> Thought {
        try await thinker.think([:], actions, limit) { _ in }
    }

    @Test func aBundlesSearchIsPlayedWhereTheBestMoveIsAndNotWhereMovesAreDrawn() async throws {
        // One considered move is the one with the largest prior.
        let root = Json.object(["kind": .text("gumbel"), "considered": .number(1)])
        let settings = SearchSettings(.object(["root": root]))
        let set = Thinker(try reading("tictactoe"), HashEvaluator(), hasValue: true, settings: settings)
        let usual = try thinker(HashEvaluator())
        #expect(try await think(set, [0], .simulations(20)).action == 4)
        #expect(try await think(usual, [0], .simulations(20)).action == 6)
        for seed in 1...5 {
            let limit = Limit.level(6, seed: UInt64(seed))
            let drawn = try await (think(set, [0], limit).action, think(usual, [0], limit).action)
            #expect(drawn.0 == drawn.1)
        }
    }

    @Test func aThoughtEndsOnceTheMoveIsDecidedWhereTheBundleSaysSoAndNoHints() async throws {
        var settings = SearchSettings()
        settings.earlyStop = true
        let early = Thinker(try reading("connect4"), HashEvaluator(), hasValue: true, settings: settings)
        let usual = Thinker(try reading("connect4"), HashEvaluator(), hasValue: true)
        let ended = try await think(early, [38, 31], .simulations(2000))
        let whole = try await think(usual, [38, 31], .simulations(2000))
        #expect(ended.action == whole.action)
        #expect(ended.progress.simulations < whole.progress.simulations)
        let hint = try await early.analyse([:], [38, 31], simulations: 2000)
        #expect(hint.visits == 1999)
    }

    @Test func thePolicyAloneIsOneEvaluation() async throws {
        let network = Counting()
        let thought = try await think(thinker(network), [], .policy)
        #expect(thought.action == 4)
        #expect(await network.count == 1)
        #expect(thought.progress.simulations == 0)
        #expect(thought.progress.winRate == 0.75)
    }

    @Test func aPassOnTheEmptyBoardWhereWhiteHasTheKomiIsAnsweredByAMove() async throws {
        let thinker = Thinker(try reading("go"), Passing(), hasValue: true)
        for limit in [Limit.policy, .simulations(8), .level(8, seed: 1)] {
            let thought = try await thinker.think([:], [81], limit, passes: true) { _ in }
            #expect(thought.action != 81)
        }
        // Where a person plays on after two passes it may.
        #expect(try await thinker.think([:], [81], .policy) { _ in }.action == 81)
        let cases = try Fixtures.read("go/scoring").items("cases")
        let settled = try #require(try cases.first { try $0.string("about") == "a pass where all is settled" })
        let thought = try await thinker.think([:], settled.ints("actions"), .simulations(8), passes: true) { _ in }
        #expect(thought.action == 81)
        #expect(thought.progress.simulations == 0)
    }

    @Test func withoutAValueThereIsNoWinRateToTell() async throws {
        let thinker = try thinker(Uniform(), hasValue: false)
        #expect(try await think(thinker, [], .policy).progress.winRate == nil)
        #expect(try await thinker.advise([:], []).winRate == nil)
    }

    @Test func aNumberOfSimulationsIsKeptToAndTold() async throws {
        let told = Told()
        let thought = try await thinker(Counting(milliseconds: 1)).think([:], [], .simulations(200)) {
            await told.add($0)
        }
        #expect(thought.progress.simulations == 200)
        #expect(thought.progress.depth > 1)
        let all = await told.all
        #expect(all.count >= 3)
        #expect(all == all.sorted())
        #expect(all.last == 200)
    }

    @Test func secondsAreKeptTo() async throws {
        let thought = try await think(thinker(Counting(milliseconds: 1)), [], .seconds(0.2))
        #expect(thought.progress.seconds >= 0.2)
    }

    @Test func aWinIsFound() async throws {
        #expect(try await think(thinker(Uniform()), [0, 3, 1, 4], .simulations(100)).action == 2)
    }

    @Test func aGameThatGoesOnKeepsWhatIsKnown() async throws {
        let network = Counting()
        let thinker = try thinker(network)
        let action = try await think(thinker, [4], .simulations(400)).action
        let before = await network.count
        let progress = try await think(thinker, [4, action], .simulations(1)).progress
        #expect(progress.depth > 1, "one simulation in the kept tree is deeper than one ply")
        #expect(await network.count - before <= 1)
    }

    @Test func anotherGameBeginsAnew() async throws {
        let thinker = try thinker(Counting())
        _ = try await think(thinker, [4, 0], .simulations(400))
        #expect(try await think(thinker, [4, 1, 0], .simulations(2)).progress.depth == 1)
        #expect(try await think(thinker, [4, 1], .simulations(2)).progress.depth == 1)
    }

    @Test func theEndOfItsTaskEndsAThoughtWithItsBestAction() async throws {
        let thinker = try thinker(Counting(milliseconds: 1))
        let told = Told()
        let running = Task { try await thinker.think([:], [], .seconds(600)) { await told.add($0) } }
        while await told.all.isEmpty { await Task.yield() }
        running.cancel()
        #expect(try await running.value.action == 4)
    }

    @Test func aThoughtWhoseTaskHasEndedBeforeItsTurnTakesThePolicysAction() async throws {
        let network = Counting(milliseconds: 1)
        let thinker = try thinker(network)
        let first = Task { try await think(thinker, [], .seconds(600)) }
        while await network.count == 0 { await Task.yield() }
        let second = Task { try await think(thinker, [0], .simulations(500)) }
        second.cancel()
        first.cancel()
        _ = try await first.value
        #expect(try await second.value.progress.simulations == 0)
        #expect(try await second.value.action == 4)
        #expect(try await think(thinker, [], .simulations(50)).progress.simulations == 50)
    }

    @Test func twoThoughtsTakeTurns() async throws {
        let network = Crowd()
        let thinker = try thinker(network)
        async let first = think(thinker, [], .simulations(20))
        async let second = think(thinker, [0], .simulations(20))
        let thoughts = try await [first, second]
        #expect(thoughts.map(\.progress.simulations) == [20, 20])
        #expect(await network.most == 1)
    }

    @Test func aThoughtThatIsEndedInItsFirstSimulationTakesThePolicysAction() async throws {
        let network = Counting(milliseconds: 10_000)
        let thinker = try thinker(network)
        let running = Task { try await think(thinker, [], .simulations(500)) }
        while await network.count == 0 { await Task.yield() }
        running.cancel()
        let thought = try await running.value
        #expect(thought.action == 4)
        #expect(thought.progress.simulations == 1)
    }

    @Test func adviceIsAProbabilityForEachLegalAction() async throws {
        let advice = try await thinker(Counting()).advise([:], [0])
        #expect(advice.policy.keys.sorted() == Array(1...8))
        #expect(abs(advice.policy.values.reduce(0, +) - 1) < 1e-9)
        #expect(advice.policy.max { $0.value < $1.value }?.key == 4)
        #expect(advice.winRate == 0.75)
    }

    @Test func aGameThatIsOverCannotBeThoughtAbout() async throws {
        let over = [0, 3, 1, 4, 2]
        let thinker = try thinker(Counting())
        for limit in [Limit.simulations(10), .policy] {
            await #expect(throws: GameError.self) { try await think(thinker, over, limit) }
        }
        _ = try await think(thinker, over.dropLast(), .simulations(10))
        await #expect(throws: GameError.self) { try await think(thinker, over, .simulations(10)) }
        await #expect(throws: GameError.self) { try await thinker.advise([:], over) }
        await #expect(throws: GameError.self) { try await think(thinker, [0, 0], .simulations(10)) }
    }

    @Test func afterAFailureTheNextThoughtBeginsAnew() async throws {
        let network = Counting()
        let thinker = try thinker(network)
        _ = try await think(thinker, [4], .simulations(50))
        await network.fail(true)
        await #expect(throws: Counting.Broken.self) { try await think(thinker, [4, 0], .simulations(500)) }
        await network.fail(false)
        #expect(try await think(thinker, [4, 0], .simulations(500)).progress.simulations == 500)
        #expect(try await think(thinker, [4, 8], .simulations(2)).progress.depth == 1)
    }
}
