import AzxBundle
import AzxDrawing
import AzxEngine
import AzxNetwork
import AzxPlay
import Observation

/// The room of a table: a bundle that is being opened, its table once it was read, and its network once it is loaded. A person
/// may move before that, and is answered then.
@MainActor
@Observable
public final class Room {
    public private(set) var table: Table?
    /// The person's place at it.
    public private(set) var seat: Seat?
    /// What runs the network, in words; nil until it is loaded.
    public private(set) var runtime: String?
    /// The bundle, once it was read.
    public private(set) var bundle: GameBundle?
    /// Why the bundle cannot be played; nil if it can.
    public private(set) var failure: Phrase.Part?
    /// Whether another try may open it.
    public private(set) var mayPass = false
    /// Whether the table is there, and its network is still on its way.
    public var isComing: Bool { table != nil && runtime == nil }
    /// Whether this screen is on top, and whether the app is in front.
    private var isShown = false
    private var isActive = true
    /// The task that opens the bundle, started by the first caller.
    @ObservationIgnored private var opening: Task<Void, Never>?
    @ObservationIgnored private var loading: Task<any Network, any Error>?
    @ObservationIgnored private var warmth = Warmth.fine
    @ObservationIgnored private let kept: any Keeping
    @ObservationIgnored private let library: Library?
    @ObservationIgnored private var game: String?
    @ObservationIgnored private var isNew: Bool
    @ObservationIgnored private let others: @Sendable () async throws -> [Installed]

    /// `game` is the library's entry that continues here, or is read. Without it the bundle's last game continues, or a new one
    /// begins if `isNew`. Without a library no game is saved. `others` are the bundles that may play against this one.
    public init(
        keeping kept: any Keeping, in library: Library? = nil, game: String? = nil, isNew: Bool = false,
        among others: @escaping @Sendable () async throws -> [Installed] = { [] }
    ) {
        (self.kept, self.library, self.game, self.isNew, self.others) = (kept, library, game, isNew, others)
    }

    /// The strengths that the network has: without a policy it chooses no move without a search.
    public var strengths: [Strength] {
        hasPolicy ? Strength.allCases : Strength.allCases.filter { $0 != .policy }
    }
    /// Whether the network says by itself which moves are promising.
    public var hasPolicy: Bool { bundle?.manifest.output(.policy) != nil }

    /// Whether the network says how good a position is.
    public private(set) var hasValue = false

    /// Open a bundle and let the person who sits here play; nothing if that was done before.
    ///
    /// The room's own task does the work. SwiftUI cancels the task of a view that another one covers, and begins it anew with the
    /// view. The bundle is opened once all the same, and the cancellation is not shown as a failure.
    public func open(_ installed: Installed, on units: Units, _ load: @escaping Loading) async {
        if runtime != nil || failure != nil { return }
        let task = opening ?? Task { await prepare(installed, units, load) }
        opening = task
        await task.value
    }

    private func prepare(_ installed: Installed, _ units: Units, _ load: @escaping Loading) async {
        do {
            let bundle = try await readBundle(installed, Memory(kept, bundle: installed.entry.name).reading)
            let reading = try bundle.reading
            let loading = Task { try await loadNetwork(bundle, reading, units, load) }
            self.loading = loading
            let evaluator = NetworkEvaluator(Arriving(loading), bundle)
            let open = Seats.Seated(installed: installed, bundle: bundle, reading: reading, evaluator: evaluator)
            let seats = Seats(open, units, load, among: others) { [kept] in Memory(kept, bundle: $0).reading }
            try await sit(open, seats)
            runtime = try await loading.value.runtime
            seat?.players = await seats.players()
        } catch is CancellationError {
            // A runtime was stopped, which says nothing about the bundle: the next visit opens it anew.
            opening = nil
            getUp()
        } catch {
            keepPlace()
            getUp()
            (failure, mayPass) = (describe(error), AzxScreens.mayPass(error))
        }
    }

    /// Open what could not be opened once more.
    public func tryAgain(_ installed: Installed, on units: Units, _ load: @escaping Loading) async {
        (failure, opening) = (nil, nil)
        await open(installed, on: units, load)
    }

