import AzxBundle
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// Files that are dropped on the app, or opened with it: which are bundles, which are records, and what is said of others.
@MainActor @Suite final class ArrivalsTests {
    private let notebook = Notebook()
    private let installed: Listed
    private let broken: Broken
    private let given: GivenBundles
    private let games = GamesFolder()
    private let library: Library
    private let folder = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")

    init() throws {
        installed = try Listed(Fixtures.bundles.appending(path: "tictactoe"))
        broken = try Broken()
        library = games.library()
        given = GivenBundles(folder.appending(path: "given"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func arrivals() -> Arrivals { Arrivals(installed.store, given, keeping: notebook, in: library) }

    private func file(_ name: String, _ text: String) throws -> URL { try file(name, Data(text.utf8)) }

    private func file(_ name: String, _ bytes: Data) throws -> URL {
        let url = folder.appending(path: name)
        try bytes.write(to: url)
        return url
    }

    private func sentences(_ arrivals: Arrivals) -> [String] {
        arrivals.told.map { told in
            switch told {
            case .opened(let entry): "opened \(entry.name)"
            case .imported(let parts): parts.map { Catalog.english.say($0) }.joined(separator: " ")
            case .refused(let why): Catalog.english.say(why)
            }
        }
    }

    @Test func aBundleIsKeptAndSaidToBeThere() async throws {
        let arrivals = arrivals()
        #expect(await arrivals.open([broken.folder]) == nil)
        #expect(sentences(arrivals) == ["opened tictactoe-2"] && arrivals.count == 1 && !arrivals.isOpening)
        #expect(try Installed.all(installed.store, given).map(\.isGiven) == [false, true])
        #expect(arrivals.bundles.own.map(\.id) == ["tictactoe-2"])
        await arrivals.bundles.look()
        #expect(arrivals.bundles.opened == nil && arrivals.bundles.own.count == 1, "the screen does not say it again")
        arrivals.forget()
        #expect(arrivals.told.isEmpty)
    }

    @Test(arguments: ["game.sgf", "moves.txt", "no extension"]) func aRecordLeadsToItsBoard(name: String) async throws {
        let arrivals = arrivals()
        let text = "https://host.example/azx/#any/moves=4.0&game=tictactoe"
        let place = try #require(await arrivals.open([try file(name, text)]))
        guard case .board(let bundle, let game?) = place else { throw Damaged() }
        #expect(bundle.entry.name == "tictactoe" && library[game]?.actions == [4, 0])
        #expect(arrivals.told.isEmpty && arrivals.count == 0)
    }

    @Test func anExportedLibraryIsImportedAndNotTakenForABundle() async throws {
        let (arrivals, folder) = (arrivals(), GamesFolder())
        let others = folder.library()
        let played = try GameRecord(telling: "tictactoe: 4 0")
        others.keep(played)
        let exported = try file("games.zip", await others.export())
        #expect(await arrivals.open([exported]) == nil)
        #expect(library[played.id]?.actions == [4, 0])
        #expect(sentences(arrivals) == ["1 game imported."] && arrivals.title == Phrase("library"))
        arrivals.forget()
        _ = await arrivals.open([exported])
        #expect(sentences(arrivals) == ["0 games imported. 1 game was here already."] && library.list.count == 1)
    }

    @Test func whatIsNeitherIsSaidInOneSentence() async throws {
        let arrivals = arrivals()
        let others = [
            try file("letter.txt", "Dear Sir"), try file("picture.png", Data([0x89, 0x50, 0x4e, 0x47, 0xff])),
            try file("large.txt", String(repeating: "a ", count: 600_000)), folder.appending(path: "gone"),
        ]
        #expect(await arrivals.open(others) == nil)
        #expect(sentences(arrivals) == ["letter.txt", "picture.png", "large.txt", "gone"].map {
            "'\($0)' is neither a bundle nor a record of a game: a bundle's folder, a .zip of it, or an .sgf is opened."
        })
        #expect(arrivals.count == 0 && library.list.isEmpty)
    }

    @Test func whatIsMeantToBeOneIsToldWhatItLacks() async throws {
        let arrivals = arrivals()
        let files = [
            try file("network.h5", Data([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])), try file("empty.zip", Data()),
            try file("broken.sgf", "Dear Sir"), try file("illegal.txt", "tictactoe: 4 4"),
        ]
        _ = await arrivals.open(files)
        let said = sentences(arrivals)
        #expect(said.count == 4 && !said.contains { $0.contains("neither") })
        #expect(said[0].contains("Keras") && said[1].contains("empty.zip"))
        #expect(said[2].hasPrefix("This is no record of a game") && said[3].contains("Move 2"))
    }

    @Test func severalAreOpenedOneAfterTheOther() async throws {
        let arrivals = arrivals()
        let record = try file("moves.txt", "tictactoe: 4 0")
        let place = await arrivals.open([broken.folder, try file("letter.txt", "Dear Sir"), record])
        #expect(place != nil && arrivals.told.count == 2 && arrivals.count == 1)
    }

    @Test func whatComesWhileOthersAreOpenedWaitsForThem() async throws {
        let arrivals = arrivals()
        let (letter, record) = (try file("letter.txt", "Dear Sir"), try file("moves.txt", "tictactoe: 4 0"))
        let bundle = broken.folder
        async let first = arrivals.open([bundle])
        async let second = arrivals.open([record])
        async let third = arrivals.open([letter])
        #expect(await [first, second, third].map { $0 != nil } == [false, true, false])
        #expect(arrivals.told.count == 2 && arrivals.count == 1 && !arrivals.isOpening)
        arrivals.forget()
        _ = await arrivals.open([letter])
        #expect(arrivals.told.count == 1)
    }

    @Test func aCopyOutlivesWhatWasDroppedAndKeepsItsName() throws {
        let original = try file("game.sgf", "(;GM[1])")
        let copy = try FileCopy(original)
        try FileManager.default.removeItem(at: original)
        #expect(copy.url.lastPathComponent == "game.sgf")
        #expect(try String(contentsOf: copy.url, encoding: .utf8) == "(;GM[1])")
        copy.remove()
        #expect(!FileManager.default.fileExists(atPath: copy.url.deletingLastPathComponent().path))
        let folder = try FileCopy(broken.folder)
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "manifest.json").path))
        folder.remove()
    }
}
