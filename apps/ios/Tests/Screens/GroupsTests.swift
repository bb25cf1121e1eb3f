import AzxBundle
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// The list of games where there are many, and what is said of games that are over.
@MainActor @Suite struct GroupsTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()

    /// The list of so many bundles with the files of one, of the games that are named.
    private func games(_ listed: [(name: String, title: String, game: String?)]) async throws -> Games {
        let broken = try Broken()
        let folder = broken.folder.deletingLastPathComponent()
        let manifest = try Fixtures.fileEntry(broken.folder, "manifest.json")
        let entries = listed.map { name, title, game in
            let quoted = game.map { "\"\($0)\"" } ?? "null"
            return """
                {"name": "\(name)", "title": "\(title)", "game": \(quoted), "artifact": "\(name).mlpackage", "format": "coreml",
                 "files": [{"path": "manifest.json", "sha256": "\(manifest.sha256)", "size": \(manifest.size)}]}
                """
        }
        for (name, _, _) in listed where name != "tictactoe" {
            try FileManager.default.copyItem(at: broken.folder, to: folder.appending(path: name))
        }
        let index = "{\"schema_version\": 2, \"bundles\": [\(entries.joined(separator: ","))]}"
        try Data(index.utf8).write(to: folder.appending(path: "index.json"))
        let games = Games()
        await games.read(broken.store, keeping: notebook, in: self.folder.library())
        return games
    }

    private func titles(_ games: Games, _ catalog: Catalog = .english) -> [String] {
        games.groups { catalog.say($0) }.map { group in
            "\(group.title.map { catalog.say($0) } ?? "-"): \(group.cards.map(\.id).joined(separator: " "))"
        }
    }

    private let many: [(name: String, title: String, game: String?)] = [
        ("tictactoe", "Tic-tac-toe", "tictactoe"), ("go-9", "Go, 9 by 9", "go"), ("go-13", "Go, 13 by 13", "go"),
        ("c1", "Connect4", "connect4"), ("c2", "Connect4, small", "connect4"), ("g1", "Gomoku", "gomoku"),
        ("r1", "Reversi", "reversi"), ("h1", "Hex", "hex"),
        ("d1", "Dots and Boxes", "dots_and_boxes"), ("odd", "Something", nil),
    ]

    @Test func fewAreListedAsTheyStand() async throws {
        let games = try await games(Array(many.prefix(3)))
        #expect(!games.areMany)
        games.sought = "nothing"
        #expect(titles(games) == ["-: tictactoe go-9 go-13"])
    }

    @Test func manyAreGroupedByGame() async throws {
        let games = try await games(many)
        #expect(games.failure == nil && games.areMany)
        let found = titles(games)
        #expect(Set(found) == [
            "Four in a row: c1 c2", "Tic-tac-toe: tictactoe", "Dots and Boxes: d1", "Gomoku: g1", "Go: go-9 go-13",
            "Reversi: r1", "Hex: h1",
            "Other networks: odd",
        ])
        #expect(found.last == "Other networks: odd")
    }

    @Test func everyWordThatIsSoughtIsInTheTitleTheNameOrTheGame() async throws {
        let games = try await games(many)
        for (sought, wanted) in [
            ("small", ["Four in a row: c2"]), ("  CONNECT4 c1 ", ["Four in a row: c1"]), ("a row c1", ["Four in a row: c1"]),
            ("13 go", ["Go: go-13"]), ("chess", []),
        ] {
            games.sought = sought
            #expect(titles(games) == wanted, "\(sought)")
        }
        games.sought = Catalog.chinese.say(Presentation("dots_and_boxes").title)
        #expect(titles(games, .chinese).map { $0.hasSuffix(": d1") } == [true])
    }

    @Test(arguments: [
        ("human 0\nsettings\nactions 0 4 1 5 2\nrates", "Finished: you won"),
        ("human 1\nsettings\nactions 0 4 1 5 2\nrates", "Finished: AI won"),
        ("human -1\nsettings\nactions 0 4 1 5 2\nrates", "Finished: X won"),
        ("human 0\nsettings\nactions 4\nrates\nend resigned", "Finished: AI won"),
        ("human 0\nsettings\nactions 4\nrates", nil),
        ("human 0\nsettings\nactions 4 4\nrates", nil),
    ]) func theListSaysHowAGameHasEnded(_ text: String, _ wanted: String?) async throws {
        notebook.keep("azx game 1\n\(text)", "tictactoe game")
        let card = try #require(try await games(Array(many.prefix(1))).cards.first)
        #expect(card.finished.map { Catalog.english.say($0) } == wanted)
        #expect(!card.isUnderWay || wanted == nil)
    }
}
