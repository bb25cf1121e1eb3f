import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// The question where networks play each other, what stands beside their games, and where their networks come from.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SeriesScreenTests {
    private let notebook = Notebook()
    private let copies = GamesFolder()

    /// Another bundle of tic-tac-toe, as somebody has given one to the app.
    private func rival() throws -> Installed {
        let folder = copies.url.appending(path: "rival")
        try FileManager.default.createDirectory(at: copies.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Fixtures.bundles.appending(path: "tictactoe"), to: folder)
        let files = [try Fixtures.fileEntry(folder, "manifest.json")]
        let entry = Entry(
            name: "rival", title: "Tic-tac-toe (rival)", game: "tictactoe", artifact: nil, format: nil, files: files)
        return Installed(entry, Store(copies.url), isGiven: true)
    }

    private func installed(_ name: String) throws -> Installed {
        let entry = try Fixtures.entry(Fixtures.bundles.appending(path: name))
        let title = name == "tictactoe" ? "Tic-tac-toe" : name
        return Installed(
            Entry(name: name, title: title, game: name, artifact: nil, format: nil, files: entry.files), Store(Fixtures.bundles))
    }

    private func openRoom(among others: [Installed]) async throws -> Room {
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .policy, begins: .you, pace: .fast)
        let room = Room(keeping: notebook) { others }
        room.enter()
        await room.open(try installed("tictactoe"), on: .cpu) { bundle, _ in Hashed(bundle) }
        return room
    }

    private func say(_ phrase: Phrase?) -> String? { phrase.map { Catalog.english.say($0) } }

    @Test func theQuestionOffersWhatPlaysOnTheBoard() async throws {
        let (own, rival) = (try installed("tictactoe"), try rival())
        let room = try await openRoom(among: [try installed("connect4"), own, rival])
        let seat = try #require(room.seat)
        #expect(seat.players == [own, rival], "the one that is open is the first")
        #expect(seat.players.map { Catalog.english.say(seat.nameOfNetwork($0)) } == ["Tic-tac-toe", "rival"])
        seat.restart()
        #expect(!seat.asksSides)
        seat.terms?.begins = .watch
        #expect(seat.asksSides)
        #expect(seat.sides == SeriesChoice(bundles: ["tictactoe", "tictactoe"], strengths: [.policy, .policy]))
        #expect(seat.exactStrength(of: 0) == .policy && seat.aboutOpenings == nil)
        seat.sides?.strengths[1] = .level2
        #expect(seat.exactStrength(of: 1) == nil && seat.levelSteps(of: 1).filter(\.isChosen).map(\.id) == [2])
        seat.sides?.count = 2
        #expect(say(seat.aboutOpenings)?.contains("The first 2 moves are drawn by chance") == true)
    }

    @Test func oneNetworkAloneIsWatchedAsEver() async throws {
        let room = try await openRoom(among: [])
        let seat = try #require(room.seat)
        seat.restart()
        seat.terms?.begins = .watch
        seat.begin()
        #expect(seat.table.series == nil && seat.table.session.isWatched && seat.table.sides == nil)
        seat.table.leave()
    }

    @Test func aSeriesIsChosenPlayedAndCounted() async throws {
        let room = try await openRoom(among: [try rival()])
        let (seat, table) = (try #require(room.seat), try #require(room.table))
        seat.restart()
        seat.terms?.begins = .watch
        seat.sides = SeriesChoice(bundles: ["rival", "tictactoe"], strengths: [.level1, .level2], count: 2)
        seat.begin()
        let series = try #require(table.series)
        #expect(room.keepsAwake)
        await series.task?.value
        let score = try #require(table.scoreboard)
        #expect(say(score.title) == "Game 1 of 2" && score.canStop && score.about == nil)
        #expect(score.tiles.map { Catalog.english.say($0.name) } == ["rival, Level 1: beginner", "Tic-tac-toe, Level 2: novice", "Draws"])
        #expect(Catalog.english.say(score.said) == "Game 1 of 2, rival, Level 1: beginner, 0, Tic-tac-toe, Level 2: novice, 0, Draws, 0")
        let chips = chips(table, Presentation("tictactoe"))
        #expect(chips.map { Catalog.english.say($0.who) } == ["rival", "Tic-tac-toe"])
        #expect(chips.compactMap(\.what).map { Catalog.english.say($0) } == ["X, Level 1: beginner", "O, Level 2: novice"])
        #expect(chips.map(\.wins) == [.whole(0), .whole(0)])
        while !series.isOver {
            await series.task?.value
            await table.settle()
        }
        let end = try #require(table.scoreboard)
        #expect(say(end.title) == "2 games played" && !end.canStop && end.tiles.map(\.count).reduce(0, +) == 2)
        #expect(say(end.about) == "2 games say what was played here. They are too few for a rating.")
        #expect(!room.keepsAwake)
        // What was chosen is there again, as far as it can be.
        seat.restart()
        #expect(seat.sides?.bundles == ["rival", "tictactoe"] && seat.sides?.count == 2)
        seat.players.removeLast()
        seat.restart()
        #expect(seat.sides?.bundles == ["tictactoe", "tictactoe"])
    }

    @Test func sidesThatAreAlikeAreToldApart() async throws {
        let room = try await openRoom(among: [])
        let (seat, table) = (try #require(room.seat), try #require(room.table))
        for (strengths, names) in [
            ([Strength.level1, .level1], ["Tic-tac-toe, Level 1: beginner (1)", "Tic-tac-toe, Level 1: beginner (2)"]),
            ([.level1, .level3], ["Level 1: beginner", "Level 3: casual"]),
        ] {
            seat.restart()
            seat.terms?.begins = .watch
            seat.sides = SeriesChoice(bundles: ["tictactoe", "tictactoe"], strengths: strengths, count: 2)
            seat.begin()
            let score = try #require(table.scoreboard)
            #expect(score.tiles.prefix(2).map { Catalog.english.say($0.name) } == names)
            await table.series?.task?.value
            table.series?.stop()
            #expect(say(table.scoreboard?.title) == "Stopped after 0 of 2 games" && table.scoreboard?.about == nil)
        }
        #expect(chips(table, Presentation("tictactoe")).map { Catalog.english.say($0.who) } == ["Level 1: beginner", "Level 3: casual"])
        table.leave()
    }

    @Test func aNetworkThatIsNotThereOrPlaysElsewhereIsTold() async throws {
        let (own, other) = (try installed("tictactoe"), try installed("connect4"))
        let bundle = try GameBundle(own.entry, own.store)
        let seated = Seats.Seated(
            installed: own, bundle: bundle, reading: try bundle.reading, evaluator: .init(Hashed(bundle), bundle))
        let seats = Seats(seated, .cpu, { bundle, _ in Hashed(bundle) }, among: { [other] })
        await #expect(throws: BundleError("series_gone", "Tic-tac-toe (rival)")) {
            try await seats.seat(GameRecord.Side(try rival(), .level1))
        }
        await #expect(throws: BundleError("series_other_board", "connect4")) {
            try await seats.seat(GameRecord.Side(other, .level1))
        }
        let (first, again) = (try await seats.seat(GameRecord.Side(own, .level1)), try await seats.seat(GameRecord.Side(own, .level1)))
        let stronger = try await seats.seat(GameRecord.Side(own, .level2))
        #expect(first === again && first !== stronger, "no side is told what the other one knows")
    }
}
