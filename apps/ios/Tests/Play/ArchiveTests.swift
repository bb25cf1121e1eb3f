import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// A library as a .zip, out and in again; the file that is given may be anybody's.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
    private let folder = GamesFolder()
    private let other = GamesFolder()

    private func record(_ text: String) throws -> GameRecord { try GameRecord(telling: text) }

    private func write(_ data: Data) throws -> URL {
        try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true)
        let url = other.url.appending(path: "games.zip")
        try data.write(to: url)
        return url
    }

    @Test func allGamesComeBack() async throws {
        let library = folder.library()
        for text in ["go size=9: E5 D4", "connect4: 3 3 2", "(;GM[1]SZ[9]PB[吴清源]C[x];B[ee](;W[gg])(;W[ec]))", "(;GM[1]SZ[9]AB[gc][cg];W[ee])"] {
            library.keep(try record(text))
        }
        let url = try write(await library.export())
        let later = other.library()
        #expect(try await later.take(url) == Imported(taken: 4))
        #expect(later.list == library.list)
        #expect(try await later.take(url) == Imported(known: 4))
        await later.settle()
        #expect(other.names.count == 5)
        let names = try unzip(Data(contentsOf: url), called: "games.zip", most: 9).map(\.path)
        let first = library.list[0]
        #expect(names.first == "azx-games/\(first.begun.prefix(10))-\(first.game)-\(first.id).json")
    }

    @Test func aGameThatIsThereInAnotherFormComesBesideIt() async throws {
        let library = folder.library()
        let before = try record("go size=9: E5 D4")
        library.keep(before)
        let url = try write(await library.export())
        let states = try #require(before.kept).session.shorten(to: 1)
        let shorter = GameRecord(Kept(states, settings: [:], before.identity), try Game.find("go"), board: before.settings)
        library.keep(shorter, from: before.revision)
        #expect(try await library.take(url) == Imported(taken: 1))
        #expect(library.list.map(\.actions.count).sorted() == [1, 2] && Set(library.list.map(\.id)).count == 2)
    }

    @Test func whatIsNoGameIsCounted() async throws {
        let library = folder.library()
        let sound = try record("go size=9: E5 D4")
        var forbidden = sound.json.members ?? [:]
        forbidden["actions"] = .list([.number(0), .number(0)])
        let members: [(String, Data)] = [
            ("azx-games/a.json", Data(sound.json.bytes)), ("azx-games/b.json", Data("{}".utf8)), ("notes.txt", Data()),
            ("../../c.json", Data(Json.object(forbidden).bytes)), ("azx-games/d.json", Data(count: GameFiles.mostBytes + 1)),
        ]
        #expect(try await library.take(try write(Zipped.pack(members, [:]))) == Imported(taken: 1, refused: 4))
        #expect(library.list == [sound])
        for data in [Data(), Data("PK".utf8), Data(await library.export().dropLast(3))] {
            let url = try write(data)
            await #expect(throws: BundleError.self) { try await library.take(url) }
        }
        #expect(library.list == [sound])
    }
}
