import AzxEngine

/// A game between a person and the network: what was played, who is whom, what is shown. Nothing changes it.
///
/// `states` are all positions, the first one first; `rates` the person's chance to win (0 to 1) by the number of moves
/// played, where the network has said it; `shown` after how many moves the position is shown, nil for the last one.
public struct Session: Sendable {
    /// Whose turn it is at the end of the game; `scoring` is after two passes in Go, until the dead stones are agreed on.
    public enum Phase: Sendable { case yours, theirs, scoring, over }

    public let states: [any State]
    public let human: Player
    public let rates: [Int: Double]
    /// How the game was ended where the rules did not end it alone; nil where nobody did.
    public let ending: Ending?
    private let shown: Int?

    /// A game that begins at `start`.
    public init(_ start: any State, human: Player) {
        self.init([start], human, [:], nil)
    }

    init(
        _ states: [any State], _ human: Player, _ rates: [Int: Double], _ shown: Int?, _ ending: Ending? = nil
    ) {
        self.ending = ending
        self.states = states
        self.human = human
        self.rates = rates
        self.shown = shown
    }

    /// How many moves were played, forced passes among them.
    public var moves: Int { states.count - 1 }
    /// The position at the end of the game.
    public var latest: any State { states[moves] }
    /// How many moves lead to the position that is shown.
    public var ply: Int { shown ?? moves }
    /// The position that is shown.
    public var visible: any State { states[ply] }
    /// The moves from the first position on.
    public var actions: [Int] { states.compactMap(\.lastAction) }
    public var canUndo: Bool { ending == .resigned || beforeOwnMove != nil }

    public var phase: Phase {
        if ending != nil { return .over }
        if latest.isTerminal { return isUnsettled(states) ? .scoring : .over }
        return latest.toMove == human ? .yours : .theirs
    }

    /// +1 where the person has won, -1 where the network has, 0 otherwise.
    public var result: Int {
        switch ending {
        case .resigned: return -1
        case .agreed(let dead):
            let score = (latest as? Go)?.score(without: dead) ?? 0
            return (score > 0 ? 1 : score < 0 ? -1 : 0) * (human == 0 ? 1 : -1)
        case nil: return human == 0 ? latest.returns() : -latest.returns()
        }
    }

    /// The last move that leads to the position shown, forced passes left out; nil before the first one.
    public var lastMove: Int? {
        var at = ply
        while at > 0, isForcedPass(states[at - 1]) { at -= 1 }
        return states[at].lastAction
    }

    /// Who had to pass just now because the other one moves again; nil where nobody had to.
    public var forcedPasser: Player? {
        moves > 0 && isForcedPass(states[moves - 1]) ? states[moves - 1].toMove : nil
    }

    /// The session after `action`, and after the forced pass that may follow it. GameError where it is illegal.
    public func played(_ action: Int) throws -> Session {
        var states = states + [try latest.apply(action)]
        while let last = states.last, isForcedPass(last) { states.append(try last.apply(last.legalActions()[0])) }
        return Session(states, human, rates, nil)
    }

    /// The session before the person's last move; the same where there was none.
    public func undone() -> Session {
        if ending == .resigned { return Session(states, human, rates, nil) }
        guard let at = beforeOwnMove else { return self }
        return Session(Array(states[...at]), human, rates.filter { $0.key <= at }, nil)
    }

    /// The session that the person has given up.
    public func resigned() -> Session { Session(states, human, rates, nil, .resigned) }

    /// The session in which the stones on `dead` were agreed to be dead.
    public func agreed(_ dead: [Int]) -> Session { Session(states, human, rates, nil, .agreed(dead)) }

    /// The session before the two passes that have ended it.
    public func playedOn() -> Session {
        Session(Array(states.dropLast(2)), human, rates.filter { $0.key <= moves - 2 }, nil)
    }

    private var beforeOwnMove: Int? {
        states.indices.dropLast().last { states[$0].toMove == human && !isForcedPass(states[$0]) }
    }

    /// The session showing the position after so many moves, kept within the game; the last is shown as it changes.
    public func showing(_ count: Int) -> Session {
        let at = max(0, min(moves, count))
        return Session(states, human, rates, at == moves ? nil : at, ending)
    }

    /// The session in which the network gives the last position's mover the chance `winRate`; nil says nothing.
    public func rated(_ winRate: Double?) -> Session {
        guard let winRate else { return self }
        var rates = rates
        rates[moves] = latest.toMove == human ? winRate : 1 - winRate
        return Session(states, human, rates, shown, ending)
    }

    /// The person's chances by move in order, the result last where the game is over.
    public func curve() -> [(moves: Int, rate: Double)] {
        let points = rates.sorted { $0.key < $1.key }.map { (moves: $0.key, rate: $0.value) }
        return phase == .over ? points + [(moves, Double(result + 1) / 2)] : points
    }
}

/// The pass that a person may choose; nil where there is none.
public func passOf(_ state: any State) -> Int? {
    guard let go = state as? Go, !go.isTerminal else { return nil }
    return go.pass
}

/// Whether the only move is a pass that the rules force.
public func isForcedPass(_ state: any State) -> Bool {
    (state as? DotsAndBoxes)?.mustPass ?? false
}
