import AzxBundle
import AzxEngine
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxDrawing
@testable import AzxPlay
@testable import AzxScreens

/// Whole games on the models of the screens, by taps on the boards alone.
@MainActor @Suite(.timeLimit(.minutes(10))) struct WholeGamesTests {
    private let notebook = Notebook()
    private let folder = GamesFolder()
    private let store = Store(Fixtures.bundles)

    /// Sit down at a game's table, where what was left under way goes on.
    private func person(_ game: String, in library: Library? = nil, _ load: @escaping Loading) async throws -> Person {
        let room = Room(keeping: notebook, in: library)
        room.enter()
        await room.open(try Fixtures.entry(Fixtures.bundles.appending(path: game)), store, on: .cpu, load)
        return try #require(Person(room), "\(Catalog.english.say(room.failure ?? .text("no table")))")
    }

    private func choose(_ game: String, _ choices: Choices) {
        Memory(notebook, bundle: game).choices = choices
    }

    private func isWhole(_ phrase: Phrase?) -> Bool {
        guard let phrase else { return false }
        return [Catalog.english, .chinese].allSatisfy { catalog in
            let said = catalog.say(phrase)
            return !said.isEmpty && !said.contains("(no text") && !said.contains("%1")
        }
    }

    @Test(arguments: Fixtures.names, [Begins.you, .ai])
    func aGameIsPlayedByTapsUntilItsEnd(_ game: String, _ begins: Begins) async throws {
        choose(game, Choices(strength: .policy, begins: begins))
        let person = try await person(game) { bundle, _ in Hashed(bundle) }
        let table = person.table
        #expect(try await person.wait())
        #expect(table.session.human == (begins == .you ? 0 : 1))
        #expect(person.status == Presentation(game).prompt)
        #expect(table.session.moves == (begins == .you ? 0 : 1))

        #expect(person.tap(try #require(person.open.last)))
        #expect(person.status == Phrase("waiting"))
        #expect(!table.canPlay && person.open.isEmpty, "nothing is open while the network thinks")
        #expect(try await person.wait())
        #expect(try await person.playToTheEnd())
        #expect(table.failure == nil && table.session.latest.isTerminal)
        let ends = [-1: "ai_won", 0: "draw", 1: "you_won"]
        #expect(person.status.key == ends[table.session.result])
        for said in summary(table.session, table.session.latest) { #expect(isWhole(said)) }
        let before = table.session.moves
        _ = person.tap(0)
        #expect(table.session.moves == before, "a game that is over takes no move")
    }

    @Test(arguments: Fixtures.names) func aMoveIsTakenBackAndAHintIsSaid(_ game: String) async throws {
        choose(game, Choices(strength: .policy, begins: .you))
        let person = try await person(game) { bundle, _ in Hashed(bundle) }
        let table = person.table
        #expect(!table.session.canUndo)
        #expect(person.tap(try #require(person.open.first)))
        #expect(try await person.wait())
        #expect(table.session.moves >= 2)
        table.undo()
        #expect(table.session.moves == 0 && person.status == Presentation(game).prompt)

        table.hint()
        #expect(try await person.waitForHint())
        let hint = try #require(person.notice)
        #expect(hint.key.hasPrefix("hint_") && isWhole(hint))
        let actions = try #require(table.notice?.hinted)
        #expect(!actions.isEmpty)
        for action in actions {
            #expect(table.session.latest.whyIllegal(action) == nil)
            #expect(table.heat?.keys.contains(action) == true, "the board is coloured")
        }
        #expect(person.tap(try #require(person.open.first)))
        #expect(table.heat == nil && person.notice == nil, "a hint holds until the next move")
        #expect(try await person.wait())
    }

    @Test(arguments: Fixtures.names) func aGameThatIsOverIsLookedAtAgain(_ game: String) async throws {
        choose(game, Choices(strength: .policy, begins: .you))
        let person = try await person(game) { bundle, _ in Hashed(bundle) }
        let table = person.table
        #expect(try await person.playToTheEnd())
        let moves = table.session.moves
        table.replay(true)
        #expect(!table.canPlay)
        for ply in [0, 1, moves / 2, moves] {
            table.show(at: ply)
            let board = try #require(table.board)
            #expect(table.session.ply == ply && board.shown.last == table.session.lastMove)
            #expect(board.spoken.contains { $0.isButton } == table.canTry, "moves can be tried out")
            #expect(board.picture(Scale(unit: 30)).count > 0)
        }
        table.show(at: 0)
        #expect(person.tap(try #require(person.open.last)))
        #expect(table.line?.length ?? 0 > 0 && table.displayed.moves != table.session.moves)
        table.undo()
        #expect(table.session.moves == moves, "a replay changes nothing")
        table.replay(false)
        #expect(table.session.ply == moves)
        table.restart()
        #expect(table.session.moves == 0 && person.status == Presentation(game).prompt)
    }

    /// The process ends in the middle of a game; the list says so, and another room goes on to the end.
    @Test(arguments: Fixtures.names) func aGameGoesOnInAnotherRoom(_ game: String) async throws {
        choose(game, Choices(strength: .policy, begins: .you))
        let library = folder.library()
        let first = try await person(game, in: library) { bundle, _ in Hashed(bundle) }
        for _ in 0..<2 {
            #expect(first.tap(try #require(first.open.first)))
            #expect(try await first.wait())
        }
        first.room.leave()
        let (actions, human) = (first.table.session.actions, first.table.session.human)
        #expect(actions.count >= 4)
        await library.settle()

        let listed = try Listed(Fixtures.bundles.appending(path: game))
        let (games, later) = (Games(), folder.library())
        await games.read(listed.store, keeping: notebook, in: later)
        #expect(games.cards.map(\.isUnderWay) == [true])
        #expect(games.cards[0].canPlay && games.cards[0].canTest)
        let second = try await person(game, in: later) { bundle, _ in Hashed(bundle) }
        #expect(second.table.session.actions == actions && second.table.session.human == human)
        #expect(second.table.session.canUndo)
        #expect(try await second.playToTheEnd())
        await games.read(listed.store, keeping: notebook, in: later)
        #expect(games.cards.map(\.isUnderWay) == [false], "a game that is over is not under way")
    }

    @Test func blackMayNotPlayWhereRenjuForbidsIt() async throws {
        choose("gomoku", Choices(strength: .policy, begins: .you, isOtherRule: true))
        let corners = [0, 14, 210, 224]
        let person = try await person("gomoku") { bundle, _ in Scripted(bundle, corners) }
        let table = person.table
        let middle = 7 * 15 + 7
        for spot in [middle - 2, middle - 1, middle - 30, middle - 15] {
            #expect(person.tap(spot))
            #expect(try await person.wait())
        }
        let marked = try #require(table.board?.spoken.first { $0.id == middle })
        #expect(!marked.isButton && !person.open.contains(middle))
        #expect(Catalog.english.say(marked.said).contains("forbidden, double three"))
        let moves = table.session.moves
        #expect(person.tap(middle))
        #expect(table.session.moves == moves && table.canPlay)
        #expect(person.notice == Phrase("not_possible", .words("reason_double_three")))
        #expect(isWhole(person.notice))
        // Without the rule nothing is forbidden.
        var choices = table.choices
        choices.isOtherRule = false
        table.restart(choices)
        #expect(table.session.moves == 0)
        for spot in [middle - 2, middle - 1, middle - 30, middle - 15, middle] {
            #expect(person.tap(spot))
            #expect(try await person.wait())
        }
        #expect(table.session.moves == 10)
    }

    @Test func aKoIsNotTakenBackAtOnceAndNobodyPassesOnAnUnfinishedBoard() async throws {
        choose("go", Choices(strength: .policy, begins: .you))
        func point(_ row: Int, _ column: Int) -> Int { row * 9 + column }
        let whites = [point(3, 5), point(4, 6), point(5, 5), point(4, 4), 81]
        let person = try await person("go") { bundle, _ in Scripted(bundle, whites) }
        let table = person.table
        for spot in [point(3, 4), point(4, 3), point(5, 4), point(4, 5)] {
            #expect(person.tap(spot))
            #expect(try await person.wait())
        }
        #expect(table.session.moves == 8)
        #expect(summary(table.session, table.session.latest) == [Phrase("captured", .whole(0), .whole(1))])
        #expect(person.tap(point(4, 5)))
        #expect(table.session.moves == 8 && table.canPlay)
        let notice = Phrase("not_possible", .words("reason_superko", .whole(7)))
        #expect(person.notice == notice && isWhole(notice))
        // The reason is said until something is played, and not again after it.
        #expect(person.tap(point(0, 0)))
        #expect(person.notice == nil)
        #expect(try await person.wait())
        // The network would pass now, if it might.
        #expect(summary(table.session, table.session.latest).map(\.key) == ["captured"])
        #expect(table.session.moves == 10 && table.session.latest.lastAction != 81)
    }

    @Test func twoPassesAreCountedWhereAllIsSettled() async throws {
        let cases = try Fixtures.read("go/scoring").items("cases")
        let settled = try #require(try cases.first { try $0.string("about") == "a pass where all is settled" })
        let actions = try settled.ints("actions").dropLast()
        choose("go", Choices(strength: .policy, begins: .you))
        notebook.keep(
            "azx game 1\nhuman \(actions.count % 2)\nsettings\nactions" + actions.map { " \($0)" }.joined() + "\nrates",
            "go game")
        let person = try await person("go", in: folder.library()) { bundle, _ in Scripted(bundle, []) }
        let table = person.table
        table.pass()
        #expect(try await person.wait())
        #expect(table.isScoring && person.status.key == "tap_dead")
        let (proposed, stone) = (try #require(table.counted).dead, actions[0])
        #expect(person.tap(stone))
        let marked = try #require(table.counted).dead
        #expect(marked.contains(stone) != proposed.contains(stone))
        let told = try #require(person.notice)
        #expect(told.key == "scoring" && isWhole(told))
        table.agree()
        #expect(person.status.key == ["ai_won", "draw", "you_won"][table.session.result + 1])
        #expect(table.session.phase == .over && table.session.moves == actions.count + 2)
        let score = summary(table.session, table.session.latest)
        #expect(score.map(\.key) == ["go_score"] && isWhole(score[0]))
    }

    @Test func aColumnThatIsFullAndAnEdgeThatIsDrawnAreRefusedInWords() async throws {
        choose("connect4", Choices(strength: .policy, begins: .you))
        let columns = try await person("connect4") { bundle, _ in Scripted(bundle, [38, 31, 24, 17, 10, 3]) }
        for _ in 0..<3 {
            #expect(columns.tap(3))
            #expect(try await columns.wait())
        }
        #expect(columns.table.session.moves == 6 && columns.tap(3))
        #expect(columns.notice == Phrase("not_possible", .words("reason_full")))
        choose("dots_and_boxes", Choices(strength: .policy, begins: .you))
        let edges = try await person("dots_and_boxes") { bundle, _ in Hashed(bundle) }
        #expect(edges.tap(5))
        #expect(try await edges.wait())
        #expect(edges.tap(5))
        #expect(edges.notice == Phrase("not_possible", .words("reason_drawn")))
        choose("tictactoe", Choices(strength: .policy, begins: .you))
        let cells = try await person("tictactoe") { bundle, _ in Hashed(bundle) }
        #expect(cells.tap(4))
        #expect(try await cells.wait())
        #expect(cells.tap(4))
        #expect(cells.notice == Phrase("not_possible", .words("reason_occupied")))
    }
}
