import AzxEngine
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// A record with a handicap, from its text over the library to a table: read, reviewed, played on from, saved and opened again.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SetUpTests {
    private let text = "(;GM[1]SZ[9]HA[2]AB[gc][cg]KM[0.5]PB[Ann]PW[Ben]RE[W+2];W[ee];B[dd])"
    private let folder = GamesFolder()
    private let go = Presentation("go")

    private func seat(_ record: GameRecord, _ library: Library) throws -> Seat {
        let reading = try Fixtures.bundle(Fixtures.bundles.appending(path: "go")).reading
        let memory = Memory(Notebook(), bundle: "go")
        memory.choices = Choices(strength: .policy, begins: .you)
        let shelf = Opened.Shelf(library, Opponent(GameRecord.BundleName("go"), title: "Go"))
        let opened = Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory, shelf)
        return Seat(try Table(opened, kept: try #require(record.kept)), go)
    }

    private func say(_ phrase: Phrase?) -> String? { phrase.map { Catalog.english.say($0) } }

    @Test func theFirstPositionHasTheStonesAndNothingIsBeforeIt() throws {
        let record = try GameRecord(telling: text)
        let seat = try seat(record, folder.library())
        let table = seat.table
        #expect(table.isReplay && say(table.place) == "Move 2 of 2")
        seat.lookAgain()
        #expect(say(table.place) == "Move 0 of 2" && say(table.headline(go))?.contains("Ben") == true)
        let cells = try #require(table.displayed.visible as? Go).cells
        #expect(cells.indices.filter { cells[$0] != Cell.empty } == [24, 56])
        #expect(table.board?.shown.last == nil, "no move has led there")
        for moves in [table.session.ply - 1, 0, -1] {
            table.show(at: moves)
            #expect(table.session.ply == 3)
        }
        table.show(at: 4)
        #expect(say(table.place) == "Move 1 of 2" && table.board?.shown.last == 40)
        seat.choose(0)
        #expect(say(table.place) == "Line of your own: 1 after move 1")
        table.toGame()
    }

    @Test func theListBeginsWithTheFirstMoveBelowALine() throws {
        let seat = try seat(try GameRecord(telling: text), folder.library())
        #expect(seat.table.moveRows.map { Catalog.english.say($0.said) } == ["1, E5", "2, D6"])
        #expect(say(seat.table.stonesSetUp) == "Stones were set up before the first move.")
        #expect(seat.table.moveRows.map(\.isShown) == [false, true])
        seat.lookAgain()
        #expect(seat.table.moveInSight == seat.table.moveRows.first?.anchor)
        let without = try self.seat(try GameRecord(telling: "(;GM[1]SZ[9];B[ee])"), folder.library())
        #expect(without.table.stonesSetUp == nil)
    }

    @Test func theReviewIsOfTheMovesThatWerePlayedAndIsKept() async throws {
        let library = folder.library()
        let record = try GameRecord(telling: text)
        library.keep(record)
        let table = try seat(record, library).table
        table.simulations = 50
        let begun = try #require(table.review(go, hasValue: true))
        #expect(begun.progress == 0)
        table.analyse()
        await table.settle()
        #expect(table.session.seen.keys.sorted() == [3, 4, 5] && table.session.isAnalysed)
        #expect(table.session.review.moves.map(\.action) == [40, 30] && table.session.review.moves.map(\.player) == [1, 0])
        let graph = ChanceGraph(table.session, table.panel, width: 100, height: 10)
        table.show(at: 0)
        #expect(graph.now == 100 && ChanceGraph(table.session, table.panel, width: 100, height: 10).now == 0)
        table.show(at: 4)
        #expect(table.session.judged?.action == 40)
        let places = table.session.marks.map(\.moves)
        for place in places {
            table.showNextMistake()
            #expect(places.contains(table.session.ply) && place > 3)
        }
        // As the next process finds it.
        await library.settle()
        let later = folder.library()
        await later.open()
        let again = try #require(later[record.id])
        #expect(again.setUp == 3 && again.actions == record.actions && again.kept?.session.isAnalysed == true)
        let saved = try seat(again, later).table.record(you: "You", ai: "AI")
        #expect(saved?.contains("HA[2]AB[gc][cg]PL[W];W[ee];B[dd])") == true)
        #expect(saved?.contains("PB[Ann]PW[Ben]RE[W+2]") == true)
        let opened = try GameRecord(telling: try #require(saved))
        #expect(opened.setUp == 3 && opened.actions == record.actions)
        #expect(later.same(as: try GameRecord(telling: text))?.id == record.id)
        let moves = try GameRecord(telling: "(;GM[1]SZ[9]KM[0.5]PB[Ann]PW[Ben]RE[W+2];B[gc];W[];B[cg];W[ee];B[dd])")
        #expect(moves.actions == record.actions && later.same(as: moves) == nil, "there the stones were played")
    }

    @Test func aMistakeIsFoundAtItsOwnMove() async throws {
        // Each mover was sure to win, and then so was the other side.
        let seat = try seat(try GameRecord(telling: text), folder.library())
        let table = seat.table
        for (ply, chance) in [(3, 0.9), (4, 0.9), (5, 0.9)] {
            let mover = table.session.states[ply].toMove
            table.know(Seen(mover: mover, chance: chance, best: 0, isSure: true, known: Known(table.session.states[ply])), at: ply)
        }
        #expect(table.session.review.moves.map(\.verdict) == [.blunder, .blunder])
        #expect(table.session.marks.map(\.moves) == [4, 5])
        table.show(at: 0)
        table.showNextMistake()
        #expect(table.session.ply == 4 && say(table.sentence(go))?.hasPrefix("E5: blunder") == true)
        #expect(table.moveRows.map { $0.mark != nil } == [true, true])
        table.tryAgain()
        #expect(table.session.ply == 3 && table.isTrying)
    }

    @Test func aGameThatGoesOnFromThereKeepsTheStones() async throws {
        let library = folder.library()
        let record = try GameRecord(telling: text)
        library.keep(record)
        let seat = try seat(record, library)
        seat.lookAgain()
        seat.table.playFromHere()
        #expect(seat.table.session.human == 1 && seat.table.canPlay && !seat.table.session.canUndo)
        #expect(library.list.count == 1, "nobody has moved yet")
        seat.table.play(41)
        await seat.table.settle()
        let own = try #require(library[seat.table.identity.id])
        #expect(own.setUp == 3 && own.id != record.id && own.actions.starts(with: [24, 81, 56, 41]))
        #expect(own.actions.count == 5 && seat.table.moveRows.map(\.number) == [1, 2])
        seat.table.undo()
        #expect(seat.table.session.moves == 3 && !seat.table.session.canUndo)
        seat.table.undo()
        #expect(seat.table.session.moves == 3)
        seat.table.restart()
        #expect(seat.table.session.setUp == 0, "a new game begins with the empty board")
    }
}
