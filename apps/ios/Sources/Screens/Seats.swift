import AzxBundle
import AzxEngine
import AzxNetwork
import AzxPlay

/// Has the network of a side at hand: the one that is open, or another one beside it.
@MainActor
final class Seats {
    /// A bundle whose network is there, or on its way.
    struct Seated: Sendable {
        let installed: Installed
        let bundle: GameBundle
        let reading: Reading
        let evaluator: NetworkEvaluator
    }

    private let open: Seated
    private let units: Units
    private let load: Loading
    private let list: @Sendable () async throws -> [Installed]
    /// The reading that a person has chosen for the bundle of a name.
    private let chosen: (String) -> String?
    private var guests: [GameRecord.BundleName: Task<Seated, any Error>] = [:]
    /// One for each side: they share no knowledge of a game.
    private var thinkers: [GameRecord.Side: Thinker] = [:]

    init(
        _ open: Seated, _ units: Units, _ load: @escaping Loading,
        among list: @escaping @Sendable () async throws -> [Installed], chosen: @escaping (String) -> String? = { _ in nil }
    ) {
        (self.open, self.units, self.load, self.list, self.chosen) = (open, units, load, list, chosen)
    }

    /// Who thinks for a side. BundleError if its bundle is not there any more, or does not play on this board.
    func seat(_ side: GameRecord.Side) async throws -> Thinker {
        if let there = thinkers[side] { return there }
        let seated = try await network(of: side)
        let thinker =
            thinkers[side]
            ?? Thinker(seated.reading, seated.evaluator, hasValue: seated.evaluator.hasValue, settings: seated.bundle.search)
        thinkers[side] = thinker
        return thinker
    }

    private func network(of side: GameRecord.Side) async throws -> Seated {
        guard let name = side.bundle, name != Opponent(open.installed).bundle else { return open }
        if guests[name] == nil, guests.count > 1 {
            // Two others at most: each is as much of the memory as a network is.
            (guests, thinkers) = ([:], [:])
        }
        let (units, load, list, board, chosen) = (units, load, list, open.reading, chosen(name.name))
        let task = guests[name] ?? Task { try await invite(side, name, to: board, units, load, among: list, chosen) }
        guests[name] = task
        do { return try await task.value } catch {
            guests[name] = nil
            throw error
        }
    }

    /// The bundles that can play on this board, the one that is open first.
    func players() async -> [Installed] {
        let (all, board, own) = ((try? await list()) ?? [], open.reading, open.installed)
        return await [own] + away {
            all.filter { each in
                let reading = each == own ? nil : (try? GameBundle(each.entry, each.store))?.readingOrNil
                return reading.map { plays($0, on: board) } ?? false
            }
        }
    }
}

/// Read the bundle of a side and load its network, away from the main actor.
private nonisolated func invite(
    _ side: GameRecord.Side, _ name: GameRecord.BundleName, to board: Reading, _ units: Units, _ load: Loading,
    among list: @Sendable () async throws -> [Installed], _ chosen: String?
) async throws -> Seats.Seated {
    guard let installed = try await list().first(where: { Opponent($0).bundle == name }) else {
        throw BundleError("series_gone", side.name)
    }
    let bundle = try GameBundle(installed.entry, installed.store, chosen: chosen)
    let reading = try bundle.reading
    if !plays(reading, on: board) { throw BundleError("series_other_board", side.name) }
    let evaluator = NetworkEvaluator(try await load(bundle, units), bundle)
    return Seats.Seated(installed: installed, bundle: bundle, reading: reading, evaluator: evaluator)
}

/// Whether a network plays a game on another one's board.
func plays(_ own: Reading, on board: Reading) -> Bool {
    own.game.name == board.game.name
        && own.settings.allSatisfy { name, value in
            let usual = board.game.settings.first { $0.name == name }?.usual
            return (board.settings[name] ?? usual) == value
        }
}
