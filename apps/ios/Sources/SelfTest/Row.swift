import AzxNetwork
import AzxPlay
import Foundation

extension Units {
    /// Their names in a terminal.
    public var words: String {
        switch self {
        case .cpu: "CPU"
        case .cpuAndGpu: "CPU and GPU"
        case .cpuAndNeuralEngine: "CPU and Neural Engine"
        case .all: "all"
        }
    }
}

/// A line of the table: the result of one of the units.
struct Row {
    let passed: Bool
    let line: String

    static let titles = line("on", [
        "proof", "largest error", "best move", "ms, half", "ms, 9 in 10", "evaluations/s", "playouts/s",
    ])

    init(_ units: Units, _ tested: Tested) {
        let (found, times) = (tested.found, tested.times)
        // nil if its game cannot be played.
        let playouts: Double? = tested.playoutsPerSecond
        passed = tested.passed
        line = Self.line(units.words, [
            passed ? "PASS" : "FAIL", String(format: "%.1e", found.largestError),
            found.withBest > 0 ? "\(found.sameBest) of \(found.withBest)" : "no policy",
            String(format: "%.2f", times.p50), String(format: "%.2f", times.p90),
            String(format: "%.0f", times.perSecond), playouts.map { String(format: "%.0f", $0) } ?? "-",
        ])
    }

    /// A unit without an answer, and the reason.
    init(_ units: Units, _ reason: String) {
        passed = false
        line = Self.line(units.words, ["FAIL"]) + "  " + reason
    }

    /// The cells in columns: the first one left-aligned, the others right-aligned.
    private static func line(_ first: String, _ others: [String]) -> String {
        let widths = [6, 14, 10, 9, 12, 14, 11]
        let padded = zip(others, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }
        return first.padding(toLength: 22, withPad: " ", startingAt: 0) + padded.joined()
    }
}
