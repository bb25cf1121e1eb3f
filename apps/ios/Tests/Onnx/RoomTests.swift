import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay
import AzxScreens
import Foundation
import OnnxRuntime
import Support
import Testing

/// Texts that are kept for as long as a test runs.
private final class Notebook: Keeping {
    private var texts: [String: String] = [:]

    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) { texts[name] = text }
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

    @Test func aNetworkThatTheRuntimeRefusesIsToldOnItsScreen() async throws {
        let recipes = Recipe.all.filter { $0.key == "error_load" }
        #expect(!recipes.isEmpty)
        for recipe in recipes {
            let broken = try recipe.make(model: "tictactoe.onnx", "tictactoe.onnx")
            let games = Games()
            games.read(broken.store, keeping: Notebook())
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
