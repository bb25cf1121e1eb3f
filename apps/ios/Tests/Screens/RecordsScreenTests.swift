import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay
import Foundation
import Support
import Testing

@testable import AzxScreens

/// Records of games: what is pasted is shown in a replay, and a game is shared as a record.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RecordsScreenTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()

    /// A store in which one of the reference bundles is installed.
    private func install(_ name: String) throws -> (Store, FileManager.Folder) {
        let folder = try FileManager.Folder()
        let original = Fixtures.bundles.appending(path: name)
        try FileManager.default.copyItem(at: original, to: folder.url.appending(path: name))
        let manifest = try Fixtures.fileEntry(original, "manifest.json")
        let entry = """
            {"name": "\(name)", "title": "\(name)", "game": "\(name)", "artifact": "\(name).mlpackage", "format": "coreml",
             "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}
            """
        try Data("{\"schema_version\": 2, \"bundles\": [\(entry)]}".utf8)
            .write(to: folder.url.appending(path: "index.json"))
        return (Store(folder.url), folder)
    }

    private func complaint(_ text: String, _ store: Store) async -> Phrase.Part? {
        let opener = RecordOpener()
        opener.text = text
        let library = folder.library()
        await opener.open(store, in: library)
        #expect(opener.found == nil && library.list.isEmpty)
        return opener.complaint
    }

    @Test func aTextThatIsPastedShowsItsGameInAReplay() async throws {
        let (store, folder) = try install("go")
        defer { folder.remove() }
        let opener = RecordOpener()
        opener.text = "https://host.example/azx/#my-net/moves=E5.D4&game=go&komi=6.5"
        let library = self.folder.library()
        await opener.open(store, in: library)
        let found = try #require(opener.found)
        #expect(found.bundle.entry.name == "go" && library.list.map(\.id) == [found.id])

        let room = Room(keeping: notebook, in: library, game: found.id)
        await room.open(found.bundle, on: .cpu) { _, _ in Silent() }
        let table = try #require(room.table)
        #expect(table.session.actions == [40, 48])
        #expect(table.isReplay && table.session.phase == .read)
        table.replay(false)
        #expect(table.isReplay, "nobody here plays a side of it")
        table.playFromHere()
        #expect(table.canPlay && library.list.count == 2, "it is a game of its own")
        #expect(
            table.record(you: "Me", ai: "AI")
                == "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Tromp-Taylor]PB[Me]PW[AI];B[ee];W[df])\n")
        table.resign()
        #expect(table.record(you: "Me", ai: "AI")?.contains("PW[AI]RE[W+R];B[ee]") == true)
    }

    @Test func whatIsNoRecordIsOneSentence() async throws {
        let (store, folder) = try install("tictactoe")
        defer { folder.remove() }
        #expect(await complaint("Hello!", store) == .words("record_none"))
        #expect(await complaint("tictactoe: 4 x", store) == .words("record_unknown_move", .whole(2), .text("x")))
        #expect(
            await complaint("connect4: 3 3 3 3 3 3 3", store)
                == .words("record_illegal", .whole(7), .words("reason_full")))
        #expect(await complaint("go: D4", store) == .words("record_no_network", .words("game_go")))
        #expect(await complaint("go size=4: D4", store) == .words("record_settings", .text("size 4")))
    }
}

/// A network that is never asked for more than its warming up.
private struct Silent: Network {
    let runtime = "silent"

    func outputs(_ tensor: [Float]) throws -> [String: [Float]] { throw GameError("this network says nothing.") }
    func outputs(of inputs: [String: [Float]]) throws -> [String: [Float]] { try outputs([]) }
}

extension FileManager {
    /// A folder of a test's own.
    fileprivate struct Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        func remove() {
            try? FileManager.default.removeItem(at: url)
        }
    }
}
