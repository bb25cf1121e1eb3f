import AzxBundle
import AzxEngine
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxDrawing
@testable import AzxPlay
@testable import AzxScreens

/// A clock that stands until it is put on.
@MainActor private final class Clock {
    var now = Date(timeIntervalSince1970: 0)
}

/// Tells what it was given, and then no more.
private struct Given: Thermometer {
    let warmths: [Warmth]

    func readings() -> AsyncStream<Warmth> {
        AsyncStream { continuation in
            for warmth in warmths { continuation.yield(warmth) }
            continuation.finish()
        }
    }
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct SeatTests {
    private let clock = Clock()

    /// A seat at a table where the person begins and the network answers by its policy.
    private func seat(
        _ game: String, strength: Strength = .policy, hasPolicy: Bool = true, _ actions: [Int] = []
    ) throws -> Seat {
        let memory = Memory(Notebook(), bundle: game)
        memory.choices = Choices(strength: strength, begins: .you)
        let reading = try GameBundle(Fixtures.entry(Fixtures.bundles.appending(path: game)), Store(Fixtures.bundles)).reading
        let table = try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory), kept: kept(reading, actions))
        return Seat(table, Presentation(game), hasPolicy: hasPolicy, now: { [clock] in clock.now })
    }

    private func middle(_ spot: Int, _ seat: Seat) throws -> AzxDrawing.Point {
        try #require(seat.table.board).frame(of: spot).centre
    }

    private func keys(_ said: Seat.News) -> [String] {
        said.said.compactMap { if case .phrase(let phrase) = $0 { phrase.key } else { nil } }
    }

    // MARK: Fingers

    @Test(arguments: ["connect4", "dots_and_boxes", "go", "gomoku", "tictactoe"])
    func aFingerShowsWhereItsMoveWouldGoAndPlaysWhereItIsLifted(_ game: String) async throws {
        let seat = try seat(game)
        let before = try #require(seat.table.board).picture(Scale(unit: 40))
        seat.touch(try middle(1, seat))
        seat.touch(try middle(3, seat))
        #expect((seat.touched, seat.table.session.moves) == (3, 0))
        #expect(try #require(seat.board(at: clock.now)).picture(Scale(unit: 40)) != before)
        let action = try #require(seat.table.board).action(of: 3)
        seat.lift(at: try middle(3, seat))
        #expect(seat.touched == nil)
        #expect(seat.table.session.actions.first == action)
        await seat.table.settle()
    }

    @Test func aFingerThatIsDraggedOffTheBoardPlaysNothing() throws {
        let seat = try seat("tictactoe")
        seat.touch(try middle(4, seat))
        seat.touch(AzxDrawing.Point(-0.5, 1))
        #expect(seat.touched == nil)
        seat.touch(try middle(4, seat))
        seat.lift(at: AzxDrawing.Point(1, 3.5))
        #expect(seat.touched == nil)
        #expect(seat.table.session.moves == 0)
        // The system has taken it away.
        seat.touch(try middle(4, seat))
        seat.touch(nil)
        #expect((seat.touched, seat.table.session.moves) == (nil, 0))
    }

    // MARK: Keys

    @Test func theKeysWalkAndPlay() async throws {
        let seat = try seat("tictactoe")
        #expect(seat.press("\u{F703}"))
        // The first key shows where one is.
        #expect(seat.cursor == 0)
        for key in ["\u{F703}", "\u{F701}", "\u{F701}", "\u{F702}", "\u{F700}"] { #expect(seat.press(Character(key))) }
        #expect(seat.cursor == 3)
        #expect(try #require(seat.board(at: clock.now)).shown.cursor == 3)
        #expect(seat.underKeys == seat.table.board?.speech(of: 3))
        #expect(seat.press("\r"))
        #expect(seat.table.session.actions.first == 3)
        await seat.table.settle()
        #expect(seat.press("u"))
        #expect(seat.table.session.moves == 0)
        #expect(seat.press("H"))
        await seat.table.settle()
        #expect(seat.table.heat != nil)
        #expect(!seat.press("x"))
        seat.forgetKeys()
        #expect(seat.cursor == nil && seat.underKeys.isEmpty)
        // A space shows where one was before it plays.
        #expect(seat.press(" "))
        #expect((seat.cursor, seat.table.session.moves) == (3, 0))
        #expect(seat.press(" "))
        #expect(seat.table.session.actions.first == 3)
        await seat.table.settle()
    }

    @Test func thereIsNoHintWithoutAPolicy() async throws {
        let seat = try seat("tictactoe", strength: .simulations50, hasPolicy: false)
        #expect(!seat.press("h"))
        await seat.table.settle()
        #expect(seat.table.heat == nil)
    }

    @Test func theRingGoesWhereAFingerPlays() async throws {
        let seat = try seat("tictactoe")
        #expect(seat.press("\u{F703}"))
        seat.lift(at: try middle(8, seat))
        #expect(seat.cursor == nil)
        await seat.table.settle()
        #expect(seat.press("\u{F700}"))
        #expect(seat.cursor == 8)
    }

    // MARK: Motion

    @Test func aDiscFallsToItsCell() async throws {
        let seat = try seat("connect4")
        seat.lift(at: try middle(3, seat))
        #expect(seat.isMoving)
        let seconds = Fall.duration(rows: 6)
        let fall = { (share: Double) in seat.board(at: clock.now + share * seconds)?.shown.falls.first }
        #expect(fall(0) == Fall(to: 38, after: 0))
        #expect(try #require(fall(0.5)).left < 0.6)
        #expect(fall(1) == nil)
        // A clock that is put back does no harm.
        #expect(fall(-1)?.left == 1)
        await seat.table.settle()
        await seat.land()
        #expect(!seat.isMoving)
        #expect(seat.board(at: clock.now)?.shown.falls == [])
    }

    @Test func anAnswerWaitsUntilThePersonsDiscHasLanded() async throws {
        let seat = try seat("connect4")
        seat.lift(at: try middle(3, seat))
        await seat.table.settle()
        #expect(seat.table.session.moves == 2)
        let seconds = Fall.duration(rows: 6)
        let falls = { (after: Double) in seat.board(at: clock.now + after)?.shown.falls ?? [] }
        #expect(falls(seconds / 2).map(\.cell) == seat.table.session.actions)
        // The answer is still above the board.
        #expect(falls(seconds / 2)[0].left < 0.6)
        #expect(falls(seconds / 2)[1].left == 1)
        #expect(falls(seconds * 1.01).map(\.cell) == [seat.table.session.actions[1]])
        #expect(falls(seconds * 1.3)[0].left < 1)
        #expect(falls(seconds * 2.01).isEmpty)
        await seat.land()
        #expect(!seat.isMoving)
    }

    @Test(arguments: ["dots_and_boxes", "go", "gomoku", "tictactoe"])
    func anyOtherMoveGrowsIntoItsPlace(_ game: String) throws {
        let seat = try seat(game)
        seat.lift(at: try middle(1, seat))
        let shapes = { (seconds: Double) in seat.board(at: clock.now + seconds)?.picture(Scale(unit: 40)) }
        let still = seat.table.board?.picture(Scale(unit: 40))
        #expect(shapes(0) != shapes(0.1))
        #expect(shapes(0.1) != still)
        #expect(shapes(0.3) == still)
        seat.table.leave()
    }

    @Test func nothingMovesForWhoAsksForLessMotion() throws {
        let seat = try seat("connect4")
        seat.isStill = true
        seat.lift(at: try middle(3, seat))
        #expect(seat.table.session.moves == 1)
        #expect(!seat.isMoving)
        seat.table.leave()
    }

    @Test func whatIsTakenBackDoesNotMove() async throws {
        let seat = try seat("connect4")
        seat.lift(at: try middle(3, seat))
        await seat.table.settle()
        seat.table.undo()
        #expect(!seat.isMoving)
        #expect(keys(seat.news) == ["tap_column"])
    }

    @Test func aReplayMovesForwardsOnly() async throws {
        let seat = try seat("connect4")
        seat.lift(at: try middle(3, seat))
        await seat.table.settle()
        await seat.land()
        seat.table.replay(true)
        for (moves, isMoving) in [(1, false), (0, false), (1, true), (2, true), (1, false)] {
            seat.table.show(at: moves)
            #expect(seat.isMoving == isMoving)
        }
    }

    // MARK: Words

    @Test func movesAndTurnsAreHeard() async throws {
        let seat = try seat("connect4")
        #expect(keys(seat.news) == ["tap_column"])
        seat.lift(at: try middle(3, seat))
        #expect(keys(seat.news) == ["board_move", "waiting"])
        #expect(seat.news.said[0] == .words("board_move", .words("board_red"), .words("board_column", .whole(4))))
        await seat.table.settle()
        #expect(keys(seat.news) == ["board_move", "tap_column"])
        guard case .phrase(let move) = seat.news.said[0] else { return }
        #expect(move.parts[0] == .words("board_yellow"))
    }

    @Test func aRefusedMoveIsHeardEachTime() async throws {
        let seat = try seat("tictactoe")
        seat.choose(4)
        await seat.table.settle()
        seat.choose(4)
        let first = seat.news
        #expect(keys(first).last == "not_possible")
        #expect(seat.refusals == 1)
        seat.choose(4)
        #expect(seat.news != first)
        #expect(seat.news.said == first.said)
        // Nobody is refused anything while the network thinks.
        seat.table.undo()
        seat.choose(4)
        seat.choose(4)
        #expect(seat.refusals == 2)
        await seat.table.settle()
    }

    @Test func aHandFeelsTheMovesOfAGameThatItPlaysAndNoOthers() async throws {
        let seat = try seat("tictactoe")
        seat.choose(4)
        await seat.table.settle()
        #expect(seat.felt == 2, "the network's too")
        seat.choose(4)
        #expect(seat.felt == 2 && seat.refusals == 1, "a refusal is felt otherwise")
        seat.table.undo()
        seat.table.replay(true)
        seat.table.show(at: 0)
        #expect(seat.felt == 2)
        var choices = seat.table.choices
        choices.begins = .watch
        seat.table.restart(choices)
        seat.table.pause(true)
        seat.table.step()
        await seat.table.settle()
        #expect(seat.table.session.moves == 1 && seat.felt == 2)
        seat.table.leave()
    }

    @Test func theResultIsHeard() async throws {
        let seat = try seat("tictactoe")
        while seat.table.session.phase != .over {
            seat.choose(seat.table.session.latest.legalActions()[0])
            await seat.table.settle()
        }
        let result = result(seat.table.session, Presentation("tictactoe"))
        #expect(seat.news.said.last == .phrase(result))
    }

    /// Three in the first row: the move that made it, where the row lies, and who has won.
    @Test func theRowThatHasWonIsHeardWithTheMoveThatMadeIt() async throws {
        let seat = try seat("tictactoe", [0, 8, 1, 7])
        seat.choose(2)
        #expect(keys(seat.news) == ["board_move", "line_points", "you_won"])
        let said = "x, Row 1, column 3, 3 in a row from row 1, column 1 to row 1, column 3, You won!"
        #expect(Catalog.english.say(seat.news.said).lowercased() == said.lowercased())
        seat.table.undo()
        #expect(keys(seat.news) == ["tap_cell"])
    }

    // MARK: Who watches

    @Test func aRoomThatIsLeftThinksAgainWhenSomebodyComesBack() async throws {
        let notebook = Notebook()
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .policy, begins: .you)
        let room = Room(keeping: notebook)
        let entry = try Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe"))
        await room.open(entry, Store(Fixtures.bundles), on: .cpu) { bundle, _ in try Counted(bundle) }
        let seat = try #require(room.seat)
        seat.choose(4)
        room.leave()
        await seat.table.settle()
        #expect((seat.table.session.moves, seat.table.isThinking) == (1, true))
        room.enter()
        await seat.table.settle()
        #expect(seat.table.session.moves == 2)
    }

    // MARK: Warmth

    @Test(arguments: [(Warmth.fine, 50, nil), (.serious, 25, "device_warm"), (.critical, 12, "device_hot")])
    func aWarmDeviceThinksLessAndSaysSo(_ warmth: Warmth, _ simulations: Int, _ key: String?) async throws {
        let seat = try seat("tictactoe", strength: .simulations50)
        seat.table.warmth = warmth
        #expect(seat.asides.map(\.key) == [key].compactMap { $0 })
        seat.choose(4)
        await seat.table.settle()
        #expect(seat.table.progress?.simulations == simulations)
    }

    @Test func aLevelPlaysAsItWasMeasuredOnAWarmDeviceAndNothingIsSaid() async throws {
        let seat = try seat("tictactoe", strength: .level8)
        seat.table.warmth = .critical
        #expect(seat.asides.isEmpty)
        seat.choose(4)
        await seat.table.settle()
        #expect(seat.table.progress?.simulations == 200)
    }

    @Test func aRoomWatchesTheThermometerBeforeAndAfterItIsOpen() async throws {
        let room = Room(keeping: Notebook())
        await room.watch(Given(warmths: [.fine, .serious]))
        let entry = try Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe"))
        await room.open(entry, Store(Fixtures.bundles), on: .cpu) { bundle, _ in try Counted(bundle) }
        #expect(room.table?.warmth == .serious)
        await room.watch(Given(warmths: [.critical, .fine]))
        #expect(room.table?.warmth == .fine)
    }

    @Test func aNetworkIsAskedOnceBeforeAnybodyPlays() async throws {
        let room = Room(keeping: Notebook())
        let asked = Asked()
        let entry = try Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe"))
        await room.open(entry, Store(Fixtures.bundles), on: .cpu) { bundle, _ in try Counted(bundle, asked) }
        #expect(await asked.count == 1)
        // What goes wrong then is told at the table.
        let failing = Room(keeping: Notebook())
        await failing.open(entry, Store(Fixtures.bundles), on: .cpu) { bundle, _ in try Counted(bundle, asked, fails: true) }
        #expect(await asked.count == 2)
        #expect(failing.table != nil && failing.failure == nil)
    }
}

private actor Asked {
    private(set) var count = 0
    func add() { count += 1 }
}

/// The first answer of golden.json, each time; it counts how often it was asked.
private struct Counted: Network {
    let runtime = "a test"
    private let golden: [Golden]
    private let asked: Asked?
    private let fails: Bool

    init(_ bundle: GameBundle, _ asked: Asked? = nil, fails: Bool = false) throws {
        golden = try bundle.golden()
        self.asked = asked
        self.fails = fails
    }

    func outputs(_ input: [Float]) async throws -> [String: [Float]] {
        await asked?.add()
        return fails ? [:] : golden[0].outputs
    }
}
