/// What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.
///
/// The loss of a move is the best move's chance less the played move's, both for the player who moved. The best move's chance comes
/// from a search of the position before. The played move's comes from a search of the position after, as one minus the other side's
/// chance, or from the result if the game is over. A loss is never below 0. It is 0 if the search before would have played the same
/// move, as it does a forced one.
///
/// A move that is proven to be bad has a reason, and its loss is at least a mistake's, whatever a network thinks. In a solved end of
/// Dots and Boxes or Reversi the boxes or discs that a move loses have a verdict of their own; the worse one counts. In an opening of
/// Connect4 a table knows how each move ends: a move that gives a win or a draw away is a blunder, any other loses nothing.
///
/// A move without a proven reason is called a mistake or a blunder only if searches of both positions that are `Seen.deeper` times as
/// deep agree. `doubts` are the positions that need such a search, each at most once.
///
/// The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points (the
/// curve that lichess.org/page/accuracy gives). A player's accuracy is the mean over the moves that could lose something; with fewer
/// than `Review.fewest` of them it is not shown. Nothing here searches. The numbers are in games/data/thresholds.json.

import Foundation

/// What a loss is called: of winning chance, or of boxes or discs of the margin.
public enum Verdict: String, CaseIterable, Sendable {
    case good, inaccuracy, mistake, blunder

    public init(loss: Double) {
        self = Self.allCases.last { loss >= $0.leastLoss } ?? .good
    }

    public init(margin: Int, in unit: Known.Unit) {
        self = Self.allCases.last { margin >= $0.least(unit) } ?? .good
    }

    private static let thresholds = Dictionary(
        uniqueKeysWithValues: Tables.thresholds.verdicts.map { ($0.name, $0) })

    public var leastLoss: Double { Self.thresholds[rawValue]?.leastLoss ?? .infinity }

    func least(_ unit: Known.Unit) -> Int {
        guard let row = Self.thresholds[rawValue] else { return .max }
        return unit == .boxes ? row.leastBoxes : row.leastDiscs
    }

    /// Whether "Next mistake" stops at it.
    public var isMistake: Bool { Self.thresholds[rawValue]?.isMistake ?? false }
}

/// What is known of a position. `chance` (0 to 1) is that of `mover`, who is to move, with the action `best`. If the game is over,
/// `best` is nil and `chance` the result, 0.5 for a draw. `isSure` says that it was searched again, or that the rules prove it.
/// `known` is what the rules prove; nil if they were not asked.
public struct Seen: Equatable, Sendable {
    /// The factor of simulations for a position that is searched again.
    public static let deeper = Tables.thresholds.deeper

    public let mover: Int
    public let chance: Double
    public let best: Int?
    public internal(set) var isSure = false
    public internal(set) var known: Known?

    public init(mover: Int, chance: Double, best: Int?, isSure: Bool = false, known: Known? = nil) {
        (self.mover, self.chance, self.best, self.isSure, self.known) = (mover, chance, best, isSure, known)
    }

    /// The same for a position that was searched again.
    public var surer: Seen { Seen(mover: mover, chance: chance, best: best, isSure: true, known: known) }

    /// The chance of a player: what is certain beats what a search has found.
    public func chance(of player: Player) -> Double {
        let own = known?.certainChance ?? chance
        return mover == player ? own : 1 - own
    }

    func isGivenAway(by action: Int) -> Bool { known?.givesAway(action) ?? false }
}

extension Search {
    /// What is known of the root; nil before the second simulation. Proofs come first: a win at once, a win that cannot be stopped, a
    /// move that must stop one, a solved end of Dots and Boxes or Reversi.
    public func assessment() -> Seen? {
        let (state, mover) = (state, state.toMove)
        let known = Known(state)
        if state.isTerminal {
            return Seen(mover: mover, chance: Double(1 + state.returns() * (1 - 2 * mover)) / 2, best: nil, known: known)
        }
        let found = candidates(most: state.actions)
        guard let first = found.first else { return nil }
        if let chance = known.chance {
            return Seen(mover: mover, chance: chance, best: known.left[0], isSure: true, known: known)
        }
        let best = found.first { known.left.contains($0.action) }
        // A very short search has not tried the move that must stop a win.
        return Seen(
            mover: mover, chance: (best ?? first).winRate, best: best?.action ?? known.left[0], known: known)
    }
}

