import AzxBundle
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxPlay
@testable import AzxScreens

/// Lets a runtime take as long as a test wants, and counts how often it was asked to load.
private actor Gate {
    private(set) var loads = 0
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    /// Wait until a runtime was asked to load.
    func arrival() async {
        if loads == 0 { await withCheckedContinuation { watching.append($0) } }
    }

    /// Wait until the gate is open, as a runtime does that cannot be interrupted.
    func pass() async {
        loads += 1
        for each in watching { each.resume() }
        watching = []
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for each in waiting { each.resume() }
        waiting = []
    }
}

/// A room while its bundle is opened, and while other screens cover it.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RoomTests {
    private let notebook = Notebook()
    private let store = Store(Fixtures.bundles)
    private let gate = Gate()

    private func entry() throws -> Entry { try Fixtures.entry(Fixtures.bundles.appending(path: "tictactoe")) }

    private func slow() -> Loading {
        { [gate] bundle, _ in
            await gate.pass()
            return Hashed(bundle)
        }
    }

    private func openRoom(_ choices: Choices = Choices(strength: .policy, begins: .you)) async throws -> Room {
        Memory(notebook, bundle: "tictactoe").choices = choices
        let room = Room(keeping: notebook)
        await room.open(try entry(), store, on: .cpu) { bundle, _ in Hashed(bundle) }
        return room
    }

    /// As SwiftUI does where Settings is pushed while a network is loaded: the view's task is cancelled, and another one
    /// begins when the person comes back.
    @Test func aBundleIsLoadedOnceWhereItsScreenIsCoveredMeanwhile() async throws {
        let (room, entry, load) = (Room(keeping: notebook), try entry(), slow())
        let first = Task { await room.open(entry, store, on: .cpu, load) }
        await gate.arrival()
        room.leave()
        first.cancel()
        let second = Task { await room.open(entry, store, on: .cpu, load) }
        await gate.open()
        await first.value
        await second.value
        #expect(await gate.loads == 1)
        #expect(room.failure == nil && room.table != nil)
    }

    @Test func cancellingTheViewsTaskDoesNotReachTheRuntime() async throws {
        let (room, entry) = (Room(keeping: notebook), try entry())
        let load: Loading = { [gate] bundle, _ in
            await gate.pass()
            try Task.checkCancellation()
            return Hashed(bundle)
        }
        let task = Task { await room.open(entry, store, on: .cpu, load) }
        await gate.arrival()
        task.cancel()
        await gate.open()
        await task.value
        #expect(room.failure == nil && room.table != nil)
    }

    @Test func aRuntimeThatWasStoppedIsNoFailureAndIsAskedAgain() async throws {
        let room = Room(keeping: notebook)
        await room.open(try entry(), store, on: .cpu) { _, _ in throw CancellationError() }
        #expect(room.failure == nil && room.table == nil)
        await room.open(try entry(), store, on: .cpu) { bundle, _ in Hashed(bundle) }
        #expect(room.table != nil)
    }

    /// A room whose table is there, and whose network is not.
    private func waitForTable(_ room: Room) async throws -> Table {
        let end = ContinuousClock.now + .seconds(300)
        while room.table == nil {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(1))
        }
        return try #require(room.table)
    }

    @Test func aPersonMovesBeforeTheNetworkHasCome() async throws {
        // By the clock: waiting for the network is no thinking.
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .seconds1, begins: .you)
        let (room, entry, load) = (Room(keeping: notebook), try entry(), slow())
        room.enter()
        let opening = Task { await room.open(entry, store, on: .cpu, load) }
        let table = try await waitForTable(room)
        #expect(room.isComing && room.hasPolicy && !room.hasValue && room.runtime == nil)
        room.seat?.choose(4)
        #expect(table.session.moves == 1 && table.isThinking)
        try await Task.sleep(for: .milliseconds(1100))
        #expect(table.session.moves == 1 && table.isThinking)
        await gate.open()
        await opening.value
        await table.settle()
        #expect(!room.isComing && room.runtime == "a hash")
        #expect(table.session.moves == 2 && table.canPlay && table.progress.map { $0.simulations > 10 } == true)
    }

    @Test func aNetworkThatDoesNotComeIsToldInPlaceOfTheBoard() async throws {
        Memory(notebook, bundle: "tictactoe").choices = Choices(strength: .policy, begins: .you)
        let (room, entry) = (Room(keeping: notebook), try entry())
        room.enter()
        let opening = Task {
            await room.open(entry, store, on: .cpu) { [gate] _, _ in
                await gate.pass()
                throw BundleError("error_load", "no room")
            }
        }
        let table = try await waitForTable(room)
        table.play(4)
        await gate.open()
        await opening.value
        #expect(room.table == nil && room.seat == nil && !room.isComing)
        #expect(room.failure == .words("error_load", .text("no room")))
    }

    /// Settings covers the board, the app goes to the back and comes to the front again: nobody sees the board.
    @Test func nothingIsThoughtWhileAnotherScreenIsSeen() async throws {
        let room = try await openRoom(Choices(strength: .policy, begins: .ai))
        let table = try #require(room.table)
        #expect(table.thought == nil)
        room.activate(true)
        #expect(table.thought == nil)
        room.enter()
        #expect(table.thought != nil && room.keepsAwake)
        room.leave()
        for isActive in [false, true] {
            room.activate(isActive)
            #expect(table.thought == nil && !room.keepsAwake)
        }
        room.activate(false)
        room.enter()
        #expect(table.thought == nil && !room.keepsAwake)
        room.activate(true)
        #expect(table.thought != nil && room.keepsAwake)
        await table.settle()
        #expect(table.session.moves == 1 && !room.keepsAwake)
    }

    /// Where nobody plays, the device stays awake as long as the game goes on by itself.
    @Test func aGameThatIsWatchedKeepsTheDeviceAwakeUntilItIsPaused() async throws {
        let room = try await openRoom(Choices(strength: .policy, begins: .watch))
        room.enter()
        let table = try #require(room.table)
        #expect(room.keepsAwake)
        table.pause(true)
        #expect(!room.keepsAwake)
        table.pause(false)
        #expect(room.keepsAwake)
        room.leave()
        #expect(!room.keepsAwake)
    }
}
