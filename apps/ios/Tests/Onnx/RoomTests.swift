import AzxBundle
import AzxEngine
import AzxNetwork
import AzxScreens
import Foundation
import OnnxRuntime
import Support
import Testing

@testable import AzxPlay

/// Texts that are kept for as long as a test runs.
private final class Notebook: Keeping {
    private var texts: [String: String] = [:]

    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) { texts[name] = text }
    func forget(_ name: String) { texts[name] = nil }
}

/// The models of the screens with real networks in a real runtime.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RoomTests {
    private let load: Loading = { bundle, _ in try OnnxNetwork(bundle) }

    @Test(arguments: Fixtures.names) func aGameIsPlayedByTapsUntilItsEnd(_ game: String) async throws {
        let notebook = Notebook()
        Memory(notebook, bundle: game).choices = Choices(strength: .policy, begins: .you)
        let room = Room(keeping: notebook)
        room.enter()
        let folder = Fixtures.bundles.appending(path: game)
        await room.open(try Fixtures.entry(folder), Store(Fixtures.bundles), on: .cpu, load)
        let person = try #require(Person(room))
        #expect(try await person.playToTheEnd(passingAfter: 12))
        let session = person.table.session
        #expect(person.status.key == ["ai_won", "draw", "you_won"][session.result + 1])
        print("room: \(game), \(session.moves) moves by taps, \(person.status.key), \(room.runtime ?? "")")
    }

    /// Red has three in column 1, and the real network sees it: at a hint, and where the move was missed.
    @Test func aHintAndAnAnalysisSeeAWinAtOnce() async throws {
        let notebook = Notebook()
        notebook.keep("azx game 1\nhuman 0\nsettings\nactions 35 36 28 29 21 22\nrates", "connect4 game")
        let games = GamesFolder()
        let room = Room(keeping: notebook, in: games.library())
        // What is looked at is looked at for somebody.
        room.enter()
        let folder = Fixtures.bundles.appending(path: "connect4")
        await room.open(try Fixtures.entry(folder), Store(Fixtures.bundles), on: .cpu, load)
        let (person, seat) = (try #require(Person(room)), try #require(room.seat))
        #expect(room.hasValue)
        seat.table.hint()
        #expect(try await person.waitForHint())
        #expect(seat.table.candidates?.first?.id == 14)
        seat.table.replay(true)
        seat.choose(6)
        seat.table.playFromHere()
        #expect(try await person.wait())
        seat.table.replay(true)
        seat.table.show(at: 7)
        seat.table.analyse()
        while seat.table.isAnalysing { try await Task.sleep(for: .milliseconds(5)) }
        let verdict = Catalog.english.say(try #require(seat.table.sentence(Presentation("connect4"))))
        #expect(verdict == "Column 7: blunder, misses a win in 1. Better: column 1.")
        print("review: \(verdict)")
        seat.table.tryAgain()
        seat.choose(0)
        while seat.table.isTrying { try await Task.sleep(for: .milliseconds(5)) }
        let tried = try #require(seat.table.sentence(Presentation("connect4")))
        #expect(Catalog.english.say(tried) == "Column 1 is the move that the review prefers.")
        // At another position the same network is asked for as long as it is shown.
        seat.table.show(at: 2)
        seat.table.watchLive(true)
        while (seat.table.found?.visits ?? 0) < 50 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(seat.table.candidates?.contains { $0.line != nil } == true)
        seat.table.watchLive(false)
    }

    /// Two levels of one network, by the question for a new game.
    @Test func aSeriesIsPlayedByTheRealNetwork() async throws {
        let (notebook, games) = (Notebook(), GamesFolder())
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .policy, begins: .watch, pace: .fast)
        let library = games.library()
        let room = Room(keeping: notebook, in: library)
        room.enter()
        let folder = Fixtures.bundles.appending(path: "tictactoe")
        await room.open(try Fixtures.entry(folder), Store(Fixtures.bundles), on: .cpu, load)
        let seat = try #require(room.seat)
        seat.restart()
        seat.sides?.strengths = [.level1, .level8]
        seat.sides?.count = 2
        seat.begin()
        let series = try #require(seat.table.series)
        while !series.isOver { try await Task.sleep(for: .milliseconds(5)) }
        #expect(series.tally.played == 2)
        let played = library.list.filter { $0.over && $0.origin == .watched }
        #expect(played.count == 2 && Set(played.map { $0.players[0].level }) == ["level 1", "level 8"])
        #expect(Set(played.map { Array($0.actions.prefix(2)) }).count == 1, "each side has had the opening once")
        print("series: \(series.tally)")
    }

    @Test func aNetworkThatTheRuntimeRefusesIsToldOnItsScreen() async throws {
        let recipes = Recipe.all.filter { $0.key == "error_load" }
        #expect(!recipes.isEmpty)
        for recipe in recipes {
            let broken = try recipe.make(model: "tictactoe.onnx", "tictactoe.onnx")
            let games = Games()
            await games.read(broken.store, keeping: Notebook())
            let entry = try #require(games.cards.first?.entry)
            let room = Room(keeping: Notebook())
            await room.open(entry, broken.store, on: .cpu, load)
            #expect(room.table == nil)
            guard case .phrase(let told) = room.failure else {
                Issue.record("nothing is told")
                return
            }
            #expect(told.key == recipe.key)
            let (english, chinese) = (Catalog.english.say(told), Catalog.chinese.say(told))
            #expect(english.hasPrefix("The network could not be loaded (") && english.hasSuffix("install the bundle again."))
            #expect(chinese.hasPrefix("无法加载网络") && chinese.hasSuffix("。"))
        }
    }
}
