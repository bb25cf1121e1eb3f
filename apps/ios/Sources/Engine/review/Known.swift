/// What is proven of a position: within two plies, to the end of a game that is counted, by a table; and of a move.
///
/// A reason is given only if it is proven, whatever a network thinks of the position. A win at once was missed, an open win of the
/// opponent could have been stopped, or the move itself opened one.

/// The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.
///
/// In Dots and Boxes and in Reversi `margin` is the mover's final lead in boxes or discs (`unit`) if both play perfectly; `left` are
/// the actions that keep it. It is nil in other games, and while the end is too far to be solved.
///
/// In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses if both play perfectly. Then the actions in
/// `left` also keep that. nil elsewhere.
public struct Known: Equatable, Sendable {
    public let legal: [Int]
    public let left: [Int]
    public let result: Int?
    public let margin: Int?
    public let unit: Unit
    public let outcome: Int?

    /// The unit of a margin.
    public enum Unit: String, CaseIterable, Sendable {
        case boxes, discs
    }

    init(legal: [Int], left: [Int], result: Int?, margin: Int? = nil, unit: Unit = .boxes, outcome: Int? = nil) {
        (self.legal, self.left, self.result) = (legal, left, result)
        (self.margin, self.unit, self.outcome) = (margin, unit, outcome)
    }

    /// What is proven of a position. Nothing is in Go, where people agree on dead stones after two passes. Nor is anything in Reversi
    /// until its end is solved: a disc of the mover may open cells for the opponent, so that no reason below would hold.
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

    /// The mover's proven chance of winning: 1, 0.5 or 0; nil if nothing is proven.
    public var chance: Double? { (margin?.signum() ?? result).map { Double(1 + $0) / 2 } }

    /// The mover's certain chance of winning: a proof, else the table of openings; nil if neither knows the position. It beats every
    /// search and network.
    public var certainChance: Double? { chance ?? outcome.map { Double(1 + $0) / 2 } }

    /// The actions that keep the result of a solved end or of an opening of Connect4, and the mover's chance. It is nil in other
    /// positions, whose good moves a search decides.
    public var provenBest: (actions: [Int], chance: Double)? {
        (margin ?? outcome).map { (left, Double(1 + $0.signum()) / 2) }
    }

    /// How much worse the move from here to `after` makes the player's margin; nil if unknown.
    public func marginLost(to after: Known) -> Int? { margin.flatMap { one in after.margin.map { one + $0 } } }

    /// Whether `action` gives away the proven win or draw of an opening.
    func givesAway(_ action: Int) -> Bool { outcome.map { $0 >= 0 && !left.contains(action) } ?? false }

    /// Whether the choice of `action` mattered: another move could have lost something, or this one did. False with one legal action,
    /// if all actions have the same proven result, and for the forced action.
    public func isChoice(_ action: Int) -> Bool {
        if legal.count < 2 || result == -1 { return false }
        return result == 1 || margin != nil || outcome != nil ? left.count < legal.count : left != [action]
    }
}

/// Why a move is bad, and the winning `action` that was missed, not blocked or allowed. If a win or a draw of an opening was given
/// away, `action` is the lowest one that keeps it.
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

    /// Why `action`, which leads from one position to the other, is bad; nil if no loss is proven.
    ///
    /// A win is not missed if it is still proven afterwards. If the opponent wins at once after every move, nothing could be lost. A win
    /// or draw given away is reported if the opponent cannot win at once.
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
        // A piece of the mover never helps the opponent: a winning cell that was playable before was a threat before.
        if let threat = after.left.first(where: before.legal.contains) {
            self.init(.notBlocked, threat)
        } else {
            self.init(.allowsWin, after.left[0])
        }
    }
}
