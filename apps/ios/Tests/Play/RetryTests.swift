import AzxEngine
import Support
import Testing

@testable import AzxPlay

/// A mistake that is tried again, and positions that are looked at for as long as they are shown.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RetryTests {
    private func table(
        _ actions: [Int], game: String = "tictactoe", human: Player = 0, network: any Evaluator = HashEvaluator()
    ) throws -> Table {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try reading(game)
        let opened = Opened(reading, Thinker(reading, network, hasValue: true), memory)
        return try Table(opened, kept: kept(reading, human: human, actions), chance: { 0 })
    }

    /// A replay of a game in which a win at once, on 2, is not taken; its mistake is shown.
    private func atMistake(network: any Evaluator = HashEvaluator()) async throws -> Table {
        let table = try table([0, 3, 1, 4, 8, 5], network: network)
        table.replay(true)
        table.analyse()
        await table.settle()
        table.show(at: 5)
        try #require(table.session.judged?.better == 2)
        return table
    }

    // MARK: A mistake is tried again

    @Test func theMoveOfTheGameAndOtherMistakesAreNotTaken() async throws {
        let table = try await atMistake()
        #expect(table.canRetry && !table.isTrying && !table.isBesideGame)
        table.tryAgain()
        #expect(table.session.ply == 4 && table.isTrying && table.isBesideGame && !table.canRetry)
        #expect(table.retry?.last == Retry.Try.none)
        table.play(8)
        #expect(table.retry?.last == .same && table.line == nil)
        table.play(0)
        #expect(table.notice == .notPossible(Refusal(.occupied)))
        table.play(6)
        #expect(table.retry?.last == .waiting(6) && table.line?.moves == [6] && !table.canTakeBack && !table.canHint)
        // Meanwhile the board takes no other move.
        table.play(7)
        #expect(table.line?.moves == [6])
        await table.settle()
        guard case .judged(let judged) = table.retry?.last else {
            Issue.record("\(String(describing: table.retry))")
            return
        }
        #expect(judged.action == 6 && judged.verdict.isMistake && judged.reason?.code == .missedWin)
        #expect(table.line == nil && table.isTrying && table.session.ply == 4)
        #expect(table.identity.beside.lines.isEmpty, "a bad try is not kept")
    }

    @Test func aGoodMoveStaysWithTheGame() async throws {
        let table = try await atMistake()
        table.tryAgain()
        table.play(2)
        await table.settle()
        #expect(table.retry?.isDone == true && !table.isTrying)
        #expect(table.line?.moves == [2])
        #expect(table.identity.beside.lines.map(\.actions) == [[2]] && table.identity.beside.lines[0].own)
        #expect(table.canTakeBack)
        table.toGame()
        #expect(table.retry == nil && table.line == nil && table.session.ply == 4)
    }

    @Test func whoGivesUpIsShownTheMistakeAgain() async throws {
        let table = try await atMistake()
        table.tryAgain()
        table.toGame()
        #expect(table.retry == nil && table.session.ply == 5 && table.canRetry)
        table.tryAgain()
        table.show(at: 2)
        #expect(table.retry == nil)
        table.showNextMistake()
        let mistake = table.session.ply
        table.tryAgain()
        #expect(table.isTrying && table.session.ply == mistake - 1)
        table.replay(false)
        #expect(table.retry == nil && !table.isTrying)
    }

    @Test func aMoveThatIsNoMistakeIsNotTriedAgain() async throws {
        let table = try await atMistake()
        for ply in 0...6 {
            table.show(at: ply)
            #expect(table.canRetry == (table.session.judged?.better != nil))
            if table.canRetry { continue }
            table.tryAgain()
            #expect(table.retry == nil && table.session.ply == ply)
        }
    }

    @Test func aTryThatCouldNotBeJudgedIsNone() async throws {
        let network = Failing()
        let table = try await atMistake(network: network)
        table.tryAgain()
        await network.fail(true)
        table.play(6)
        await table.settle()
        #expect(table.retry?.last == Retry.Try.none && table.line == nil && table.isTrying)
        #expect(table.notice == .noHint(Failure(Failing.Broken())))
        // Who leaves the board while a try is looked at finds the question again.
        await network.fail(false)
        table.play(6)
        table.leave()
        #expect(table.retry?.last == Retry.Try.none && table.line == nil && table.isTrying)
        table.play(2)
        await table.settle()
        #expect(table.retry?.isDone == true)
    }

    // MARK: Live analysis

    @Test func thePositionThatIsShownIsLookedAtDeeperAndDeeper() async throws {
        let table = try table([0, 4, 8, 2, 6])
        table.replay(true)
        table.show(at: 2)
        table.watchLive(true)
        let first = try await table.waitForLook(at: 2, visits: 1)
        let second = try await table.waitForLook(at: 2, visits: first + 1)
        #expect(second > first)
        let found = try #require(table.found)
        #expect(found.lines.count == found.candidates.count && found.lines.contains { !$0.isEmpty })
        #expect(table.heat == found.shares && !found.isWhole)
        // Each line can be played.
        let state = table.displayed.visible
        for (each, line) in zip(found.candidates, found.lines) {
            #expect(replay(state, [each.action] + line, whole: false) != nil && line.count < 4)
        }
        table.show(at: 3)
        #expect(table.found == nil && table.heat == nil)
        _ = try await table.waitForLook(at: 3, visits: 1)
        table.play(1)
        #expect(table.found == nil && table.lookedAt == [0, 4, 8, 1])
        table.watchLive(false)
        #expect(table.found == nil && table.live == nil && table.lookedAt == nil)
    }

    @Test func whereNobodyWatchesNothingIsLookedAt() async throws {
        let table = try table([0, 4, 8, 2, 6])
        table.watchLive(true)
        #expect(table.lookedAt == nil, "a game that is played is not looked at")
        table.replay(true)
        table.show(at: 1)
        let looked = table.live
        #expect(table.lookedAt == [0] && looked != nil)
        table.leave()
        #expect(table.live == nil && table.isLive)
        await looked?.value
        table.resume()
        #expect(table.lookedAt == [0])
        table.replay(false)
        #expect(table.live == nil && table.isLive)
        table.replay(true)
        table.restart()
        #expect(!table.isLive && table.live == nil)
        table.leave()
    }

    @Test func anAnalysisAndAMistakeThatIsTriedAgainComeFirst() async throws {
        let table = try await atMistake()
        table.watchLive(true)
        #expect(table.lookedAt == [0, 3, 1, 4, 8])
        table.tryAgain()
        #expect(table.lookedAt == nil && table.found == nil, "what a person is to find is not shown")
        table.toGame()
        #expect(table.lookedAt == [0, 3, 1, 4, 8])
        table.leave()
        let other = try self.table([0, 4, 8, 2, 6])
        other.replay(true)
        other.watchLive(true)
        other.analyse()
        #expect(other.lookedAt == nil)
        await other.settle()
        #expect(other.lookedAt == [0, 4, 8, 2, 6])
        other.leave()
    }

    @Test func whereTheGameIsOverThereIsNothingToLookAt() throws {
        let table = try table([0, 3, 1, 4, 2])
        table.replay(true)
        table.watchLive(true)
        #expect(table.lookedAt == nil)
        table.show(at: 4)
        #expect(table.lookedAt == [0, 3, 1, 4])
        table.leave()
    }

    @Test func aSearchWithoutEndEndsWithItsTask() async throws {
        let reading = try reading("tictactoe")
        let thinker = Thinker(reading, HashEvaluator(), hasValue: true)
        // Once the game is nearly over there are few positions, and only so many simulations are made.
        let few = try await thinker.analyse([:], [0, 1, 2, 4, 3, 5, 7], simulations: nil)
        #expect(few.isWhole && few.visits > 1000)
        let task = Task { try await thinker.analyse([:], [], simulations: nil) }
        task.cancel()
        #expect(try await !task.value.isWhole)
    }
}

extension Table {
    /// Wait until the position after so many moves was looked at so deeply, and say how deeply.
    fileprivate func waitForLook(at moves: Int, visits: Int) async throws -> Int {
        let end = ContinuousClock.now + .seconds(300)
        while (found?.visits ?? 0) < visits || lookedAt?.count != moves {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(1))
        }
        return found?.visits ?? 0
    }
}

/// Says what a hash says, until it fails.
private actor Failing: Evaluator {
    struct Broken: Error {}
    private var fails = false

    func fail(_ wanted: Bool) { fails = wanted }

    func evaluate(_ state: any State) async throws -> Evaluation {
        if fails { throw Broken() }
        return HashEvaluator().evaluate(state)
    }
}
