import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// The library of games: what outlives the process, what is lost by nothing, and what the disk may do.
@MainActor @Suite(.timeLimit(.minutes(5))) struct LibraryTests {
    private let folder = GamesFolder()
    private let bundle = GameRecord.BundleName("tictactoe")

    private func open(_ folder: GamesFolder? = nil) async -> Library {
        let library = (folder ?? self.folder).library()
        await library.open()
        return library
    }

    private func table(_ library: Library, _ kept: Kept? = nil, begins: Begins = .you) throws -> Table {
        let memory = Memory(Notebook(), bundle: "tictactoe")
        memory.choices = Choices(strength: .policy, begins: begins)
        let reading = try reading("tictactoe")
        let shelf = Opened.Shelf(library, Opponent(bundle, title: "Tic-tac-toe"))
        return try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory, shelf), kept: kept)
    }

    /// A game that somebody has begun, later than any other.
    private func play(_ library: Library, _ action: Int = 4) async throws -> Table {
        try await tick()
        let table = try table(library)
        table.play(action)
        await table.settle()
        return table
    }

    /// Let the time go on by which games are ordered.
    private func tick() async throws { try await Task.sleep(for: .milliseconds(3)) }

    @Test func aGameGoesOnInALaterProcess() async throws {
        let library = await open()
        let table = try await play(library)
        table.resign()
        table.undo()
        await library.settle()
        #expect(folder.names == ["\(table.identity.id).json"])
        let later = await open()
        #expect(later.isRead && later.damaged == 0 && later.list == library.list)
        let record = try #require(later.last(of: bundle))
        #expect((record.human, record.players.map(\.kind), record.players[1].level) == (0, [.person, .network], "policy"))
        let again = try self.table(later, record.kept)
        #expect(again.session.actions == table.session.actions && again.session.rates == table.session.rates)
        #expect(again.canPlay && again.identity == table.identity)
    }

    @Test func twoGamesOfOneNetworkAreTwoEntries() async throws {
        let library = await open()
        let table = try await play(library)
        let first = table.identity.id
        table.restart()
        #expect(library.list.map(\.id) == [first], "nothing of the new one would be lost yet")
        try await tick()
        table.play(0)
        await table.settle()
        #expect(library.list.map(\.id) == [table.identity.id, first])
        table.replay(true)
        table.show(at: 1)
        table.playFromHere()
        await table.settle()
        #expect(library.list.count == 3 && library[first]?.actions.first == 4)
        await library.settle()
        #expect(await open().list == library.list)
    }

    @Test func anUndoneGameStaysTheEntryThatItIs() async throws {
        let library = await open()
        let table = try await play(library)
        table.undo()
        #expect(library.list.map(\.actions) == [[]])
    }

    /// Two windows with the same game: what the second one plays otherwise is lost to nobody.
    @Test func whatAnotherWindowPlaysOtherwiseIsAGameOfItsOwn() async throws {
        let library = await open()
        let table = try await play(library)
        let id = table.identity.id
        let other = try self.table(library, try #require(library[id]).kept)
        table.play(table.session.latest.legalActions()[0])
        await table.settle()
        other.play(other.session.latest.legalActions()[1])
        await other.settle()
        #expect(other.identity.id != id && library[id]?.actions == table.session.actions)
        #expect(library[other.identity.id]?.actions == other.session.actions && library.list.count == 2)
        // An undo is no other window.
        table.undo()
        #expect(table.identity.id == id && library.list.count == 2)
    }

    @Test func aGameThatIsWatchedIsKeptFromItsFirstMoveOn() async throws {
        let library = await open()
        let table = try table(library, begins: .watch)
        #expect(library.list.isEmpty)
        table.pause(true)
        table.step()
        await table.settle()
        #expect(library.list.map(\.origin) == [.watched] && library.list.map(\.human) == [nobody])
        #expect(library.last(of: bundle) == library.list[0])
    }

    @Test func whatAnAnalysisHasFoundIsKept() async throws {
        let library = await open()
        let table = try await play(library)
        table.simulations = 50
        table.analyse()
        await table.settle()
        await library.settle()
        let record = try #require(await open().list.first)
        #expect(record.seen.map(\.moves) == [0, 1, 2])
        #expect(try #require(record.kept).session.seen == table.session.seen)
    }

    @Test func aDamagedFileIsCountedAndLeftWhereItIs() async throws {
        let library = await open()
        let table = try await play(library)
        await library.settle()
        let sound = try String(decoding: folder.read("\(table.identity.id).json"), as: UTF8.self)
        let texts = [
            "cut.json": String(sound.dropLast()), "empty.json": "", "later.json": sound.replacing("\"azx_game\":1", with: "\"azx_game\":2"),
            // One game under two names would be two.
            "0123456789abcdef.json": sound, "large.json": String(repeating: " ", count: GameFiles.mostBytes) + sound,
        ]
        for (name, text) in texts { try folder.write(text, name) }
        try folder.write("", "notes.txt")
        let later = await open()
        #expect(later.list == library.list && later.damaged == texts.count)
        later.remove(table.identity.id)
        await later.settle()
        #expect(folder.names == (texts.keys + ["notes.txt"]).sorted())
    }

    @Test func theGameGoesOnWhereNothingCanBeWrittenAndIsWrittenOnceItCan() async throws {
        // A file lies where the folder is to be.
        try Data().write(to: folder.url)
        let library = await open()
        #expect(library.isRead && library.list.isEmpty && library.damaged == 0)
        let table = try await play(library)
        await library.settle()
        #expect(table.trouble == .refused && table.canPlay && table.failure == nil && library.list.count == 1)
        table.restart()
        try FileManager.default.removeItem(at: folder.url)
        table.play(0)
        await table.settle()
        await library.settle()
        #expect(table.trouble == nil && folder.names.count == 2, "the one before is written, too")
        #expect(await open().list == library.list)
    }

    @Test func oneIsDeletedAndBroughtBack() async throws {
        let library = await open()
        let (first, second) = (try await play(library), try await play(library, 0))
        let record = try #require(library[first.identity.id])
        library.remove(record.id)
        #expect(library.list.map(\.id) == [second.identity.id])
        await library.settle()
        #expect(await open().list == library.list)
        library.keep(record)
        await library.settle()
        #expect(library.list.map(\.id) == [second.identity.id, first.identity.id], "it is where it was")
        #expect(await open().list == library.list)
        // At once, before the disk knows of it.
        library.remove(record.id)
        library.keep(record)
        await library.settle()
        #expect(folder.names.count == 2)
    }

    @Test func aRecordThatIsOpenedTwiceIsOneEntryAndNobodysLastGame() async throws {
        let library = await open()
        let text = "(;GM[1]SZ[9]PB[One];B[ee])"
        let record = try GameRecord(telling: text)
        #expect(library.same(as: record) == nil)
        library.keep(record)
        #expect(library.same(as: try GameRecord(telling: text))?.id == record.id)
        #expect(library.same(as: try GameRecord(telling: text.replacing("One", with: "Two"))) == nil)
        #expect(library.last(of: GameRecord.BundleName("go")) == nil)
    }

    // MARK: What earlier versions have kept

    @Test func theLastGameOfEarlierVersionsIsTakenOverOnce() async throws {
        let (notebook, library, reading) = (Notebook(), await open(), try reading("tictactoe"))
        let (memory, opponent) = (Memory(notebook, bundle: "tictactoe"), Opponent(bundle, title: "Tic-tac-toe"))
        memory.choices = Choices(strength: .level3)
        let text = "azx game 1\nhuman 1\nsettings\nactions 4 0\nrates 1=0.5"
        notebook.keep(text, "tictactoe game")
        await memory.adopt(reading, opponent, in: library)
        #expect(notebook.text("tictactoe game") == nil)
        let record = try #require(library.last(of: bundle))
        #expect((record.human, record.actions, record.rates, record.players[0].level) == (1, [4, 0], [1: 0.5], "level 3"))
        await memory.adopt(reading, opponent, in: library)
        #expect(library.list.count == 1 && folder.names.count == 1)
        // A process that was ended before the text was forgotten finds the entry there.
        notebook.keep(text, "tictactoe game")
        await memory.adopt(reading, opponent, in: await open())
        #expect(folder.names.count == 1 && notebook.text("tictactoe game") == nil)
    }

    @Test func whatCannotBeTakenOverIsNotForgotten() async throws {
        let (notebook, reading) = (Notebook(), try reading("tictactoe"))
        let (memory, opponent) = (Memory(notebook, bundle: "tictactoe"), Opponent(bundle, title: ""))
        let library = await open()
        for text in ["", "azx game 1\nhuman 0\nsettings size=2\nactions 0\nrates", "azx game 1\nhuman 0\nsettings\nactions 99\nrates"] {
            notebook.keep(text, "tictactoe game")
            await memory.adopt(reading, opponent, in: library)
            #expect(library.list.isEmpty && notebook.text("tictactoe game") == text)
        }
        try Data().write(to: folder.url)
        notebook.keep("azx game 1\nhuman 0\nsettings\nactions 0\nrates", "tictactoe game")
        await memory.adopt(reading, opponent, in: library)
        #expect(library.list.count == 1 && notebook.text("tictactoe game") != nil, "it is nowhere else yet")
    }
}
