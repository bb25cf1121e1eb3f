import AzxBundle
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// Texts that are kept, and the names of those that ever were.
private final class Watched: Keeping {
    private var texts: [String: String] = [:]
    var kept: [String] = []

    func text(_ name: String) -> String? { texts[name] }
    func keep(_ text: String, _ name: String) {
        texts[name] = text
        kept.append(name)
    }
    func forget(_ name: String) { texts[name] = nil }
}

/// Bundles that a person opens: listed beside the installed ones, and removed with their game.
@MainActor @Suite final class BundleOpenerTests {
    private let notebook = Notebook()
    private let installed: Listed
    private let broken: Broken
    private let given: GivenBundles
    private let folder = GamesFolder()
    private let library: Library

    init() throws {
        installed = try Listed(Fixtures.bundles.appending(path: "tictactoe"))
        broken = try Broken()
        library = folder.library()
        given = GivenBundles(FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)"))
    }

    deinit {
        if let name = given.entries(besides: []).first?.name { try? given.remove(name) }
    }

    private func opener() async -> BundleOpener {
        let opener = BundleOpener(installed.store, given, keeping: notebook)
        await opener.list()
        return opener
    }

    private func cards() async -> [Games.Card] {
        let games = Games()
        await games.read(installed.store, given, keeping: notebook, in: library)
        return games.cards
    }

    /// A note that is left tells the next start that the app was ended meanwhile.
    @Test func whileABundleIsOpenedThereIsANoteOfIt() async throws {
        let watched = Watched()
        #expect(!OpeningNote(watched).isLeft)
        let opener = BundleOpener(installed.store, given, keeping: watched)
        for url in [broken.folder, URL(filePath: "/nowhere")] {
            await opener.open(url)
            #expect(watched.kept == ["opening"] && !OpeningNote(watched).isLeft)
            watched.kept = []
        }
        OpeningNote(watched).leave()
        #expect(OpeningNote(watched).isLeft)
        OpeningNote(watched).remove()
        #expect(!OpeningNote(watched).isLeft)
    }

    @Test func oneIsOpenedListedAndRemovedAndItsGamesStay() async throws {
        let opener = await opener()
        #expect(opener.own.isEmpty)
        #expect(await cards().map(\.file) == [nil])
        #expect(await cards().map(\.installed.isGiven) == [false])
        await opener.open(broken.folder)
        #expect(opener.complaint == nil && !opener.isChecking)
        #expect(opener.opened?.name == "tictactoe-2" && opener.own.map(\.id) == ["tictactoe-2"])
        notebook.keep("azx game 1\nhuman 0\nsettings\nactions 4 0\nrates", "tictactoe-2 game")
        notebook.keep("SECONDS_1", "tictactoe-2 strength")
        let cards = await cards()
        #expect(cards.map(\.id) == ["tictactoe", "tictactoe-2"])
        #expect(cards.map(\.installed.isGiven) == [false, true] && cards.map(\.isUnderWay) == [false, true])
        #expect(cards[1].canPlay && cards[1].canTest)
        // Two of one game: the files of their authors tell them apart.
        #expect(cards.map(\.file) == ["tictactoe.h5", "tictactoe.h5"])
        #expect(
            cards[1].proof.map { Catalog.english.say($0) }?
                .hasPrefix("Recorded by whoever made this bundle, and not checked here: ") == true)
        #expect(try GameBundle(cards[1].entry, cards[1].installed.store).golden().count == 20)
        opener.asked = opener.own.first
        await opener.remove()
        #expect(opener.asked == nil && opener.own.isEmpty)
        #expect(await self.cards().map(\.id) == ["tictactoe"])
        #expect(notebook.text("tictactoe-2 game") == nil, "it is in the library")
        #expect(library.list.map(\.bundle?.name) == ["tictactoe-2"])
        #expect(Memory(notebook, bundle: "tictactoe-2").choices == Choices())
    }

    @Test func whatIsWrongIsSaidInTheWordsOfTheApp() async throws {
        let opener = await opener()
        try broken.write(Data([1]), "golden.json")
        await opener.open(broken.folder)
        let complaint = try #require(opener.complaint)
        #expect(
            Catalog.english.say(complaint).hasPrefix("Bundle 'tictactoe': 'golden.json' has 1 bytes, its manifest says"))
        #expect(Catalog.chinese.say(complaint).hasPrefix("网络包“tictactoe”：“golden.json”有 1 字节"))
        #expect(opener.opened == nil && opener.own.isEmpty)
        #expect(await cards().count == 1)
    }

    @Test func nothingIsRemovedThatWasNotAskedAbout() async throws {
        let opener = await opener()
        await opener.open(broken.folder)
        await opener.remove()
        #expect(opener.own.count == 1)
    }

    @Test func aRecordIsOpenedWithABundleThatAPersonHasGiven() async throws {
        let nothing = Store(FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)"))
        await (await opener()).open(broken.folder)
        let records = RecordOpener()
        records.text = "https://host.example/azx/#any/moves=4.0&game=tictactoe"
        await records.open(nothing, in: library)
        #expect(records.found == nil && records.complaint != nil)
        await records.open(nothing, given, in: library)
        let found = try #require(records.found)
        #expect(try GameBundle(found.bundle.entry, found.bundle.store).model().lastPathComponent == "tictactoe.mlpackage")
    }
}
