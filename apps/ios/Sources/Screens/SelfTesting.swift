import AzxBundle
import AzxDrawing
import AzxNetwork
import AzxPlay
import Observation

/// The self-tests of a bundle: one for each of the units that may run its network.
@MainActor
@Observable
public final class SelfTesting {
    /// What one of the units has done: a result, or the sentence of why there is none.
    public struct Row: Identifiable, Sendable {
        public let units: Units
        public let tested: Tested?
        public let failure: Phrase.Part?

        public var id: Units { units }
    }

    public private(set) var rows: [Row] = []
    /// The sentence of why nothing could be tested; nil if something could.
    public private(set) var failure: Phrase.Part?
    public private(set) var wasStopped = false
    @ObservationIgnored private let seconds: Double
    private var task: Task<Void, Never>?

    /// Speed is measured for `seconds` on each of the units.
    public init(seconds: Double = 1) {
        self.seconds = seconds
    }

    public var isRunning: Bool { task != nil }
    /// All results as a text for sharing; empty without results.
    public var text: String { rows.compactMap(\.tested?.text).joined(separator: "\n\n") }

    /// Begin the tests of the `units` of a `device`, in words, unless they are under way.
    public func start(
        _ entry: Entry, _ store: Store, device: String, on units: [Units] = Units.allCases, _ load: @escaping Loading
    ) {
        if isRunning { return }
        (rows, failure, wasStopped) = ([], nil, false)
        task = Task {
            await run(entry, store, device, units, load)
            task = nil
        }
    }

    /// End the tests that are under way; what is not finished has no result.
    public func stop() {
        task?.cancel()
    }

    private func run(
        _ entry: Entry, _ store: Store, _ device: String, _ units: [Units], _ load: @escaping Loading
    ) async {
        let bundle: GameBundle
        do {
            bundle = try GameBundle(entry, store)
        } catch {
            failure = describe(error)
            return
        }
        for units in units {
            let row = await row(bundle, units, device, load)
            if Task.isCancelled {
                wasStopped = true
                return
            }
            rows.append(row)
        }
    }

    private func row(_ bundle: GameBundle, _ units: Units, _ device: String, _ load: Loading) async -> Row {
        do {
            let network = try await load(bundle, units)
            let tested = try await selfTest(bundle, network, device: device, seconds: seconds)
            return Row(units: units, tested: tested, failure: nil)
        } catch {
            return Row(units: units, tested: nil, failure: describe(error))
        }
    }

    /// Wait until nothing is under way, as tests do.
    func settle() async { await task?.value }
}
