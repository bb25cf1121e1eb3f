import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxDrawing
@testable import AzxPlay
@testable import AzxScreens

/// The list of all games: what it says, in which order, what is found, what is deleted and brought back; and where a game
/// leads to.
@MainActor @Suite(.timeLimit(.minutes(5))) struct GamesShelfTests {
    private let folder = GamesFolder()
    private let english = Telling(Locale(identifier: "en_US")) { Catalog.english.say($0) }
    private let sgf = "(;GM[1]SZ[9]KM[6.5]PB[Honinbo]PW[Gennan]EV[A cup]DT[1846]RE[B+R];B[ee]C[A joseki](;W[gg])(;W[ec];B[cc]C[so]))"

    /// A game of tic-tac-toe that was begun on a day of 2026.
    private func game(
        _ day: Int, _ actions: [Int], human: Player = 0, _ ending: Ending? = nil, _ strength: Strength = .level3
    ) throws -> GameRecord {
        let game = try Game.find("tictactoe")
        var session = try actions.reduce(Session(try game.begin(), human: human)) { try $0.play($1) }
        session.ending = ending
        let begun = "2026-11-0\(day)T12:00:00.000Z"
        let identity = Identity(id: GameRecord.freshId(), begun: begun, origin: .played)
        let opponent = Opponent(GameRecord.BundleName("tictactoe"), title: "Tic-tac-toe")
        return GameRecord(Kept(session, settings: [:], identity), game, board: [:], opponent, strength, now: try #require(GameRecord.date(begun)))
    }

    private func shelf(_ records: GameRecord..., in other: GamesFolder? = nil) async -> GamesShelf {
        let library = (other ?? folder).library()
        await library.open()
        for record in records { library.keep(record) }
        return GamesShelf(library)
    }

    private func said(_ shelf: GamesShelf) -> [String] { shelf.found(english).map { GamesShelf.Row($0, english).said } }

    @Test func aRowSaysWhoPlayedHowItEndedAndWhen() async throws {
        let shelf = await shelf(
            try game(1, [4, 0]), try game(2, [0, 3, 1, 4, 2], human: 1), try game(3, [4], .resigned, .policy),
            try game(4, [0, 3, 1, 4, 2], human: nobody), try GameRecord(telling: sgf))
        #expect(said(shelf) == [
            "Honinbo – Gennan, B+R, Go · 2 moves · 1846 · A cup",
            "AI – AI, The winner is X, Tic-tac-toe · 5 moves · Nov 4, 2026 · Level 3: casual",
            "You – AI, AI won!, Tic-tac-toe · 1 move · Nov 3, 2026 · policy only",
            "AI – You, AI won!, Tic-tac-toe · 5 moves · Nov 2, 2026 · Level 3: casual",
            "You – AI, Game under way, Tic-tac-toe · 2 moves · Nov 1, 2026 · Level 3: casual",
        ])
        let chinese = Telling(Locale(identifier: "zh-Hans")) { Catalog.chinese.say($0) }
        #expect(GamesShelf.Row(try #require(shelf.found(chinese).last), chinese).about.contains("2026年11月1日"))
        #expect(!said(shelf).joined().contains("(no text"))
    }

    @Test func wordsAndFiltersFindGames() async throws {
        let shelf = await shelf(
            try game(1, [4, 0]), try game(2, [0, 3, 1, 4, 2]), try game(3, [0, 3, 1, 4, 2], human: 1), try GameRecord(telling: sgf))
        #expect(shelf.games.map(\.name) == ["go", "tictactoe"])
        #expect(shelf.standings == [.open, .won, .lost, .others])
        for (sought, count) in [("", 4), ("JOSEKI", 1), ("gennan cup", 1), ("tic-tac-toe", 3), ("level 3", 3), ("chess", 0)] {
            shelf.sought = sought
            #expect(shelf.found(english).count == count, "\(sought)")
        }
        shelf.sought = ""
        shelf.game = "tictactoe"
        shelf.standing = .lost
        #expect(shelf.found(english).map(\.human) == [1])
        shelf.standing = .others
        #expect(shelf.found(english).isEmpty && !shelf.isEmpty)
        let other = GamesFolder()
        let one = await self.shelf(try game(1, [4]), in: other)
        #expect(one.games.isEmpty && one.standings.isEmpty, "there is nothing to choose")
    }

    @Test func oneIsDeletedAndBroughtBackToItsPlace() async throws {
        let records = [try game(1, [4, 0]), try game(2, [4]), try game(3, [0])]
        let shelf = await shelf(records[0], records[1], records[2])
        let before = shelf.found(english)
        #expect(shelf.farewell(english) == nil)
        shelf.delete(before[1].id)
        #expect(shelf.found(english) == [before[0], before[2]])
        #expect(shelf.farewell(english) == "Deleted: You – AI, Tic-tac-toe.")
        shelf.undo()
        #expect(shelf.found(english) == before && shelf.farewell(english) == nil)
        shelf.undo()
        #expect(shelf.found(english) == before)
    }

    @Test func whatIsWrongIsSaidAndAnEmptyListToo() async throws {
        try folder.write("{", "broken.json")
        let shelf = await shelf()
        #expect(shelf.isRead && shelf.isEmpty)
        #expect(shelf.notices.map { Catalog.english.say($0) } == ["1 file is no game that this app can read."])
        let nowhere = GamesFolder()
        try Data().write(to: nowhere.url)
        let library = nowhere.library()
        library.keep(try game(1, [4]))
        await library.settle()
        #expect(GamesShelf(library).notices.first.map { Catalog.english.say($0) }?.hasPrefix("This device does not store") == true)
    }

    @Test func aPictureIsThatOfTheLastPosition() async throws {
        let board = try #require(await lastBoard(try game(1, [4, 0])))
        #expect(board.shown.last == 0 && (board.shown.state as? TicTacToe)?.lastAction == 0 && !board.shown.canPlay)
        #expect(!board.picture(Scale(unit: 20)).isEmpty)
        #expect(await lastBoard(try game(1, [4]).renamed("0123456789")) != nil)
    }

    /// A later app may know more games, and its export comes here.
    @Test func aGameThatThisAppDoesNotKnowIsCalledByItsOwnName() async throws {
        var members = try #require(try game(4, [0, 3, 1, 4, 2], human: nobody).json.members)
        members["game"] = .text("shogi")
        let record = try #require(GameRecord(.object(members)))
        let shelf = await shelf(record)
        let about = "shogi · 5 moves · Nov 4, 2026 · Level 3: casual"
        #expect(said(shelf) == ["AI – AI, The winner is the player who began, \(about)"])
        let installed = try listed("tictactoe")
        #expect(await shelf.place(of: record.id, installed.store, nil) == nil)
        #expect(shelf.notices.map { Catalog.english.say($0) } == ["No network here plays shogi on the board of this record."])
    }

    // MARK: Where it leads to

    private func listed(_ name: String) throws -> Listed { try Listed(Fixtures.bundles.appending(path: name)) }

    private func open(_ place: Place?, _ library: Library) async throws -> Room {
        guard case .board(let bundle, let game) = place else { throw GameError("it leads nowhere.") }
        let room = Room(keeping: Notebook(), in: library, game: game)
        room.enter()
        await room.open(Installed(bundle.entry, Store(Fixtures.bundles)), on: .cpu) { bundle, _ in Hashed(bundle) }
        return room
    }

    @Test func aGameGoesOnAndAnotherOneIsLookedAt() async throws {
        let installed = try listed("tictactoe")
        let library = folder.library()
        let (first, second) = (try game(1, [4, 0]), try game(2, [0, 1]))
        for each in [first, second] { library.keep(each) }
        let shelf = GamesShelf(library)
        let room = try await open(await shelf.place(of: first.id, installed.store, nil), library)
        let table = try #require(room.table)
        #expect(table.identity.id == first.id && table.session.actions == [4, 0] && table.canPlay)
        table.play(8)
        await table.settle()
        #expect(library.list.map(\.id) == [first.id, second.id], "the one that goes on comes first")
        #expect(await shelf.place(of: "nothing", installed.store, nil) == nil)
    }

    @Test func aGameThatNoNetworkPlaysOrThatIsDamagedIsSaid() async throws {
        let installed = try listed("tictactoe")
        let library = folder.library()
        let (go, broken) = (try GameRecord(telling: sgf), try game(1, [4, 4, 4].dropLast(2)))
        var members = broken.json.members ?? [:]
        members["actions"] = .list([.number(4), .number(4)])
        let damaged = try #require(GameRecord(.object(members)))
        for each in [go, damaged] { library.keep(each) }
        let shelf = GamesShelf(library)
        #expect(await shelf.place(of: go.id, installed.store, nil) == nil)
        #expect(shelf.notices.map { Catalog.english.say($0) } == ["No network here plays Go on the board of this record."])
        let room = try await open(await shelf.place(of: damaged.id, installed.store, nil), library)
        #expect(shelf.notices.isEmpty)
        #expect(room.failure.map { Catalog.english.say($0) } == "This game of the library is damaged and cannot be shown.")
        #expect(await lastBoard(damaged) == nil)
    }

    /// Nobody here is "you" in it.
    @Test func aRecordOfOtherPeopleIsSpokenOfByTheirNames() async throws {
        let installed = try listed("go")
        let library = folder.library()
        let opener = RecordOpener()
        opener.text = sgf
        await opener.open(installed.store, in: library)
        let id = try #require(opener.found?.id)
        let room = try await open(await GamesShelf(library).place(of: id, installed.store, nil), library)
        let (table, seat, go) = (try #require(room.table), try #require(room.seat), Presentation("go"))
        #expect(chips(table, go).map { Catalog.english.say($0.said) } == [
            "Honinbo, black, 0 captured, won", "Gennan, white, 0 captured",
        ])
        #expect(Catalog.english.say(table.headline(go)) == "The winner is Honinbo")
        #expect(seat.asides.map { Catalog.english.say($0) }.first == "The record says B+R.")
        #expect(table.outcome(go) == nil && table.isReplay && !table.canResign)
        table.show(at: 1)
        #expect(Catalog.english.say(table.headline(go)) == "Gennan to move")
        #expect(table.review(go, hasValue: true)?.sides.map { Catalog.english.say($0) } == ["Honinbo", "Gennan"])
        #expect(table.about.comment == "A joseki")
        #expect(table.about.facts.map { "\(Catalog.english.say($0.title)): \($0.text)" } == [
            "Event: A cup", "Date: 1846", "Result: B+R", "Komi: 6.5",
        ])
        // Its variation is walked through; the move of the game is not one.
        let branch = try #require(table.about.branches.first)
        #expect(table.about.branches.count == 1 && Catalog.english.say(branch.move) == "E7")
        table.play(branch.id)
        #expect(table.about.branches.map(\.id) == [20] && table.about.comment == nil)
        table.play(20)
        #expect(table.about.comment == "so")
        // What was tried out stays with the record, and all of it is shared.
        table.takeBack()
        table.play(0)
        #expect(library[id]?.beside.lines.contains { $0.own && $0.actions == [22, 0] } == true)
        let shared = try #require(table.record(you: "Me", ai: "AI"))
        for told in ["PB[Honinbo]", "PW[Gennan]", "RE[B+R]", "KM[6.5]", "EV[A cup]", "C[A joseki]", "C[so]", ";W[gg]"] {
            #expect(shared.contains(told), "\(told)")
        }
        #expect(!shared.contains("Me"))
    }
}
