/// What is proven of a position: within two plies, to the end of a game that is counted, by a table; and of a move.
///
/// A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of
/// the opponent's that was open and could have been stopped, one that the move itself has opened.

/// The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.
///
/// In Dots and Boxes and in Reversi `margin` is how many boxes or discs (`unit`) more than the opponent the mover ends
/// with if both play perfectly, and `left` are the actions that keep it. nil in other games, and while more is open than
/// is solved.
///
/// In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses if both play perfectly, and the
/// actions `left` keep that, too. nil elsewhere.
public struct Known: Equatable, Sendable {
    public let legal: [Int]
    public let left: [Int]
    public let result: Int?
    public let margin: Int?
    public let unit: Unit
    public let outcome: Int?

    /// What a margin is counted in.
    public enum Unit: String, CaseIterable, Sendable {
        case boxes, discs
    }

    init(legal: [Int], left: [Int], result: Int?, margin: Int? = nil, unit: Unit = .boxes, outcome: Int? = nil) {
        (self.legal, self.left, self.result) = (legal, left, result)
        (self.margin, self.unit, self.outcome) = (margin, unit, outcome)
    }

    /// What is proven of a position: nothing in Go, where people agree on dead stones after two passes; nor in
    /// Reversi until its end is solved, where a disc of the mover's may open the opponent's cells, so that no reason
    /// below is proven.
    public init(_ state: any State) {
        legal = state.legalActions()
        unit = state is Reversi ? .discs : .boxes
        let solved = (state as? DotsAndBoxes).flatMap { Solved($0) } ?? (state as? Reversi).flatMap { Solved($0) }
        if let solved {
            (left, result, margin, outcome) = (solved.best, nil, solved.margin, nil)
        } else if state is Go || state is Reversi {
            (left, result, margin, outcome) = (legal, nil, nil, nil)
        } else {
            let forced = Forced(state)
            let opening = forced.result == nil ? (state as? Connect4).flatMap { Opening($0) } : nil
            left = opening.map { found in forced.moves.filter(found.kept.contains) } ?? forced.moves
            (result, margin, outcome) = (forced.result, nil, opening?.outcome)
        }
    }

    /// The mover's chance of winning where it is proven: 1, 0.5 or 0; else nil.
    public var chance: Double? { (margin?.signum() ?? result).map { Double(1 + $0) / 2 } }

    /// The mover's chance of winning where anything but a search or a network says it: what is proven, else what the table of
    /// openings has; nil where neither knows the position. Whatever a network thinks of it, this is what a person is told.
    public var certainChance: Double? { chance ?? outcome.map { Double(1 + $0) / 2 } }

    /// The actions that keep what an end that is solved or an opening of Connect4 comes to, and the mover's chance then; nil
    /// where neither is known. A search says of other positions which moves are good.
    public var provenBest: (actions: [Int], chance: Double)? {
        (margin ?? outcome).map { (left, Double(1 + $0.signum()) / 2) }
    }

    /// By how much the move from here to `after` makes the player's margin worse; nil where it is not known.
    public func marginLost(to after: Known) -> Int? { margin.flatMap { one in after.margin.map { one + $0 } } }

    /// Whether `action` gives away the win or the draw that an opening is proven to be.
    func givesAway(_ action: Int) -> Bool { outcome.map { $0 >= 0 && !left.contains(action) } ?? false }

    /// Whether who plays `action` could have lost something by another move, or has lost it by this one: not with one
    /// legal action, nor where every action has the same proven result, nor by the one that is forced.
    public func isChoice(_ action: Int) -> Bool {
        if legal.count < 2 || result == -1 { return false }
        return result == 1 || margin != nil || outcome != nil ? left.count < legal.count : left != [action]
    }
}

/// Why a move is bad, and the winning `action` that was missed, not blocked or allowed. Where a win or a draw of an opening
/// was given away it is the lowest action that keeps it.
public struct Reason: Equatable, Sendable {
    /// The text of a code is `because_<code>` of apps/texts.
    public enum Code: String, CaseIterable, Sendable {
        case missedWin = "missed_win"
        case notBlocked = "not_blocked"
        case allowsWin = "allows_win"
        case gaveWin = "gave_win"
        case gaveDraw = "gave_draw"
    }

    public let code: Code
    public let action: Int

    public init(_ code: Code, _ action: Int) {
        self.code = code
        self.action = action
    }

    /// Why `action`, which leads from one position to the other, is bad; nil where nothing is proven to be lost by it.
    ///
    /// A win is not missed if it is proven afterwards, too. Where the opponent wins at once whatever is played,
    /// nothing was left to lose. That a win or a draw is given away is said where the opponent cannot win at once.
    public init?(_ action: Int, from before: Known, to after: Known) {
        if before.result == 1 {
            if before.left.contains(action) || after.result == -1 || after.outcome == -1 { return nil }
            self.init(.missedWin, before.left[0])
            return
        }
        if before.result == nil, after.result != 1, before.givesAway(action) {
            self.init(before.outcome == 1 ? .gaveWin : .gaveDraw, before.left[0])
            return
        }
        if before.result != nil || after.result != 1 { return nil }
        // A piece of the mover's never helps the opponent: what wins now and could be played before was a threat before.
        if let threat = after.left.first(where: before.legal.contains) {
            self.init(.notBlocked, threat)
        } else {
            self.init(.allowsWin, after.left[0])
        }
    }
}