    /// Remember the game on the table, which continues if the network is loaded after all.
    private func keepPlace() {
        guard let id = table?.identity.id, library?[id] != nil else { return }
        (game, isNew) = (id, false)
    }

    /// Make a table for a bundle, whose network may still be loading.
    private func sit(_ open: Seats.Seated, _ seats: Seats) async throws {
        let (entry, reading, bundle, evaluator) = (open.installed.entry, open.reading, open.bundle, open.evaluator)
        let thinker = Thinker(reading, evaluator, hasValue: evaluator.hasValue, settings: bundle.search)
        let memory = Memory(kept, bundle: entry.name)
        let opponent = Opponent(open.installed)
        let last = try await findGame(reading, opponent, memory)
        let shelf = library.map { Opened.Shelf($0, opponent) }
        let opened = Opened(reading, thinker, memory, shelf, others: { try await seats.seat($0) })
        let table = try Table(opened, kept: last)
        table.warmth = warmth
        (self.bundle, self.table, hasValue) = (bundle, table, evaluator.hasValue)
        seat = Seat(table, Presentation(reading.game.name), hasPolicy: hasPolicy)
        if isWatched { table.resume() } else { table.leave() }
    }

    /// Leave the table, as there is no network.
    private func getUp() {
        loading?.cancel()
        table?.leave()
        (loading, table, seat) = (nil, nil, nil)
    }

    /// The game that goes on here; nil if a new one begins. Damaged if the wanted game cannot be played.
    private func findGame(_ reading: Reading, _ opponent: Opponent, _ memory: Memory) async throws -> Kept? {
        guard let library else { return nil }
        await library.open()
        await memory.adopt(reading, opponent, in: library)
        if isNew { return nil }
        let record = game.map { library[$0] } ?? library.last(of: opponent.bundle)
        let kept = await away { record.flatMap { $0.fits(reading) ? $0.kept : nil } }
        if game != nil, kept == nil { throw Damaged() }
        return kept
    }

    /// Whether the board is seen: the network thinks only then.
    private var isWatched: Bool { isShown && isActive }

    /// Whether the device is to stay awake: somebody waits for the network, or watches it play, from one game of a series
    /// to the next.
    public var keepsAwake: Bool { isWatched && (table.map { $0.isThinking || $0.series.map { !$0.isOver } ?? false } ?? false) }

    /// The screen is there, so the network may think.
    public func enter() { show(isShown: true, isActive: isActive) }

    /// Another screen covers this one, or it is gone: the thought ends.
    public func leave() { show(isShown: false, isActive: isActive) }

    /// The app comes to the front, or goes to the back, whichever of its screens is seen.
    public func activate(_ isActive: Bool) { show(isShown: isShown, isActive: isActive) }

    private func show(isShown: Bool, isActive: Bool) {
        (self.isShown, self.isActive) = (isShown, isActive)
        if isWatched { table?.resume() } else { table?.leave() }
    }

    /// Let the network think less on a warm device, for as long as the screen is there.
    public func watch(_ thermometer: any Thermometer) async {
        for await reading in thermometer.readings() {
            warmth = reading
            table?.warmth = reading
        }
    }
}

/// A game of the library that its rules forbid, or that this board is not for.
struct Damaged: Error {}

/// Ask a network once, away from the main actor: a runtime's first answer takes longest. An error is left to the next question.
private nonisolated func warmUp(_ evaluator: NetworkEvaluator, _ reading: Reading) async {
    if let start = try? reading.start() { _ = try? await evaluator.evaluate(start) }
}

/// Read a bundle, away from the main actor; `chosen` is the reading that a person has chosen.
nonisolated func readBundle(_ installed: Installed, _ chosen: String?) async throws -> GameBundle {
    let bundle = try GameBundle(installed.entry, installed.store, chosen: chosen)
    // Asked first, as a bundle that cannot be played has a network all the same.
    _ = try bundle.reading
    return bundle
}

/// Load a bundle's network, away from the main actor: that takes a while.
private nonisolated func loadNetwork(
    _ bundle: GameBundle, _ reading: Reading, _ units: Units, _ load: Loading
) async throws -> any Network {
    let network = try await load(bundle, units)
    await warmUp(NetworkEvaluator(network, bundle), reading)
    return network
}
