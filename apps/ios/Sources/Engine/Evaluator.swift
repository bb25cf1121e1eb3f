/// What a search asks a network for: the value of a state and how promising its actions are.

import Foundation

/// A network's answer for one state.
///
/// `value` is for the player to move, in [-1, 1]. `policy` has a number for each of the game's actions: logits if
/// `logits` is true, else probabilities; illegal actions' numbers do not matter. nil means uniform.
public struct Evaluation: Sendable {
    public let value: Double
    public let policy: [Float]?
    public let logits: Bool

    public init(value: Double, policy: [Float]?, logits: Bool) {
        self.value = value
        self.policy = policy
        self.logits = logits
    }

    /// The priors of the `legal` actions times a common factor, in their order.
    func weights(_ legal: [Int]) -> [Double] {
        guard let policy else { return [Double](repeating: 1, count: legal.count) }
        // A policy that is too short has no number for an action: all of them then come out even.
        var chosen = legal.map { $0 < policy.count ? Double(policy[$0]) : .nan }
        // `>` and not max(), which is NaN as soon as one of the two is.
        guard logits else { return chosen.map { $0 > 0 ? $0 : $0.isNaN ? .nan : 0 } }
        // The largest one is subtracted first: the exponential of a large logit is infinite.
        var largest = -Double.infinity
        for number in chosen where number > largest { largest = number }
        for at in chosen.indices { chosen[at] = exp(chosen[at] - largest) }
        return chosen
    }

    /// The priors of the `legal` actions, with sum 1.
    public func priors(_ legal: [Int]) -> [Double] {
        let chosen = weights(legal)
        var total = 0.0
        for weight in chosen { total += weight }
        return chosen.map { total > 0 ? $0 / total : 1 / Double(legal.count) }
    }

    /// The legal action with the largest prior, the lowest of equals; GameError if there is none.
    public func best(_ legal: [Int]) throws -> Int {
        guard var found = legal.first else {
            throw GameError("search: there is no legal action to choose from.")
        }
        var largest = -Double.infinity
        for (action, prior) in zip(legal, priors(legal)) where prior > largest { (found, largest) = (action, prior) }
        return found
    }
}

/// Anything that answers for states: a network in some runtime, or a stand-in.
public protocol Evaluator: Sendable {
    /// An answer for a state that is not over; an error if the network cannot give one.
    func evaluate(_ state: any State) async throws -> Evaluation

    /// Wait until it can answer: the clock of a timed search starts then.
    func ready() async throws
}

extension Evaluator {
    public func ready() async throws {}
}
