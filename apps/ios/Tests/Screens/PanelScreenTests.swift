import AzxBundle
import Foundation
import Support
import Testing

@testable import AzxDrawing
@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// Screens of drawn positions: whatever a search and the rules say, no two figures of one stand on different sides.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PanelScreenTests {
    private static let drawn = 2_000
    /// Each game on a board that is quickly played to its end.
    private static let games: [(name: String, settings: Settings)] = [
        ("connect4", [:]), ("tictactoe", [:]), ("dots_and_boxes", ["size": .number(2)]), ("gomoku", ["size": .number(9)]),
        ("reversi", ["size": .number(4)]), ("hex", ["size": .number(5)]), ("go", ["size": .number(5)]),
    ]

    /// Who thinks in these games; each search is begun by hand, as no bundle plays these boards.
    private let thinker: Thinker
    private let reading: Reading

    init() throws {
        reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe")), Store(Fixtures.bundles)).reading
        thinker = Thinker(reading, HashEvaluator(), hasValue: true)
    }

    /// A table in a replay of random moves, whose network was as wrong on the way as can be.
    private func table(_ game: (name: String, settings: Settings), _ drawing: inout Drawing) throws -> Table {
        let human = drawing.draw(2)
        var session = Session(try Game.find(game.name).begin(game.settings), human: human)
        let length = drawing.draw(40)
        while session.moves < length, !session.latest.isTerminal {
            session = session.rate(Double(drawing.draw(101)) / 100)
            let legal = session.latest.legalActions()
            session = try session.play(legal[drawing.draw(legal.count)])
        }
        let kept = Kept(session, settings: game.settings, Identity(.played))
        let table = try Table(Opened(reading, thinker, Memory(Notebook(), bundle: game.name)), kept: kept)
        table.isReplay = true
        return table
    }

    /// What a hint finds, by a search of few simulations.
    private func look(_ table: Table) async throws {
        let state = table.displayed.visible
        if state.isTerminal { return }
        let search = Search(state, HashEvaluator())
        try await search.run(12)
        let found = await thinker.found(search, isWhole: true)
        table.show(found, try state.pointsSolved(found.candidates.map(\.action)))
    }

    private func side(_ number: Double) -> Int { abs(number) < 1e-9 ? 0 : number > 0 ? 1 : -1 }

    /// The sides on which the figures of a screen stand, 0 left out.
    private func sides(_ table: Table) -> Set<Int> {
        let panel = table.panel
        guard let figure = panel.figure, let share = panel.share else { return [] }
        var found = [figure.unit == .chance ? figure.value - 0.5 : figure.value, share - 0.5, Double(panel.proven?.result ?? 0)]
        found.append(panel.headline == .won ? 1 : panel.headline == .lost ? -1 : 0)
        // What the AI is told to have is what the person has not.
        found.append(table.winRate.map { 0.5 - $0 } ?? 0)
        found.append(table.notice?.chance.map { $0 - 0.5 } ?? 0)
        if case .lost = table.notice { found.append(table.displayed.visible.toMove == table.session.side ? -1 : 1) }
        let point = table.session.graph(panel).first { $0.moves == table.session.ply }
        found.append((point?.share ?? 0.5) - 0.5)
        return Set(found.map(side)).subtracting([0])
    }

    @Test func noTwoFiguresStandOnDifferentSides() async throws {
        var (drawing, looked) = (Drawing(54), 0)
        for number in 0..<Self.drawn {
            let game = Self.games[number % Self.games.count]
            let table = try table(game, &drawing)
            try await look(table)
            let panel = table.panel
            guard let figure = panel.figure else { continue }
            looked += 1
            let about: Comment = "\(game.name) \(table.session.actions)"
            #expect(sides(table).count <= 1, about)
            // The mover's best move is worth what the position is, and none is worth more.
            let turn = table.displayed.visible.toMove == table.session.side ? 1.0 : -1
            for option in panel.options {
                if let value = option.value { #expect(turn * value <= turn * figure.value + 1e-9, about) }
            }
            if let proven = panel.proven, Double(proven.result) * turn < 0, figure.unit == .chance { #expect(panel.equal.isEmpty, about) }
            // The board and the list draw the panel's figures.
            let board = try #require(table.board).shown
            #expect(board.better == panel.better?.action, about)
            #expect(Set(board.equal).isSubset(of: panel.equal), about)
            for option in panel.options where board.heat.percent(option.action) != nil {
                if let rates = panel.rates { #expect(board.heat.percent(option.action) == Int((100 * rates[option.action]!).rounded()), about) }
            }
        }
        #expect(looked > Self.drawn * 9 / 10)
    }

    // MARK: The primary button

    private func seat(_ game: String, _ human: Player = 0, _ actions: [Int] = [], hasValue: Bool = true) throws -> Seat {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        let opened = Opened(reading, Thinker(reading, HashEvaluator(), hasValue: hasValue), memory)
        return Seat(try Table(opened, kept: kept(reading, human: human, actions)), Presentation(game))
    }

    private func title(_ seat: Seat) -> String? { seat.primary.map { Catalog.english.say($0.title) } }

    /// From a game under way to its end, its review, a mistake, and the next try.
    @Test func oneActIsThePrimaryOneAtEachMoment() async throws {
        let seat = try seat("connect4", 0, [35, 36, 28, 29, 21, 22])
        #expect(seat.primary == nil, "a person is to move on the board")
        seat.hint()
        #expect(title(seat) == "Stop" && seat.table.isHinting)
        await seat.table.settle()
        #expect(seat.primary == nil && seat.table.notice?.hinted == [14])
        seat.table.play(14)
        await seat.table.settle()
        #expect(seat.table.session.phase == .over && title(seat) == "Review")
        seat.perform(.review)
        #expect(seat.table.isReplay && seat.table.session.ply == 0 && title(seat) == "Analyse")
        seat.table.simulations = 50
        seat.perform(.analyse)
        #expect(title(seat) == "Stop")
        seat.perform(.stop)
        #expect(!seat.table.isAnalysing && title(seat) == "Analyse", "what is known stays known")
        seat.perform(.analyse)
        await seat.table.settle()
        #expect(seat.table.hasMistakes && title(seat) == "Next mistake")
        seat.perform(.nextMistake)
        let sentence = try #require(seat.table.sentence(Presentation("connect4")).map { Catalog.english.say($0) })
        #expect(title(seat) == "Try again" && sentence.contains("Better: "))
        #expect(seat.notes(isComing: false).first == seat.table.sentence(Presentation("connect4")), "in sight on a phone")
        seat.perform(.tryAgain)
        #expect(title(seat) == "Back to the game" && seat.table.panel.headline == .trying)
        seat.perform(.toGame)
        seat.table.show(at: seat.table.session.moves)
        #expect(["Try again", "Next mistake"].contains(title(seat)))
    }

    @Test func aNetworkWithoutAValueOffersARematch() async throws {
        let seat = try seat("connect4", 0, [35, 36, 28, 29, 21, 22, 14], hasValue: false)
        #expect(title(seat) == "Rematch")
        seat.perform(.rematch)
        #expect(seat.table.session.phase != .over && seat.table.session.moves <= 1)
        seat.table.leave()
    }

    @Test func aGameThatIsWatchedIsPausedAndGoesOn() throws {
        let seat = try seat("tictactoe", nobody, [4])
        #expect(title(seat) == "Go on")
        seat.perform(.resume)
        #expect(title(seat) == "Pause" && !seat.table.isPaused)
        seat.perform(.pause)
        #expect(seat.table.isPaused)
        seat.table.leave()
    }

    @Test func aReplayOfAGameUnderWayGoesOn() throws {
        let seat = try seat("connect4", 0, [35, 36], hasValue: false)
        seat.table.replay(true)
        #expect(title(seat) == "Play")
        seat.perform(.playOn)
        #expect(!seat.table.isReplay)
        seat.table.replay(true)
        seat.table.show(at: 1)
        #expect(title(seat) == "Play on from here")
    }

    /// Of all buttons of the app's sources "New game" has the primary style nowhere: beside what went wrong it is what helps.
    @Test func newGameIsNeverThePrimaryButtonOfAGame() throws {
        let app = Fixtures.root.appending(path: "apps/ios/App")
        let files = try FileManager.default.contentsOfDirectory(at: app, includingPropertiesForKeys: nil)
        let lines = try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { (file.lastPathComponent, String($0)) }
        }
        let loud = lines.filter { $0.1.contains("\"new_game\"") && $0.1.contains("borderedProminent") }
        #expect(lines.contains { $0.1.contains("\"new_game\"") } && loud.isEmpty, "\(loud)")
        for act in Panel.Act.allCases { #expect(act.rawValue != "new_game") }
    }
}
