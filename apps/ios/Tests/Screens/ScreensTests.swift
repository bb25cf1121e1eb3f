import AzxBundle
import AzxEngine
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// The answers of golden.json in turn: those of its first position if it has none for an input.
private struct Recorded: Network {
    let runtime: String
    let golden: [Golden]
    let input: String

    init(_ bundle: GameBundle, _ units: Units) throws {
        runtime = units.rawValue
        golden = try bundle.golden()
        input = bundle.manifest.input.name
    }

    func outputs(_ tensor: [Float]) -> [String: [Float]] { outputs(of: [input: tensor]) }

    func outputs(of inputs: [String: [Float]]) -> [String: [Float]] {
        (golden.first { $0.inputs == inputs } ?? golden[0]).outputs
    }
}

private struct Refused: Error {}

@MainActor @Suite(.timeLimit(.minutes(10))) struct ScreensTests {
    private let notebook = Notebook()
    private let store = Store(Fixtures.bundles)
    private let load: Loading = { try Recorded($0, $1) }

    private func entry(_ name: String) throws -> Entry {
        try Fixtures.entry(Fixtures.bundles.appending(path: name))
    }

    @Test(arguments: ["connect4", "dots_and_boxes", "go", "gomoku", "tictactoe"])
    func aBundleIsOpenedAndPlayed(_ name: String) async throws {
        Memory(notebook, bundle: name).choices = Choices(strength: .policy, begins: .you)
        let (folder, games) = (GamesFolder(), Games())
        let room = Room(keeping: notebook, in: folder.library())
        room.enter()
        await room.open(try entry(name), store, on: .cpuAndGpu, load)
        let table = try #require(room.table)
        #expect((room.failure, room.runtime) == (nil, "cpuAndGpu"))
        #expect(room.strengths == Strength.allCases)
        #expect(room.seat?.presentation.game == name, "the index calls it otherwise")
        #expect(status(table.session, Presentation(name)) == Presentation(name).prompt)
        table.play(table.session.latest.legalActions()[0])
        #expect(table.session.moves == 1)
        #expect(status(table.session, Presentation(name)) == Phrase("waiting"))
        room.leave()

        #expect(!games.isRead && games.stage == .reading)
        await games.read(store, keeping: notebook)
        // This folder has no index: nothing is installed in it.
        #expect(games.cards.isEmpty && games.failure == nil && games.isRead)
        guard case .empty(let title, let how) = games.stage else { throw Refused() }
        #expect(Catalog.english.say(title) == "No game is installed" && Catalog.english.say(how).contains("azx "))
        #expect(table.gameRecord.kept?.session.moves == 1)
    }

    @Test func aNetworkThatCannotBeLoadedIsOneSentence() async throws {
        let room = Room(keeping: notebook)
        await room.open(try entry("tictactoe"), store, on: .cpu) { _, _ in throw Refused() }
        #expect(room.failure == .words("error_load", .text("Refused()")))
    }

    /// What helps is the primary button: a refusal may pass, a bundle that is at fault stays so.
    @Test func aNetworkThatDidNotComeIsTriedAgain() async throws {
        let room = Room(keeping: notebook)
        await room.open(try entry("tictactoe"), store, on: .cpu) { _, _ in throw BundleError("error_load", "no room") }
        #expect(room.failure != nil && !room.mayPass)
        let installed = Installed(try entry("tictactoe"), store)
        await room.tryAgain(installed, on: .cpu) { _, _ in throw Refused() }
        #expect(room.failure != nil && room.mayPass)
        await room.tryAgain(installed, on: .cpu) { bundle, _ in Hashed(bundle) }
        #expect(room.failure == nil && room.table != nil && room.runtime == "a hash")
    }

    @Test func theListTellsWhatWasLeftUnderWay() async throws {
        let broken = try Broken()
        let manifest = try Fixtures.fileEntry(broken.folder, "manifest.json")
        let entry = """
            {"name": "tictactoe", "title": "Tic-tac-toe", "game": "tictactoe", "artifact": "tictactoe.mlpackage",
             "format": "coreml", "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}
            """
        let index = broken.folder.deletingLastPathComponent().appending(path: "index.json")
        try Data("{\"schema_version\": 2, \"bundles\": [\(entry)]}".utf8).write(to: index)
        let games = Games()
        await games.read(broken.store, keeping: notebook)
        #expect(games.cards.map(\.isUnderWay) == [false])
        #expect(games.cards[0].canPlay && games.cards[0].canTest)
        let example = try #require(await games.cards[0].picture()).shown
        #expect((example.state as? TicTacToe)?.cells == [2, 0, 1, 1, 1, 0, 2, 0, 0] && !example.canPlay)
        notebook.keep("azx game 1\nhuman 0\nsettings\nactions 4 0\nrates", "tictactoe game")
        let folder = GamesFolder()
        await games.read(broken.store, keeping: notebook, in: folder.library())
        #expect(games.cards.map(\.isUnderWay) == [true])
        let shown = try #require(await games.cards[0].picture()).shown
        #expect((shown.state as? TicTacToe)?.cells == [2, 0, 0, 0, 1, 0, 0, 0, 0] && !shown.canPlay)
    }

    @Test func theListTellsThatHowANetworkSeesTheBoardIsAssumed() async throws {
        let broken = try Broken()
        let games = Games()
        /// Read the list of the bundle as it is now, which lies there as long as `listed` does.
        func read() async throws {
            let listed = try Listed(broken.folder)
            await games.read(listed.store, keeping: notebook)
            withExtendedLifetime(listed) {}
        }
        try await read()
        #expect(games.cards.map(\.doubt) == [nil])
        try broken.edit("\"checkpoint\": {", "\(assumed) \"checkpoint\": {")
        try await read()
        let card = try #require(games.cards.first)
        #expect(card.canPlay)
        #expect(
            card.doubt.map { Catalog.english.say($0) }
                == "How this network sees the board is not known; the usual way is assumed.")
    }

    @Test func everyUnitIsTested() async throws {
        let testing = SelfTesting(seconds: 0.01)
        testing.start(try entry("tictactoe"), store, device: "a test") { bundle, units in
            if units == .all { throw Refused() }
            return try Recorded(bundle, units)
        }
        #expect(testing.isRunning)
        await testing.settle()
        #expect(!testing.isRunning)
        #expect(testing.rows.map(\.units) == [.cpu, .cpuAndGpu, .cpuAndNeuralEngine, .all])
        #expect(testing.rows.map { $0.tested?.passed } == [true, true, true, nil])
        #expect(testing.rows[3].failure == .words("error_load", .text("Refused()")))
        #expect(testing.text.components(separatedBy: "azx self-test: PASS").count == 4)
    }

    @Test func aUnitThatADeviceLacksIsNotTested() async throws {
        let testing = SelfTesting(seconds: 0.01)
        testing.start(try entry("tictactoe"), store, device: "a test", on: [.cpu], load)
        await testing.settle()
        #expect(testing.rows.map(\.units) == [.cpu])
    }

    /// Two inputs, and no game: what golden.json has is enough.
    @Test func whatCannotBePlayedIsListedWithTheReasonAndTested() async throws {
        let broken = try Broken()
        let port = #"{"name": "extra", "shape": [2]}, "#
        try broken.edit("\"inputs\": [", "\"inputs\": [\(port)")
        try broken.edit("\"game\": \"tictactoe\"", "\"game\": null")
        let golden = String(decoding: try broken.read("golden.json"), as: UTF8.self)
        let both = golden.replacing("\"inputs\": {", with: "\"inputs\": {\"extra\": [0, 1], ")
        try broken.replace("golden.json", with: Data(both.utf8))
        let clauses = ["it has no known game", "its network has 2 inputs, and nothing says what each of them reads"]
        let codes = #"{"code": "no_game", "places": []}, {"code": "inputs", "places": ["2"]}"#
        for told in [codes, ""] {
            let manifest = try Fixtures.fileEntry(broken.folder, "manifest.json")
            let entry = """
                {"name": "tictactoe", "title": "two", "game": null, "problems": [\(told)],
                 "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}
                """
            let index = broken.folder.deletingLastPathComponent().appending(path: "index.json")
            try Data("{\"schema_version\": 2, \"bundles\": [\(entry)]}".utf8).write(to: index)
            let games = Games()
            await games.read(broken.store, keeping: notebook)
            let card = try #require(games.cards.first)
            #expect(!card.canPlay && card.canTest && !card.isUnderWay)
            let why = try #require(card.why)
            #expect(Catalog.english.say(why) == "Cannot be played: \(clauses.joined(separator: " and ")). Its self-test runs.")
            #expect(Catalog.chinese.say(why) == "无法对局：不知道它下的是哪种棋；它的网络有 2 个输入，而没有说明每个输入读取什么。可以运行自检。")
            let testing = SelfTesting(seconds: 0.01)
            testing.start(card.entry, broken.store, device: "a test", load)
            await testing.settle()
            #expect(testing.failure == nil)
            #expect(testing.rows.map { $0.tested?.passed } == [true, true, true, true])
            #expect(testing.rows.allSatisfy { $0.tested?.playoutsPerSecond == nil })
            #expect(testing.text.contains("Playouts a second: none, it cannot be played"))
            let room = Room(keeping: notebook)
            await room.open(card.entry, broken.store, on: .cpu, load)
            #expect(room.table == nil)
            let refused = "Bundle 'tictactoe' cannot be played: \(clauses.joined(separator: " and "))."
            #expect(Catalog.english.say(try #require(room.failure)) == refused)
        }
    }

    @Test func aTestThatIsStoppedHasNoResult() async throws {
        let testing = SelfTesting(seconds: 60)
        testing.start(try entry("tictactoe"), store, device: "a test", load)
        testing.stop()
        await testing.settle()
        #expect(testing.wasStopped)
        #expect(testing.rows.isEmpty)
    }

    @Test func movesAndReasonsAreSaidInTheGamesWords() throws {
        let dots = try DotsAndBoxes(size: 3)
        let hint = { sentence(.hint(action: $0, share: 0.125, winRate: nil), dots).parts[0] }
        #expect(hint(0) == .text("A1–B1"))
        #expect(hint(11) == .text("C4–D4"))
        #expect(hint(12) == .text("A1–A2"))
        #expect(hint(23) == .text("D3–D4"))
        #expect(hint(24) == .phrase(Phrase("move_pass")))
        let column = sentence(.hint(action: 38, share: 0.5, winRate: 0.25), Connect4())
        #expect(column.key == "hint_move_rate")
        #expect(column.parts[0] == .phrase(Phrase("move_column", .whole(4))))
        #expect(column.parts[2] == .phrase(Phrase("percent", .whole(25))))
        #expect(sentence(.notPossible(Refusal(.full)), Connect4()) == Phrase("not_possible", .words("reason_full")))
        let superko = Phrase("not_possible", .words("reason_superko", .whole(12)))
        #expect(sentence(.notPossible(Refusal(.superko, move: 12)), try Go()) == superko)
    }

    @Test(arguments: Refusal.Code.allCases) func everyReasonHasAText(code: Refusal.Code) {
        #expect(!Catalog.english.say(Phrase("reason_\(code.rawValue)", .whole(1))).contains("no text"))
    }

    @Test func goIsCountedWhenItIsOver() throws {
        var go = try Go(size: 9)
        for action in [40, 81, 81] { go = try go.apply(action) }
        let session = Session(go, human: 0)
        let winner = Phrase("black_wins_by", .number(73.5))
        #expect(
            summary(session, go) == [Phrase("go_score", .whole(81), .whole(0), .number(7.5), .phrase(winner))])
        let passed = try Go(size: 9).apply(81)
        #expect(summary(Session(passed, human: 1), passed).map(\.key) == ["captured", "ai_passed"])
    }

    @Test(arguments: ["connect4", "dots_and_boxes", "go", "gomoku", "tictactoe"])
    func everyFirstMoveIsASpotOfTheTablesBoard(_ name: String) async throws {
        let room = Room(keeping: notebook)
        await room.open(try entry(name), store, on: .cpu, load)
        let table = try #require(room.table)
        let board = try #require(table.board)
        let moves = table.session.latest.legalActions().filter { $0 != passOf(table.session.latest) }
        #expect(board.spoken.map(\.action).sorted() == moves)
        #expect(board.spoken.contains { $0.isButton } == table.canPlay)
        #expect(board.shown.last == table.session.lastMove)
        #expect(board.shown.human == table.session.human)
    }
}
