/// What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.
///
/// A move's loss is the chance of winning that the best move had, less the chance that the played one had, both for who
/// played it. The best move's is what a search from the position before says; the played move's what a search from the
/// position after says for the other side, turned round, or the exact result where the game is over there. A loss is
/// never below 0, and it is 0 where the played move is the one that the search from the position before would have
/// played: nothing better is known then. A move that the rules force is such a one. A move that is proven to be bad has a
/// reason, and its loss is at least a mistake's, however little a network thinks was left to lose. Where the end of a
/// game of Dots and Boxes or of Reversi is solved, the boxes or discs by which a move makes the mover's margin worse have
/// a verdict of their own. The worse of both is said. In an opening of Connect4 a table has how each move ends: one that
/// gives a win or a draw away is a blunder, any other loses nothing, whatever a network thinks.
///
/// Mistake and blunder are hard words. Unless a proof gives the reason, they need the agreement of searches of both
/// positions that are `Seen.deeper` times as deep. `doubts` has the positions that need them, each at most once.
///
/// The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points (the
/// curve that lichess.org/page/accuracy gives); a player's is the mean of those of their moves that could lose something,
/// and is not told of fewer than `Review.fewest`. Nothing here searches. The numbers are in games/data/thresholds.json.

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

    /// Whether it is one of those to which a person jumps.
    public var isMistake: Bool { Self.thresholds[rawValue]?.isMistake ?? false }
}

/// What is known of a position: `chance` (0 to 1) is that of `mover`, who is to move, with the action `best`; nil where
/// the game is over, and `chance` is then the result, 0.5 a draw. `isSure` where it was looked at again, or the rules
/// prove it. `known` is what they prove; nil where nobody has asked them.
public struct Seen: Equatable, Sendable {
    /// How many times as many simulations a position gets that is looked at again.
    public static let deeper = Tables.thresholds.deeper

    public let mover: Int
    public let chance: Double
    public let best: Int?
    public internal(set) var isSure = false
    public internal(set) var known: Known?

    public init(mover: Int, chance: Double, best: Int?, isSure: Bool = false, known: Known? = nil) {
        (self.mover, self.chance, self.best, self.isSure, self.known) = (mover, chance, best, isSure, known)
    }

    /// The same of a position that was looked at again.
    public var surer: Seen { Seen(mover: mover, chance: chance, best: best, isSure: true, known: known) }

    /// A player's chance as a person reads it: what is certain before what a search has found.
    public func chance(of player: Player) -> Double {
        let own = known?.certainChance ?? chance
        return mover == player ? own : 1 - own
    }

    func isGivenAway(by action: Int) -> Bool { known?.givesAway(action) ?? false }
}

extension Search {
    /// What is known of the root; nil before the second simulation. What the rules prove comes first: a win at
    /// once, one that cannot be stopped, a move that has to stop one, and the end of a game of Dots and Boxes or of Reversi.
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
        // Without it the search was so short that it has not tried the move that has to stop a win.
        return Seen(
            mover: mover, chance: (best ?? first).winRate, best: best?.action ?? known.left[0], known: known)
    }
}

/// A move that was played: by whom, its `loss` (0 to 1), the verdict, and a better move where it was not good. `reason`
/// is why it is proven to be bad, nil where it is not. `isChoice`: it could have lost something. `margin` is how much
/// of the solved margin it lost, in boxes or discs (`unit`); nil where that is not known.
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

/// The moves of a game, each with its verdict, as far as it was looked at.
public struct Review: Equatable, Sendable {
    /// With fewer moves that could lose something a player has no accuracy.
    public static let fewest = Tables.thresholds.accuracy.fewestMoves

    public let moves: [JudgedMove]

    /// Verdicts of the moves that lead from each position that was seen to the next; `actions[k]` from `seen[k]`.
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

    /// How many moves of a player have a verdict.
    public func count(_ verdict: Verdict, of player: Int) -> Int {
        moves.count { $0.player == player && $0.verdict == verdict }
    }

    /// A player's accuracy, 0 to 100; nil where fewer than `fewest` of their moves could lose something.
    public func accuracy(of player: Int) -> Double? {
        let curve = Tables.thresholds.accuracy
        let rates = moves.filter { $0.player == player && $0.isChoice }.map {
            min(100, max(0, curve.factor * exp(-curve.rate * 100 * $0.loss) - curve.offset))
        }
        return rates.count < Self.fewest ? nil : rates.reduce(0, +) / Double(rates.count)
    }

    /// The next position, counted in moves, that a mistake or a blunder leads to; after the last one the first. `shown`
    /// is the one that is looked at. nil where there is none.
    public func nextMistake(after shown: Int) -> Int? {
        let places = moves.indices.filter { moves[$0].verdict.isMistake }.map { $0 + 1 }
        return places.first { $0 > shown } ?? places.first
    }
}
