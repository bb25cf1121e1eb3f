/// What the value that a network gives means: other authors count in other ranges, or tell three chances apart.

import Foundation

private let outcomes = ["win", "draw", "loss"]
// What ends with one of these is never below 0.
private let unitActivations = ["sigmoid", "hard_sigmoid"]
private let probabilities = unitActivations + ["softmax"]
// How far from 1 the sum of chances may be.
private let slack = 1e-3

/// How the outputs of a value head are read as a value from -1 to 1, for whom the encoding says.
///
/// Of the three chances `win` and `loss` are where they stand (where no order is given, in the order win, draw, loss);
/// what ends with `activation` may have to go through a softmax first.
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

    /// How a manifest says that a value of `size` outputs is read: `output` has the members `activation`,
    /// `value_range` and `order`. GameError if it says what there is not.
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

    /// A value that is one number; GameError if there are others, or an order of them.
    private init(single range: Range, _ size: Int, _ order: Json) throws {
        let said = "value_range '\(range.rawValue)'"
        if size != 1 { throw GameError("\(said) takes one output, the value has \(size).") }
        if !order.isNull { throw GameError("\(said) has no order, which is that of three outputs.") }
        self.init(range)
    }

    /// What a value is where the manifest does not say: three numbers are chances.
    private static func usual(_ size: Int, _ activation: String) -> Range {
        if size == outcomes.count { return .wdl }
        return unitActivations.contains(activation) ? .unit : .signed
    }

    private static func readRange(_ said: Json) throws -> Range {
        if let range = said.text.flatMap(Range.init(rawValue:)) { return range }
        let known = Range.allCases.map(\.rawValue).joined(separator: ", ")
        throw GameError("value_range '\(said)' is unknown, use one of \(known).")
    }

    /// The value that `outputs`, as many as the manifest says, tell.
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
        // Without the largest one taken off, the exponential of a large logit is no number.
        let largest = max(win, draw, loss)
        let (won, lost) = (exp(win - largest), exp(loss - largest))
        return (won - lost) / (won + exp(draw - largest) + lost)
    }

    /// Where the manifest does not know it, numbers below 0 or with another sum than 1 are no chances.
    private func areChances(_ win: Double, _ draw: Double, _ loss: Double) -> Bool {
        guard activation == "unknown" else { return probabilities.contains(activation) }
        return min(win, draw, loss) >= 0 && abs(win + draw + loss - 1) <= slack
    }
}
