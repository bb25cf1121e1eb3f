import AzxEngine
import Support
import Testing

@testable import AzxPlay

/// The pauses that were asked for.
private actor Rests {
    private(set) var all: [Double] = []
    func add(_ seconds: Double) { all.append(seconds) }
}

/// Games that the network plays against itself.
@MainActor @Suite(.timeLimit(.minutes(10))) struct WatchTests {
    private let notebook = Notebook()
    private let rests = Rests()

    private func table(_ game: String, _ pace: Pace = .usual, kept: Kept? = nil) throws -> Table {
        let memory = Memory(notebook, bundle: game)
        memory.choices = Choices(strength: .policy, begins: .watch, pace: pace)
        let reading = try reading(game)
        let thinker = Thinker(reading, HashEvaluator(), hasValue: true)
        return try Table(Opened(reading, thinker, memory), kept: kept, rest: { [rests] in await rests.add($0) })
    }

    @Test(arguments: ["connect4", "dots_and_boxes", "gomoku", "tictactoe"])
    func aGameIsPlayedToItsEndWithoutAPerson(_ game: String) async throws {
        let table = try table(game)
        #expect(table.session.isWatched && table.session.side == 0 && table.notice == nil)
        #expect(!table.canPlay && !table.canResign && !table.session.canUndo)
        table.resume()
        #expect(table.isThinking)
        await table.settle()
        #expect(table.session.phase == .over && table.failure == nil && table.notice == nil)
        #expect(table.session.winner == (table.session.result == 0 ? nil : table.session.result > 0 ? 0 : 1))
        let asked = await rests.all
        #expect(asked.first == 0 && asked.dropFirst().allSatisfy { $0 == 1 } && asked.count > 4)
    }

    /// Nobody is there to agree on dead stones.
    @Test func twoPassesEndAGameOfGoThatIsWatched() throws {
        let start = try Fixtures.after("go", .null, [])
        let session = try [40, 0, 81, 81].reduce(Session(start, human: nobody)) { try $0.play($1) }
        #expect(session.phase == .over)
    }

    @Test(arguments: zip(Pace.allCases, [3, 1, 0.2])) func thePaceIsChosen(_ pace: Pace, _ seconds: Double) async throws {
        let table = try table("tictactoe", pace)
        table.resume()
        await table.settle()
        #expect(await rests.all.last == seconds)
        #expect(Memory(notebook, bundle: "tictactoe").choices.pace == pace)
    }

    @Test func itStandsStillAndGoesOnMoveByMove() async throws {
        let table = try table("tictactoe")
        table.pause(true)
        #expect(table.isPaused && !table.isThinking)
        table.resume()
        await table.settle()
        #expect(table.session.moves == 0)
        for moves in 1...2 {
            table.step()
            await table.settle()
            #expect(table.session.moves == moves && table.isPaused)
        }
        table.pause(false)
        await table.settle()
        #expect(table.session.phase == .over)
        table.pause(true)
        table.step()
        await table.settle()
        #expect(table.session.phase == .over)
    }

    @Test func whoComesBackFindsItStandingStill() async throws {
        let first = try table("tictactoe")
        first.pause(true)
        first.step()
        await first.settle()
        #expect(first.gameRecord.human == nobody && first.gameRecord.origin == .watched)
        let second = try table("tictactoe", kept: first.gameRecord.kept)
        #expect(second.isPaused && second.session.isWatched && second.session.moves == 1)
        second.restart()
        #expect(!second.isPaused)
        await second.settle()
        #expect(second.session.phase == .over)
    }

    @Test func aReplayLetsItStandStill() async throws {
        let table = try table("tictactoe")
        table.resume()
        table.replay(true)
        await table.settle()
        #expect(table.isPaused && table.session.moves == 0)
    }

    @Test func aGameWithAPersonIsNeitherPausedNorStepped() throws {
        let reading = try reading("tictactoe")
        let memory = Memory(notebook, bundle: "tictactoe")
        memory.choices = Choices(strength: .policy, begins: .you)
        let table = try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory))
        table.pause(true)
        table.step()
        #expect(!table.isPaused && table.session.moves == 0)
    }
}
