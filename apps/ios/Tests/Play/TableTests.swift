import AzxEngine
import Foundation
import Observation
import Support
import Testing

@testable import AzxPlay

/// Texts that are kept for as long as a test runs.
final class Notebook: Keeping {
    private var texts: [String: String] = [:]

    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) { texts[name] = text }
    func forget(_ name: String) { texts[name] = nil }
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct TableTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()

    /// A table as a process has it that begins: with the game that was left at it.
    private func goOn(_ game: String) async throws -> Table {
        let library = folder.library()
        await library.open()
        return try table(game, in: library)
    }

    private func table(
        _ game: String, _ choices: Choices = Choices(strength: .simulations50, begins: .you),
        _ network: any Evaluator = HashEvaluator(), in library: Library? = nil
    ) throws -> Table {
        let memory = Memory(notebook, bundle: game)
        if notebook.text("\(game) strength") == nil { memory.choices = choices }
        let (reading, bundle) = (try reading(game), GameRecord.BundleName(game))
        let shelf = library.map { Opened.Shelf($0, Opponent(bundle, title: game)) }
        let opened = Opened(reading, Thinker(reading, network, hasValue: true), memory, shelf)
        return try Table(opened, kept: library?.last(of: bundle)?.kept, chance: { 1 })
    }

    @Test func theNetworkAnswersAPersonsMove() async throws {
        let table = try table("tictactoe")
        #expect(table.canPlay)
        table.play(4)
        #expect(table.isThinking)
        #expect(!table.canPlay)
        await table.settle()
        #expect(table.session.moves == 2)
        #expect(table.canPlay)
        #expect(table.progress?.simulations == 50)
        #expect(table.session.rates[1] != nil)
    }

    @Test func whatIsShownIsObserved() async throws {
        let table = try table("tictactoe")
        let changes = Told()
        withObservationTracking {
            _ = table.session.moves
        } onChange: {
            changes.add()
        }
        table.play(4)
        #expect(changes.count == 1)
        await table.settle()
    }

    @Test func aMoveThatCannotBePlayedIsExplainedAndChangesNothing() async throws {
        let table = try table("tictactoe")
        table.play(4)
        await table.settle()
        table.play(4)
        #expect(table.notice == .notPossible(Refusal(.occupied)))
        #expect(table.session.moves == 2)
        table.undo()
        #expect(table.notice == nil)
        #expect(table.session.moves == 0)
    }

    @Test func chanceMayLetTheNetworkBegin() async throws {
        let table = try table("tictactoe", Choices(strength: .policy))
        #expect(table.notice == .begins(isHuman: false))
        table.resume()
        await table.settle()
        #expect(table.session.moves == 1)
        #expect(table.session.phase == .yours)
    }

    @Test func aGameOutlivesTheProcess() async throws {
        let library = folder.library()
        let first = try table("gomoku", Choices(strength: .policy, begins: .you, isOtherRule: true), in: library)
        first.play(112)
        await first.settle()
        await library.settle()
        let second = try await goOn("gomoku")
        #expect(second.session.actions == first.session.actions && second.session.rates == first.session.rates)
        #expect(second.identity == first.identity)
        #expect(second.choices == first.choices)
        #expect((second.session.latest as? Gomoku)?.rule == "renju")
    }

    @Test func whoLeavesStopsTheThoughtAndWhoComesBackBeginsItAnew() async throws {
        let table = try table("tictactoe", Choices(strength: .seconds10, begins: .ai), Counting(milliseconds: 1))
        table.resume()
        table.leave()
        await table.settle()
        #expect(table.session.moves == 0, "an answer that nobody waits for is dropped")
        table.resume()
        while table.progress == nil { await Task.yield() }
        table.stop()
        await table.settle()
        #expect(table.session.actions == [4], "stopped, it plays the best that it has found")
    }

    @Test func aNewGameDropsTheAnswerThatIsUnderWay() async throws {
        let table = try table("tictactoe", Choices(strength: .seconds10, begins: .you), Counting(milliseconds: 1))
        table.play(0)
        table.restart()
        await table.settle()
        #expect(table.session.moves == 0)
        #expect(table.canPlay)
    }

    @Test func aHintColoursTheBoardUntilTheNextMove() async throws {
        let table = try table("tictactoe", Choices(strength: .policy, begins: .you), Counting())
        table.hint()
        await table.settle()
        let found = try #require(table.found)
        #expect(found.isWhole && found.candidates.first?.action == 4)
        #expect(table.heat == found.shares)
        guard case .hint(let action, let share, let winRate) = table.notice else {
            Issue.record("there is no hint")
            return
        }
        #expect(action == 4)
        #expect(share > 0.5)
        #expect(winRate == table.panel.chance && winRate == found.seen?.chance)
        table.play(0)
        #expect(table.heat == nil && table.found == nil)
        #expect(table.notice == nil)
        await table.settle()
    }

    /// A record's position in which half of the edges are drawn, so that the end is solved.
    @Test func aHintOfASolvedEndSaysWhatEachMoveLosesInBoxes() async throws {
        let reading = try reading("dots_and_boxes")
        let opened = Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), Memory(notebook, bundle: "dots"))
        let table = try Table(opened, kept: kept(reading, [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]))
        table.hint()
        await table.settle()
        let (found, points) = (try #require(table.found), try #require(table.points))
        let actions = found.candidates.map { $0.action }
        let measured = try table.displayed.visible.points(of: actions)
        #expect(points.count == actions.count && points == measured)
        table.play(found.candidates[0].action)
        #expect(table.points == nil)
        await table.settle()
    }

    @Test func theHeatMayBeShownAtEveryMove() async throws {
        var choices = Choices(strength: .policy, begins: .you, alwaysHeat: true)
        let table = try table("tictactoe", choices, Counting())
        table.resume()
        await table.settle()
        #expect(table.heat != nil)
        table.play(0)
        await table.settle()
        #expect(table.heat?.count == 7)
        choices.alwaysHeat = false
        table.choose(choices)
        #expect(table.heat == nil)
    }

    @Test func anotherRuleIsOfTheNextGame() async throws {
        let table = try table("gomoku", Choices(strength: .policy, begins: .you))
        table.play(112)
        await table.settle()
        var choices = table.choices
        choices.isOtherRule = true
        table.choose(choices)
        #expect(table.session.moves == 2 && (table.session.latest as? Gomoku)?.rule == "freestyle")
        table.restart(choices)
        #expect(table.session.moves == 0)
        #expect((table.session.latest as? Gomoku)?.rule == "renju")
        choices.strength = .seconds1
        table.choose(choices)
        #expect(Memory(notebook, bundle: "gomoku").choices == choices)
    }

    @Test func theKomiOfTheNextGameIsChosenAndKept() async throws {
        let table = try table("go", Choices(strength: .policy, begins: .you))
        #expect((table.session.latest as? Go)?.komi == 7.5)
        var choices = table.choices
        choices.komi = 0.5
        table.restart(choices)
        #expect((table.session.latest as? Go)?.komi == 0.5)
        #expect(Memory(notebook, bundle: "go").choices.komi == 0.5)
        for text in ["nan", "many"] {
            notebook.keep(text, "go komi")
            #expect(Memory(notebook, bundle: "go").choices.komi == nil, "what is no number is the network's own")
        }
        let connect4 = try reading("connect4")
        #expect(Choices().settings(connect4).isEmpty && Choices.rules("connect4").isEmpty)
    }

    @Test func aNetworkPlaysByTheKomiThatItWasMadeForUnlessAnotherIsChosen() async throws {
        let (usual, own) = (try reading("go"), try reading("go", ["komi": .number(6)]))
        let memory = Memory(notebook, bundle: "six")
        func table(_ kept: Kept? = nil) throws -> Table {
            try Table(Opened(own, Thinker(own, HashEvaluator(), hasValue: true), memory), kept: kept, chance: { 0 })
        }
        let first = try table()
        #expect((first.session.latest as? Go)?.komi == 6 && first.ownKomi == 6)
        #expect(first.choices.komi == nil && first.choices.komis(6) == [0.5, 5.5, 6, 6.5, 7.5])
        #expect(first.gameRecord.settings["komi"] == .number(6) && first.gameRecord.fits(usual) && first.gameRecord.fits(own))
        let back = try table(first.gameRecord.kept)
        #expect((back.session.latest as? Go)?.komi == 6 && back.choices.komi == nil)
        var choices = back.choices
        choices.komi = 9.75
        back.restart(choices)
        #expect((back.session.latest as? Go)?.komi == 9.75 && back.choices.komis(6).last == 9.75)
        #expect((try table().session.latest as? Go)?.komi == 9.75, "what was chosen is kept")
    }

    @Test func aNetworkPlaysByTheRuleThatItWasMadeForUnlessAnotherIsChosen() async throws {
        let (usual, own) = (try reading("gomoku"), try reading("gomoku", ["rule": .text("renju")]))
        let memory = Memory(notebook, bundle: "renju")
        func table(_ kept: Kept? = nil) throws -> Table {
            try Table(Opened(own, Thinker(own, HashEvaluator(), hasValue: true), memory), kept: kept, chance: { 0 })
        }
        func rule(_ table: Table) -> String? { (table.session.latest as? Gomoku)?.rule }
        let first = try table()
        #expect(rule(first) == "renju" && first.hasOtherRule && first.choices.isOtherRule == nil)
        #expect(first.gameRecord.settings["rule"] == .text("renju") && first.gameRecord.fits(usual) && first.gameRecord.fits(own))
        let back = try table(first.gameRecord.kept)
        #expect(rule(back) == "renju" && back.choices.isOtherRule == nil)
        var choices = back.choices
        choices.isOtherRule = false
        back.restart(choices)
        #expect(rule(back) == "freestyle" && back.gameRecord.fits(own))
        #expect(rule(try table()) == "freestyle", "what was chosen is kept")
        #expect(try !Table(Opened(usual, Thinker(usual, HashEvaluator(), hasValue: true), memory), kept: nil, chance: { 0 }).hasOtherRule)
    }

    @Test func aForcedPassIsTold() async throws {
        let table = try table("dots_and_boxes", Choices(strength: .policy, begins: .you), Uniform())
        // The network draws the lowest edge that is open: 0 after 3, 1 after 12; 13 then completes the first box.
        for edge in [3, 12, 13] {
            table.play(edge)
            if edge == 13 { break }
            await table.settle()
        }
        #expect(table.notice == .forcedPass(isHuman: false))
        #expect(table.session.phase == .yours)
    }

    @Test func aReplayWalksThroughTheGameAndPlaysNothing() async throws {
        let table = try table("tictactoe", Choices(strength: .policy, begins: .you))
        table.show(at: 0)
        table.play(4)
        await table.settle()
        table.replay(true)
        table.show(at: 1)
        #expect(table.session.ply == 1)
        #expect(!table.canPlay)
        let moves = table.session.moves
        table.play(table.session.latest.legalActions()[0])
        table.undo()
        #expect(table.session.moves == moves)
        table.replay(false)
        #expect(table.session.ply == moves)
    }

    @Test func aNetworkThatFailsIsToldAndANewGameForgetsIt() async throws {
        let network = Counting()
        await network.fail(true)
        let table = try table("tictactoe", Choices(strength: .policy, begins: .you), network)
        table.play(0)
        await table.settle()
        #expect(table.failure != nil)
        #expect(!table.isThinking)
        table.resume()
        await table.settle()
        #expect(table.session.moves == 1)
        table.askAgain()
        await table.settle()
        #expect(table.failure != nil && table.session.moves == 1)
        await network.fail(false)
        table.askAgain()
        await table.settle()
        #expect(table.failure == nil && table.session.moves == 2 && table.canPlay)
        await network.fail(true)
        table.play(table.session.latest.legalActions()[0])
        await table.settle()
        #expect(table.failure != nil)
        await network.fail(false)
        table.restart()
        #expect(table.failure == nil)
        table.play(0)
        await table.settle()
        #expect(table.session.moves == 2)
    }

    @Test func aHintThatFailsLeavesTheGameOnTheScreen() async throws {
        let network = Counting()
        await network.fail(true)
        let table = try table("tictactoe", Choices(strength: .policy, begins: .you), network)
        table.hint()
        await table.settle()
        #expect(table.notice == .noHint(Failure(Counting.Broken())))
        #expect(table.failure == nil && table.canPlay && table.heat == nil)
        await network.fail(false)
        table.hint()
        await table.settle()
        #expect(table.heat != nil, "it can be asked for again")
        table.play(0)
        await table.settle()
        #expect(table.notice == nil && table.session.moves == 2)
    }

    @Test func thePersonTakesTheOtherSide() async throws {
        let table = try table("tictactoe", Choices(strength: .policy, begins: .you))
        table.swapSides()
        #expect((table.session.human, table.notice) == (1, nil))
        await table.settle()
        #expect(table.session.moves == 1 && table.canPlay)
        table.swapSides()
        #expect(table.session.human == 0 && table.session.moves == 0)
    }

    /// An app that is left and come back to, as by a call, is as it was.
    @Test func theStonesThatAPersonHasMarkedStayMarked() async throws {
        let memory = Memory(notebook, bundle: "go")
        memory.choices = Choices(strength: .simulations50, begins: .you)
        let reading = try reading("go")
        let opened = Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory)
        let table = try Table(opened, kept: kept(reading, [40, 0, 81, 81]))
        #expect(table.isScoring && table.counted == nil)
        table.resume()
        await table.settle()
        let proposed = try #require(table.counted).dead
        table.play(40)
        let marked = try #require(table.counted).dead
        #expect(marked.contains(40) != proposed.contains(40))
        table.leave()
        table.resume()
        await table.settle()
        #expect(table.counted?.dead == marked)
        table.playOn()
        #expect(table.canPlay && table.session.moves == 2 && table.counted == nil)
    }

    /// Whole games by what a person may do, of every game.
    @Test(arguments: Fixtures.names) func aWholeGameIsPlayedToItsEnd(game: String) async throws {
        let table = try table(game, Choices(strength: .policy, begins: .you))
        while table.session.phase != .over {
            if table.isScoring {
                table.agree()
                break
            }
            let (before, state) = (table.session.moves, table.session.latest)
            let legal = state.legalActions()
            // Go is ended by passing, once it has been played for a while.
            if before > 40, passOf(state) != nil { table.pass() } else { table.play(legal[before * 7 % legal.count]) }
            await table.settle()
            #expect(table.session.moves > before)
            if table.session.moves == before { break }
        }
        #expect(table.session.curve().last?.rate == Double(table.session.result + 1) / 2)
        #expect(!table.canPlay)
        #expect(table.failure == nil)
    }
}

/// How often something was told.
private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var told = 0

    var count: Int { lock.withLock { told } }

    func add() { lock.withLock { told += 1 } }
}