/// A played move: the player, its `loss` (0 to 1), the verdict, and a `better` move unless it was good. `reason` says why it is
/// proven to be bad, nil if nothing proves that. `isChoice` says whether it could have lost something. `margin` is what it lost of the
/// solved margin, in boxes or discs (`unit`); nil if unknown.
public struct JudgedMove: Equatable, Sendable {
    public let action: Int
    public let player: Int
    public let loss: Double
    public let verdict: Verdict
    public let better: Int?
    public let reason: Reason?
    public let isChoice: Bool
    public let margin: Int?
    public let unit: Known.Unit

    init(_ action: Int, from before: Seen, to after: Seen) {
        let own = after.mover == before.mover ? after.chance : 1 - after.chance
        reason = before.known.flatMap { known in after.known.flatMap { Reason(action, from: known, to: $0) } }
        margin = before.known.flatMap { known in after.known.flatMap { known.marginLost(to: $0) } }
        unit = before.known?.unit ?? .boxes
        let proven = reason == nil ? Verdict(margin: margin ?? 0, in: unit) : .mistake
        let least = (before.isGivenAway(by: action) ? Verdict.blunder : proven).leastLoss
        let isKept = before.known.map { $0.outcome != nil && $0.left.contains(action) } ?? false
        loss = max(least, isKept || action == before.best ? 0 : before.chance - own)
        isChoice = before.known?.isChoice(action) ?? true
        verdict = Verdict(loss: loss)
        better = verdict == .good ? nil : before.best
        self.action = action
        player = before.mover
    }
}

/// The moves of a game with their verdicts, as far as it was analysed.
public struct Review: Equatable, Sendable {
    /// The fewest moves that could lose something for which a player has an accuracy.
    public static let fewest = Tables.thresholds.accuracy.fewestMoves

    public let moves: [JudgedMove]

    /// The verdicts of the moves between the seen positions; `actions[k]` leads from `seen[k]` to the next one.
    public init(_ seen: [Seen], _ actions: [Int]) {
        moves = zip(zip(seen, seen.dropFirst()), actions).map { JudgedMove($1, from: $0.0, to: $0.1) }
    }

    /// The positions beside mistakes and blunders that were searched only once, ascending. Proven positions need no
    /// second search. Nor does a mistake with a reason; a blunder with one may turn out to be a mistake.
    public static func doubts(_ seen: [Seen], _ actions: [Int]) -> [Int] {
        let moves = Review(seen, actions).moves
        return seen.indices.filter { at in
            let isBeside = [at - 1, at].contains {
                moves.indices.contains($0) && isDoubted(moves[$0], at: seen[$0])
            }
            return isBeside && !seen[at].isSure && seen[at].best != nil
        }
    }

    private static func isDoubted(_ move: JudgedMove, at before: Seen) -> Bool {
        if move.verdict == .blunder { return !before.isGivenAway(by: move.action) }
        return move.verdict.isMistake && move.reason == nil
    }

    /// The number of a player's moves with a verdict.
    public func count(_ verdict: Verdict, of player: Int) -> Int {
        moves.count { $0.player == player && $0.verdict == verdict }
    }

    /// A player's accuracy, 0 to 100; nil if fewer than `fewest` of their moves could lose something.
    public func accuracy(of player: Int) -> Double? {
        let curve = Tables.thresholds.accuracy
        let rates = moves.filter { $0.player == player && $0.isChoice }.map {
            min(100, max(0, curve.factor * exp(-curve.rate * 100 * $0.loss) - curve.offset))
        }
        return rates.count < Self.fewest ? nil : rates.reduce(0, +) / Double(rates.count)
    }

    /// The next position after `shown`, both as numbers of moves, that a mistake or a blunder leads to. After the last one it is the
    /// first; nil if the game has no mistake.
    public func nextMistake(after shown: Int) -> Int? {
        let places = moves.indices.filter { moves[$0].verdict.isMistake }.map { $0 + 1 }
        return places.first { $0 > shown } ?? places.first
    }
}
