import Support
import Testing

@testable import AzxBundle
@testable import AzxDrawing
@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// What is proven, or stands in a table of openings, is what a person is told: whatever the network thinks of the position.
@MainActor @Suite(.timeLimit(.minutes(10))) struct CertainChancesTests {
    /// A position that is proven or known by a table: the game, and the moves that lead there.
    struct Case: CustomTestStringConvertible, Sendable {
        let game: String
        let actions: [Int]
        var testDescription: String { "\(game) after \(actions.count) moves" }
    }

    /// A won end and a lost one of games that are counted, openings, a win at once, one that cannot be stopped.
    private nonisolated static let cases = [
        Case(game: "dots_and_boxes", actions: [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19]),
        Case(game: "dots_and_boxes", actions: [0, 1, 2, 12, 15, 9, 10, 11, 20, 23, 16, 19, 3]),
        Case(game: "reversi", actions: walk("reversi", until: 6)),
        Case(game: "connect4", actions: []), Case(game: "connect4", actions: [37]), Case(game: "connect4", actions: [35]),
        Case(game: "connect4", actions: [35, 36, 28, 29, 21, 22]), Case(game: "connect4", actions: [37, 30, 38, 31, 39]),
        Case(game: "tictactoe", actions: [0, 3, 1, 4]), Case(game: "tictactoe", actions: [0, 1, 4, 2, 3]),
        Case(game: "gomoku", actions: [20, 0, 21, 1, 22, 2, 23, 3]),
    ]

    /// First moves until so few are left to be played.
    private nonisolated static func walk(_ game: String, until left: Int) -> [Int] {
        guard var state = try? Game.find(game).begin() else { return [] }
        var actions: [Int] = []
        while let reversi = state as? Reversi, reversi.cells.count(where: { $0 == Cell.empty }) > left, !state.isTerminal {
            actions.append(state.legalActions()[0])
            guard let next = try? state.apply(actions[actions.count - 1]) else { break }
            state = next
        }
        return actions
    }

    private func table(
        _ game: String, human: Player, _ actions: [Int], strength: Strength = .policy, heat: Bool = false
    ) throws -> Table {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: strength, begins: .you, alwaysHeat: heat)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        let opened = Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory)
        return try Table(opened, kept: kept(reading, human: human, actions))
    }

    /// The chance of who moves, as it is known without a network.
    private func certain(_ table: Table) throws -> Double {
        let known = Known(table.session.latest)
        let result = try #require(known.margin?.signum() ?? known.result ?? known.outcome, "else this shows nothing")
        return Double(1 + result) / 2
    }

    /// What a hint says; one of a lost position says that it is lost.
    private func rate(_ table: Table) -> Double? {
        if case .lost = table.notice { 0 } else { table.notice?.chance }
    }

    @Test(arguments: cases) func aHintSaysWhatIsCertain(_ each: Case) async throws {
        let mover = try table(each.game, human: 0, each.actions).session.latest.toMove
        let table = try table(each.game, human: mover, each.actions)
        table.simulations = 50
        table.hint()
        await table.settle()
        let wanted = try certain(table)
        #expect(rate(table) == wanted && table.panel.chance == wanted)
        let share = try #require(table.panel.share)
        #expect((share - 0.5) * (wanted - 0.5) > 0 || share == wanted, "the bar stands on the same side")
        #expect(table.winRate == 1 - wanted, "the AI's is the other one's")
        // What keeps the result has its chance, anything else no larger one.
        let (left, found) = (Known(table.session.latest).left, try #require(table.found))
        for option in table.panel.options where table.points == nil {
            let value = try #require(option.value)
            #expect(left.contains(option.action) ? value == wanted : value <= wanted)
        }
        #expect(found.candidates.map(\.action) == table.panel.options.map(\.action))
    }

    @Test(arguments: cases) func soDoesTheHeatOfEveryMove(_ each: Case) async throws {
        let mover = try table(each.game, human: 0, each.actions).session.latest.toMove
        let table = try table(each.game, human: mover, each.actions, heat: true)
        table.resume()
        await table.settle()
        let wanted = try certain(table)
        #expect(rate(table) == wanted)
        let left = Known(table.session.latest).left
        #expect(try #require(table.notice?.hinted).allSatisfy(left.contains), "a network that thinks otherwise is wrong")
    }

    @Test(arguments: cases, [Strength.policy, .level3]) func soDoesWhatTheNetworkThinks(_ each: Case, _ strength: Strength) async throws {
        let mover = try table(each.game, human: 0, each.actions).session.latest.toMove
        let table = try table(each.game, human: other(mover), each.actions, strength: strength)
        let wanted = try certain(table)
        table.resume()
        await table.settle()
        #expect(table.session.rates[each.actions.count] == 1 - wanted)
    }

    @Test func atTheEndOfAGameTheResultIsTheAIsChanceToo() throws {
        let won = [35, 36, 28, 29, 21, 22, 14]
        for (human, rate) in [(0, 0.0), (1, 1.0), (nobody, nil)] {
            let table = try table("connect4", human: human, won)
            table.progress = Progress(simulations: 50, depth: 3, winRate: 0.48, seconds: 1, proven: false)
            #expect(table.winRate == rate && table.panel.share == (human == 1 ? 0 : 1))
        }
        let table = try table("connect4", human: 0, won)
        table.know(Seen(mover: 0, chance: 0.75, best: 28), at: 2)
        table.replay(true)
        table.show(at: 2)
        #expect(table.panel.share == 0.75 && table.winRate == 0.25, "both are of the position that is shown")
    }

    /// A search beats the network, and what is proven both.
    @Test func theGraphHasWhatAnAnalysisHasFound() throws {
        var session = try table("tictactoe", human: 0, [0, 3, 1, 4, 8]).session.show(2)
        session.rates = [0: 0.5, 2: 0.5, 3: 0.5]
        let states = session.states
        session.seen[2] = Seen(mover: 0, chance: 0.75, best: 1, known: Known(states[2]))
        session.seen[3] = Seen(mover: 1, chance: 0.75, best: 2, known: Known(states[3]))
        session.seen[4] = Seen(mover: 0, chance: 0.25, best: 2, known: Known(states[4]))
        #expect(session.curve().map(\.moves) == [0, 2, 3, 4] && session.curve().map(\.rate) == [0.5, 0.75, 0.25, 1])
        #expect(session.chanceShown == 0.75)
    }
}
