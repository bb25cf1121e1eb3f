/// A network in a lower precision, and the limits of its errors.

import AzxEngine

/// The limits of an approximation's errors in its manifest: shares from 0 to 1.
public struct Limits: Equatable, Sendable {
    /// The largest error of the win rate.
    public let valueMax: Double
    /// The share of positions whose best move stays the best.
    public let bestMove: Double
    /// Only positions count in which the two best moves are more than this probability apart.
    public let margin: Double

    public init(valueMax: Double, bestMove: Double, margin: Double) {
        (self.valueMax, self.bestMove, self.margin) = (valueMax, bestMove, margin)
    }

    /// The limits of a gate that was passed; nil of any other.
    fileprivate init?(_ gate: Json) {
        func share(_ name: String) -> Double? { gate["limits"][name].number.flatMap { 0...1 ~= $0 ? $0 : nil } }
        guard gate["passed"] == .bool(true), let valueMax = share("value_max"), let bestMove = share("best_move"),
            let margin = share("margin")
        else { return nil }
        self.init(valueMax: valueMax, bestMove: bestMove, margin: margin)
    }
}

/// What lies at `path` in a `precision` below float32, inside its gate.
public struct Lower: Equatable, Sendable {
    public let path: String
    public let precision: String
    public let limits: Limits

    /// The one at `path`; nil if the manifest lists none there, and if that is not inside its gate.
    init?(_ manifest: Manifest, at path: String) {
        let listed = manifest.data["artifacts"].list ?? []
        guard let found = listed.first(where: { $0["path"].text == path && $0["format"].text == format }),
            let precision = found["precision"].text, let limits = Limits(found["gate"])
        else { return nil }
        (self.path, self.precision, self.limits) = (path, precision, limits)
    }
}
