import AzxBundle
import AzxEngine
import Foundation
import Support
import Testing

@testable import AzxPlay

/// Two libraries on one folder, as two processes have them: what each plays is on the disk in the end.
@MainActor @Suite(.timeLimit(.minutes(5))) struct TwoLibrariesTests {
    private let folder = GamesFolder()

    private func open() async -> Library {
        let library = folder.library()
        await library.open()
        return library
    }

    private func table(_ library: Library, _ kept: Kept? = nil) throws -> Table {
        let memory = Memory(Notebook(), bundle: "tictactoe")
        memory.choices = Choices(strength: .policy, begins: .you)
        let reading = try reading("tictactoe")
        let shelf = Opened.Shelf(library, Opponent(GameRecord.BundleName("tictactoe"), title: "Tic-tac-toe"))
        return try Table(Opened(reading, Thinker(reading, HashEvaluator(), hasValue: true), memory, shelf), kept: kept)
    }

    /// A game that is begun and on the disk, and a table at it in each of two libraries.
    private func pair() async throws -> (first: (Library, Table), second: (Library, Table)) {
        let one = await open()
        let table = try table(one)
        table.play(4)
        await table.settle()
        await one.settle()
        let other = await open()
        let record = try #require(other[table.identity.id])
        return ((one, table), (other, try self.table(other, record.kept)))
    }

    private func play(_ table: Table, _ at: Int) async {
        let legal = table.session.latest.legalActions()
        if !legal.isEmpty { table.play(legal[min(at, legal.count - 1)]) }
        await table.settle()
    }

    /// What stands on the disk, as whoever comes next has it.
    private func games() async -> [[Int]] { await open().list.map(\.actions) }

    @Test func whatTheSecondOnePlaysOtherwiseIsAGameOfItsOwnAndSaysSo() async throws {
        let ((one, first), (other, second)) = try await pair()
        let id = first.identity.id
        await play(first, 0)
        await one.settle()
        await play(second, 1)
        // The disk may have answered before the network's move, or after it.
        var isSaid = second.notice == .branched
        await other.settle()
        let (mine, theirs) = (first.session.actions, second.session.actions)
        #expect(mine != theirs && folder.names.count == 2)
        #expect(Set(await games()) == [mine, theirs])
        // The entry is what the first one has made of it, here too; the next move knows the new name at the latest.
        #expect(other[id]?.actions == mine && other.list.count == 2)
        await play(second, 0)
        isSaid = isSaid || second.notice == .branched
        #expect(second.identity.id != id && isSaid)
        await play(second, 0)
        await other.settle()
        #expect(second.notice != .branched, "it is said until the next move")
        #expect(Set(await games()) == [mine, second.session.actions] && folder.names.count == 2)
        #expect(await open()[id]?.actions == mine)
    }

    @Test func whatGoesOnFromThereIsTheSameGame() async throws {
        let ((one, first), (other, second)) = try await pair()
        await play(first, 0)
        await one.settle()
        // The second one has played the same, and on.
        let longer = try first.session.play(first.session.latest.legalActions()[0])
        let record = GameRecord(Kept(longer, settings: [:], second.identity), try Game.find("tictactoe"), board: [:])
        #expect(other.keep(record, from: other[record.id]?.revision).id == record.id)
        await other.settle()
        #expect(await games() == [longer.actions] && longer.moves > first.session.moves && folder.names.count == 1)
    }

    /// Nobody continues a game that somebody has ended.
    @Test func aResultIsNotLost() async throws {
        let ((one, first), (other, second)) = try await pair()
        first.resign()
        await one.settle()
        await play(second, 0)
        await other.settle()
        let list = await open().list
        #expect(list.count == 2 && list.contains { $0.ending == .resigned } && list.contains { $0.actions == second.session.actions })
    }

    /// Moves without a pause, now here and now there: whatever either has on its board is a game of the folder, whole.
    @Test(arguments: [0, 1, 2, 3]) func nothingIsLostWhereBothWriteAtOnce(_ seed: Int) async throws {
        let ((one, first), (other, second)) = try await pair()
        for round in 0..<3 {
            await play(first, (seed + round) % 2)
            await play(second, (seed + 1 + round) % 3)
        }
        await one.settle()
        await other.settle()
        let found = await open()
        #expect(found.damaged == 0)
        let all = found.list.map(\.actions)
        #expect(all.contains(first.session.actions) && all.contains(second.session.actions), "\(all)")
    }

    @Test func whatSomebodyElseHasGoneOnWithIsNotDeleted() async throws {
        let ((one, first), (other, second)) = try await pair()
        await play(first, 0)
        await one.settle()
        other.remove(second.identity.id)
        await other.settle()
        #expect(await games() == [first.session.actions] && other.list.map(\.actions) == [first.session.actions])
        other.remove(second.identity.id)
        await other.settle()
        #expect(await games().isEmpty, "who has seen it may")
    }

    /// In one process two windows have one library: what they try out beside one game is kept of both.
    @Test func theLinesOfBothWindowsAreKept() async throws {
        let ((one, first), _) = try await pair()
        let second = try table(one, try #require(one[first.identity.id]).kept)
        for (table, at) in [(first, 0), (second, 1), (first, 2)] {
            table.replay(true)
            table.show(at: 1)
            table.play(table.session.visible.legalActions().filter { $0 != table.session.actions[1] }[at])
        }
        await one.settle()
        let list = await open().list
        #expect(list.map(\.beside.lines.count) == [3])
    }

    #if os(Linux)
        /// A process that is killed while it changes the folder holds nobody up, and leaves nothing that is taken for a game.
        @Test func aProcessThatIsKilledBetweenLosesNothing() async throws {
            let ((one, first), (other, second)) = try await pair()
            let before = try folder.read("\(first.identity.id).json")
            let (holder, said) = (Process(), Pipe())
            holder.executableURL = URL(fileURLWithPath: "/bin/sh")
            let script = "exec 9<\"$0\"; flock 9; printf '{\"azx_game\":1' > \"$0/.half\"; echo held; exec sleep 600"
            (holder.arguments, holder.standardOutput) = (["-c", script, folder.url.path], said)
            try holder.run()
            #expect(try said.fileHandleForReading.read(upToCount: 4) == Data("held".utf8))
            await play(first, 0)
            await play(second, 1)
            #expect(try folder.read("\(first.identity.id).json") == before, "else nobody was held up")
            kill(holder.processIdentifier, SIGKILL)
            holder.waitUntilExit()
            await one.settle()
            await other.settle()
            let found = await open()
            #expect(found.damaged == 0 && Set(found.list.map(\.actions)) == [first.session.actions, second.session.actions])
        }
    #endif
}
