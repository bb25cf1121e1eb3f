import AzxBundle
import AzxNetwork
import Foundation
import Support
import Testing

@testable import AzxEngine
@testable import AzxPlay
@testable import AzxScreens

/// A network that comes while a game is on the board: where it is offered, and how the game goes on with it.
@MainActor @Suite(.timeLimit(.minutes(5))) final class OfferTests {
    private let notebook = Notebook()
    private let broken: Broken
    private let given: GivenBundles
    private let games = GamesFolder()
    private let library: Library
    private let store = Store(Fixtures.bundles)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "azx-\(UUID().uuidString)")

    /// Who sees a board keeps it.
    private var rooms: [Room] = []

    /// The bundle that comes is of another checkpoint.
    init() throws {
        broken = try Broken()
        let own = try Fixtures.bundle(Fixtures.bundles.appending(path: "tictactoe")).manifest.checkpoint.sha256
        try broken.edit(own, String(own.reversed()))
        library = games.library()
        given = GivenBundles(folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func room(_ game: String = "tictactoe", begins: Begins = .you) async throws -> Room {
        Memory(notebook, bundle: game).choices = Choices(strength: .policy, begins: begins)
        let room = Room(keeping: notebook, in: library)
        await room.open(try Fixtures.entry(Fixtures.bundles.appending(path: game)), store, on: .cpu) { bundle, _ in Hashed(bundle) }
        room.enter()
        rooms.append(room)
        return room
    }

    private func arrivals(_ room: Room?) -> Arrivals {
        let arrivals = Arrivals(store, given, keeping: notebook, in: library)
        arrivals.room = room
        return arrivals
    }

    private func arrive(_ room: Room?) async -> Arrivals {
        let arrivals = arrivals(room)
        _ = await arrivals.open([broken.folder])
        return arrivals
    }

    @Test func theGameGoesOnWithItFromThePositionShown() async throws {
        let room = try await room()
        let table = try #require(room.table)
        table.play(4)
        await table.settle()
        let actions = table.session.actions
        let arrivals = await arrive(room)
        let offered = try #require(arrivals.offer)
        #expect(offered.isGiven && arrivals.told.isEmpty && arrivals.count == 1)
        #expect(!Catalog.english.say(Phrase("new_network", .text(offered.entry.title))).contains("tronger"))
        let place = try #require(arrivals.take())
        #expect(arrivals.offer == nil && place == .board(offered, game: table.identity.id))
        let next = Room(keeping: notebook, in: library, game: table.identity.id)
        Memory(notebook, bundle: offered.entry.name).choices = Choices(strength: .policy, begins: .you)
        await next.open(offered, on: .cpu) { bundle, _ in Hashed(bundle) }
        next.enter()
        let after = try #require(next.table)
        #expect(after.session.actions == actions && !after.isReplay && after.canPlay)
        after.play(try #require(after.session.latest.legalActions().first))
        await after.settle()
        #expect(library.list.count == 1 && library.list[0].bundle?.name == offered.entry.name)
    }

    @Test func fromAnEarlierPositionItIsAGameOfItsOwn() async throws {
        let room = try await room()
        let table = try #require(room.table)
        table.play(4)
        await table.settle()
        table.play(try #require(table.session.latest.legalActions().first))
        await table.settle()
        let (id, actions) = (table.identity.id, table.session.actions)
        table.look(at: 1)
        let arrivals = await arrive(room)
        guard case .board(_, let game?)? = arrivals.take() else { throw Damaged() }
        #expect(game != id && library[id]?.actions == actions && library[game]?.actions == [4])
        #expect(!table.isThinking || table.thought == nil, "the network that was left thinks no more")
    }

    @Test func beforeTheFirstMoveANewGameBeginsWithIt() async throws {
        let arrivals = await arrive(try await room())
        let offered = try #require(arrivals.offer)
        #expect(arrivals.take() == .newGame(offered))
        #expect(library.list.isEmpty)
    }

    @Test func aPersonMayGoOnAsBefore() async throws {
        let room = try await room()
        let arrivals = await arrive(room)
        arrivals.decline()
        #expect(arrivals.offer == nil && arrivals.take() == nil)
        #expect(try Installed.all(store, given).last?.isGiven == true, "it is in the list")
    }

    @Test func itIsNotOfferedWhereItCannotGoOn() async throws {
        // Without a board, and on another game's.
        let nowhere = await arrive(nil)
        #expect(nowhere.offer == nil && nowhere.told.count == 1)
        let other = await arrive(try await room("connect4"))
        #expect(other.offer == nil && other.told.count == 1)
        // Once the game is over; before that a replay's positions can be gone on from.
        let room = try await room()
        let table = try #require(room.table)
        table.play(4)
        await table.settle()
        table.resign()
        let bundle = Installed(try Fixtures.entry(broken.folder), broken.store)
        #expect(await !room.canGoOn(with: bundle))
        table.look(at: 1)
        #expect(await room.canGoOn(with: bundle))
    }

    @Test func theNetworkThatPlaysAlreadyIsNotOffered() async throws {
        let again = try Broken()
        let arrivals = arrivals(try await room())
        _ = await arrivals.open([again.folder])
        #expect(arrivals.offer == nil && arrivals.told.count == 1)
    }

    @Test func twoNetworksThatPlayEachOtherAreNotReplaced() async throws {
        let room = try await room(begins: .watch)
        let table = try #require(room.table)
        table.pause(true)
        let bundle = Installed(try Fixtures.entry(broken.folder), broken.store)
        #expect(await room.canGoOn(with: bundle), "one network that plays both sides is")
        let side = GameRecord.Side(kind: .network, name: "one", level: "policy", bundle: GameRecord.BundleName("tictactoe"))
        table.identity.sides = [side, side]
        #expect(table.sides != nil)
        #expect(await !room.canGoOn(with: bundle))
    }
}
