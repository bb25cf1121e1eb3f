/// The meaning of a network's value: other authors use other ranges, or three chances.

import Foundation

private let outcomes = ["win", "draw", "loss"]
// The results of these are never below 0.
private let unitActivations = ["sigmoid", "hard_sigmoid"]
private let probabilities = unitActivations + ["softmax"]
// How far from 1 the sum of chances may be.
private let slack = 1e-3

/// Reads the outputs of a value head as a value from -1 to 1, for the player that the encoding names.
///
/// `win` and `loss` are the places of two of three chances; without a given order they are win, draw, loss. After an
/// `activation` that gives no chances the outputs need a softmax first.
public struct ValueHead: Equatable, Sendable {
    /// From -1 to 1, from 0 to 1, or the chances to win, draw and lose.
    public enum Range: String, CaseIterable, Sendable { case signed, unit, wdl }

    public let range: Range
    private let win: Int
    private let loss: Int
    private let activation: String

    private init(_ range: Range, win: Int = 0, loss: Int = 2, activation: String = "softmax") {
        self.range = range
        self.win = win
        self.loss = loss
        self.activation = activation
    }

    /// The head that a manifest describes for a value of `size` outputs, by the members `activation`, `value_range` and `order`
    /// of `output`. GameError if it describes none.
    public init(_ output: Json, size: Int) throws {
        let activation = output["activation"].text ?? "unknown"
        let said = output["value_range"]
        let range = try said.isNull ? Self.usual(size, activation) : Self.readRange(said)
        guard range == .wdl else {
            try self.init(single: range, size, output["order"])
            return
        }
        guard size == outcomes.count else {
            throw GameError("value_range 'wdl' takes three outputs, the value has \(size).")
        }
        let order = output["order"].isNull ? outcomes : output["order"].list?.map { $0.text ?? "" } ?? []
        guard order.sorted() == outcomes.sorted(), let win = order.firstIndex(of: "win"),
            let loss = order.firstIndex(of: "loss")
        else {
            throw GameError("the value's order '\(output["order"])' is not win, draw and loss, each once.")
        }
        self.init(range, win: win, loss: loss, activation: activation)
    }

    /// A value that is one number; GameError if there are several, or an order is given.
    private init(single range: Range, _ size: Int, _ order: Json) throws {
        let said = "value_range '\(range.rawValue)'"
        if size != 1 { throw GameError("\(said) takes one output, the value has \(size).") }
        if !order.isNull { throw GameError("\(said) has no order, which is that of three outputs.") }
        self.init(range)
    }

    /// The range if the manifest has none: three numbers are chances.
    private static func usual(_ size: Int, _ activation: String) -> Range {
        if size == outcomes.count { return .wdl }
        return unitActivations.contains(activation) ? .unit : .signed
    }

    private static func readRange(_ said: Json) throws -> Range {
        if let range = said.text.flatMap(Range.init(rawValue:)) { return range }
        let known = Range.allCases.map(\.rawValue).joined(separator: ", ")
        throw GameError("value_range '\(said)' is unknown, use one of \(known).")
    }

    /// The value of `outputs`, whose number is the manifest's.
    public func read(_ outputs: [Float]) -> Double {
        switch range {
        case .signed: Double(outputs[0])
        case .unit: 2 * Double(outputs[0]) - 1
        case .wdl: difference(Double(outputs[win]), Double(outputs[3 - win - loss]), Double(outputs[loss]))
        }
    }

    /// P(win) - P(loss).
    private func difference(_ win: Double, _ draw: Double, _ loss: Double) -> Double {
        if areChances(win, draw, loss) { return win - loss }
        // The largest one is subtracted first: the exponential of a large logit is infinite.
        let largest = max(win, draw, loss)
        let (won, lost) = (exp(win - largest), exp(loss - largest))
        return (won - lost) / (won + exp(draw - largest) + lost)
    }

    /// Whether the numbers are chances. If the manifest does not know it, numbers below 0 or with another sum than 1 are not.
    private func areChances(_ win: Double, _ draw: Double, _ loss: Double) -> Bool {
        guard activation == "unknown" else { return probabilities.contains(activation) }
        return min(win, draw, loss) >= 0 && abs(win + draw + loss - 1) <= slack
    }
}
