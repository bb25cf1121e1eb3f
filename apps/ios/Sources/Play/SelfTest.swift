/// The self-test: golden.json's positions on this device, and its speed.

import AzxBundle
import AzxEngine
import AzxNetwork
import Foundation

/// The comparison of the network's outputs with the recorded ones. Of `withBest` positions with a best move `sameBest` keep it. A
/// float32 network has `passed` by the tolerance, a lower precision by its own limits (`judge`).
public struct Found: Equatable, Sendable {
    /// An output may be this far from the reference, and two moves this near are equally good.
    public static let tolerance = 1e-4

    public let positions: Int
    public let largestError: Double
    public let sameBest: Int
    public let withBest: Int

    public let passed: Bool

    public init(positions: Int, largestError: Double, sameBest: Int, withBest: Int, passed: Bool? = nil) {
        (self.positions, self.largestError) = (positions, largestError)
        (self.sameBest, self.withBest) = (sameBest, withBest)
        self.passed = passed ?? (positions > 0 && largestError <= Self.tolerance && sameBest == withBest)
    }
}

/// How long an evaluation takes in milliseconds: half of them no longer than `p50`, nine in ten than `p90`.
public struct Times: Equatable, Sendable {
    public let p50: Double
    public let p90: Double
    public let perSecond: Double
}

/// The results of a self-test, on a `device` and a `runtime` in words; without playouts if the bundle cannot be played.
public struct Tested: Sendable {
    public let bundle: GameBundle
    public let device: String
    public let runtime: String
    public let found: Found
    public let times: Times
    public let playoutsPerSecond: Double?

    public var passed: Bool { found.passed }

    /// The result to be shared, in English.
    public var text: String {
        let checkpoint = bundle.manifest.checkpoint
        return [
            "azx self-test: \(passed ? "PASS" : "FAIL")",
            "Bundle: \(bundle.entry.title) (\(bundle.entry.name), \(checkpoint.file) \(checkpoint.sha256.prefix(12)))",
            "Device: \(device)",
            "Runtime: \(runtime)",
            "Positions: \(found.positions)",
            String(format: "Largest error: %.1e, ", found.largestError) + bundle.allowed,
            found.withBest > 0 ? "Best move: \(found.sameBest) of \(found.withBest)" : "Best move: no policy",
            String(format: "One evaluation: p50 %.2f ms, p90 %.2f ms", times.p50, times.p90),
            String(format: "Evaluations a second: %.0f", times.perSecond),
            playoutsPerSecond.map { String(format: "Playouts a second: %.0f", $0) }
                ?? "Playouts a second: none, it cannot be played",
        ].joined(separator: "\n")
    }
}

extension GameBundle {
    /// The allowed difference of an answer from the recorded one, in English.
    public var allowed: String {
        guard let lower else { return String(format: "allowed %.1e", Found.tolerance) }
        let limits = lower.limits
        return "allowed in \(lower.precision): "
            + String(format: "win rate %.1e, best moves kept %.1f %%", limits.valueMax, 100 * limits.bestMove)
    }
}

/// Compare the outputs, then measure the network and the search for `seconds` each; nil if the task was cancelled.
/// BundleError if golden.json cannot be read, the network's error if it fails.
public func selfTest(
    _ bundle: GameBundle, _ network: any Network, device: String, seconds: Double = 1
) async throws -> Tested? {
    let golden = try bundle.golden()
    let found =
        if let limits = bundle.lower?.limits { try await judge(golden, bundle.manifest, limits, network) } else {
            try await compare(golden, bundle.manifest, network)
        }
    let evaluator = NetworkEvaluator(network, bundle)
    let states = try bundle.readingOrNil.map { try line(try $0.start()) }
    let times = try await measureTimes(seconds, of: states?.count ?? golden.count) { at in
        if let states { _ = try await evaluator.evaluate(states[at]) } else {
            _ = try await network.outputs(of: golden[at].inputs)
        }
    }
    var playouts: Double?
    if let states { playouts = try await AzxPlay.playouts(evaluator, states[0], seconds) }
    if Task.isCancelled { return nil }
    return Tested(
        bundle: bundle, device: device, runtime: network.runtime, found: found, times: times,
        playoutsPerSecond: playouts)
}

/// Compare every position's outputs with the recorded ones.
public func compare(_ golden: [Golden], _ manifest: Manifest, _ network: any Network) async throws -> Found {
    let policy = manifest.output(.policy)?.name
    var (largest, same, with) = (0.0, 0, 0)
    for position in golden {
        if Task.isCancelled { break }
        let found = try await network.outputs(of: position.inputs)
        largest = max(largest, largestError(position, found))
        guard let policy, let best = position.best else { continue }
        with += 1
        if isBest(found[policy], position, policy, best) { same += 1 }
    }
    return Found(positions: golden.count, largestError: largest, sameBest: same, withBest: with)
}

/// The largest error of the outputs for a position; infinite if a number is missing or NaN.
func largestError(_ position: Golden, _ outputs: [String: [Float]]) -> Double {
    position.outputs.map { error(outputs[$0.key], $0.value) }.max() ?? 0
}

private func error(_ found: [Float]?, _ expected: [Float]) -> Double {
    guard let found, found.count == expected.count else { return .infinity }
    return zip(found, expected).reduce(0) { largest, pair in
        let error = abs(Double(pair.0) - Double(pair.1))
        return error.isNaN ? .infinity : max(largest, error)
    }
}

/// Whether the largest legal output is the recorded best, or as good by the record.
private func isBest(_ found: [Float]?, _ position: Golden, _ policy: String, _ best: Int) -> Bool {
    guard let found, let recorded = position.outputs[policy], found.count == recorded.count else { return false }
    let moves = position.legal ?? Array(found.indices)
    guard let first = moves.first else { return false }
    let chosen = moves.reduce(first) { found[$1] > found[$0] ? $1 : $0 }
    return Double(recorded[best]) - Double(recorded[chosen]) <= Found.tolerance
}

/// The first states of a game in which the middle one of the legal moves is played.
func line(_ start: any State) throws -> [any State] {
    var states = [start]
    while states.count < 8, let state = states.last {
        let legal = state.legalActions()
        let next = try state.apply(legal[legal.count / 2])
        if next.isTerminal { break }
        states.append(next)
    }
    return states
}

/// The time of one evaluation, measured on `count` positions in turn.
func measureTimes(_ seconds: Double, of count: Int, _ evaluate: (Int) async throws -> Void) async throws -> Times {
    var milliseconds: [Double] = []
    let begin = ContinuousClock.now
    repeat {
        let from = ContinuousClock.now
        try await evaluate(milliseconds.count % count)
        milliseconds.append((ContinuousClock.now - from) / .milliseconds(1))
    } while (ContinuousClock.now - begin) < .seconds(seconds) && !Task.isCancelled
    let perSecond = Double(milliseconds.count) / ((ContinuousClock.now - begin) / .seconds(1))
    milliseconds.sort()
    return Times(
        p50: milliseconds[milliseconds.count / 2], p90: milliseconds[milliseconds.count * 9 / 10], perSecond: perSecond)
}

/// How many simulations a second a search makes, as in a game: in slices.
func playouts(_ network: any Evaluator, _ state: any State, _ seconds: Double) async throws -> Double {
    let search = Search(state, network)
    let begin = ContinuousClock.now
    var made = 0
    repeat {
        made += try await search.run(.max, seconds: 0.05)
    } while (ContinuousClock.now - begin) < .seconds(seconds) && !Task.isCancelled
    return Double(made) / ((ContinuousClock.now - begin) / .seconds(1))
}
