import AzxEngine

/// The person of a game that is only watched: the network plays both sides.
public let nobody: Player = -1

/// The people of a game that two play at one device. Its record says `reader`, and that both players are people.
public let both: Player = -3

/// A game of the network with a person or with itself: what was played, who is whom, what is shown. Nothing changes it.
///
/// `states` are all positions, the first one first; `human` is the person, `nobody` or `reader`; `rates` the chance of `side` to
/// win (0 to 1) by the number of moves played, where the network has said it; `seen` what an analysis knows of positions,
/// in the same way; `shown` after how many moves the position is shown, nil for the last one; `names` what a record calls
/// players 0 and 1, empty where it does not, nil in a game that was played here. The first `setUp` moves are none that were
/// played: they place the stones that stood before the first one, and no position before those is shown.
public struct Session: Sendable {
    /// Whose turn it is at the end of the game; `scoring` is after two passes in Go, until the dead stones are agreed on,
    /// and `read` the end of a record of which no result is known.
    public typealias Phase = PanelFacts.Moment.Phase

    public internal(set) var states: [any State]
    public internal(set) var human: Player
    public internal(set) var rates: [Int: Double] = [:]
    /// How the game was ended where the rules did not end it alone; nil where nobody did.
    public internal(set) var ending: Ending?
    var seen: [Int: Seen] = [:]
    var shown: Int?
    public internal(set) var names: [String]?
    public internal(set) var setUp = 0
}

extension Session {
    /// A game that begins at `start`.
    public init(_ start: any State, human: Player) { self.init(states: [start], human: human) }

    /// The session with some of it changed.
    private func copy(_ change: (inout Session) -> Void) -> Session {
        var next = self
        change(&next)
        return next
    }

    /// The session at its end, with another ending.
    func end(_ ending: Ending?) -> Session {
        copy { ($0.shown, $0.ending) = (nil, ending) }
    }

    /// Whether the network plays both sides.
    public var isWatched: Bool { human == nobody }
    /// Whether it is a record of other people's game.
    public var isRead: Bool { human == reader }
    /// Whether two people play it here.
    public var isOfTwo: Bool { human == both }
    /// Whether a person here plays one of the sides, against a network.
    public var hasPerson: Bool { human >= 0 }
    /// Whose chances and result are told: the person's, or those of the player who began where there is none.
    public var side: Player { max(0, human) }
    /// How many moves lead to the end of the game, forced passes among them.
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

    /// Whether a person here makes the move that follows a position.
    private func isOwn(_ state: any State) -> Bool { isOfTwo || state.toMove == human }

    public var phase: Phase {
        if ending != nil { return .over }
        if isRead { return latest.isTerminal && !isUnsettled(states) ? .over : .read }
        if latest.isTerminal { return !isWatched && isUnsettled(states) ? .scoring : .over }
        return isOwn(latest) ? .yours : .theirs
    }

    /// +1 where `side` has won, -1 where the other one has, 0 otherwise.
    public var result: Int {
        switch ending {
        case .resigned: return -1
        case .lost(let by, _): return by == side ? -1 : 1
        case .told(_, let winner): return winner.map { $0 == side ? 1 : -1 } ?? 0
        case .agreed(let dead):
            let score = (latest as? Go)?.score(without: dead) ?? 0
            return (score > 0 ? 1 : score < 0 ? -1 : 0) * (side == 0 ? 1 : -1)
        case nil: return side == 0 ? latest.returns() : -latest.returns()
        }
    }

    /// Who has won; nil where nobody has.
    public var winner: Player? { result == 0 ? nil : result > 0 ? side : other(side) }

    /// Whether there is something in the game that would be lost without it.
    public var isBegun: Bool { isRead || ending != nil || (isWatched ? moves > setUp : canUndo) }

    /// The number of the move that leads to a position, counted from the first that was played.
    public func number(at ply: Int) -> Int { ply - setUp }

    /// The last move that leads to the position shown, forced passes left out; nil before the first one.
    public var lastMove: Int? {
        var at = ply
        while at > setUp, isForcedPass(states[at - 1]) { at -= 1 }
        return setUp > 0 && at == setUp ? nil : states[at].lastAction
    }

    /// Why a move cannot be played in the position shown, by the numbers of moves; nil where it can.
    public func whyIllegal(_ action: Int) -> Refusal? { visible.whyIllegal(action)?.count(after: setUp) }

    /// Who had to pass just now because the other one moves again; nil where nobody had to.
    public var forcedPasser: Player? {
        moves > setUp && isForcedPass(states[moves - 1]) ? states[moves - 1].toMove : nil
    }

    /// The session after `action`, and after the forced pass that may follow it. GameError where it is illegal.
    public func play(_ action: Int) throws -> Session {
        var states = states + [try latest.apply(action)]
        while let last = states.last, isForcedPass(last) { states.append(try last.apply(last.legalActions()[0])) }
        return end(nil).copy { $0.states = states }
    }

    /// The session of the first so many moves, at its end.
    func shorten(to count: Int) -> Session {
        end(nil).copy {
            $0.states = Array(states[...count])
            $0.rates = rates.filter { $0.key <= count }
            $0.seen = seen.filter { $0.key <= count }
        }
    }

    /// The session before the person's last move; the same where there was none.
    public func undo() -> Session {
        ending == .resigned ? end(nil) : beforeOwnMove.map(shorten) ?? self
    }

    /// The session that the person has given up.
    public func resign() -> Session { end(.resigned) }

    /// The session in which the stones on `dead` were agreed to be dead.
    public func agree(_ dead: [Int]) -> Session { end(.agreed(dead)) }

    /// The same game, continued by a person, who gets the side to move if nobody had one.
    func takeOver() -> Session {
        copy { $0.human = hasPerson ? human : latest.toMove; $0.names = nil }
    }

    /// The session before the two passes that have ended it.
    public func playOn() -> Session { shorten(to: max(setUp, moves - 2)) }

    private var beforeOwnMove: Int? {
        states.indices.dropLast().last { $0 >= setUp && isOwn(states[$0]) && !isForcedPass(states[$0]) }
    }

    /// The session showing the position after so many moves, kept within the game; the last is shown as it changes.
    public func show(_ count: Int) -> Session {
        let at = max(setUp, min(moves, count))
        return copy { $0.shown = at == moves ? nil : at }
    }

    /// The session in which the network gives the last position's mover the chance `winRate`; nil says nothing.
    public func rate(_ winRate: Double?) -> Session {
        guard let winRate else { return self }
        return copy { $0.rates[moves] = latest.toMove == side ? winRate : 1 - winRate }
    }

    /// The session in which what an analysis has seen after so many moves is known.
    func know(_ found: Seen, at moves: Int) -> Session {
        copy { $0.seen[moves] = found }
    }

    /// The chances of `side` by move in order, an analysis' where there are some, the result last where the game is over.
    public func curve() -> [(moves: Int, rate: Double)] {
        var points = rates.merging(seen.mapValues { $0.chance(of: side) }) { $1 }
        if phase == .over { points[moves] = Double(result + 1) / 2 }
        return points.sorted { $0.key < $1.key }.map { (moves: $0.key, rate: $0.value) }
    }
}

extension Session {
    /// The chance of `side` at the position that is shown, or the last one known before it; nil where there is none.
    public var chanceShown: Double? { curve().last { $0.moves <= ply }?.rate }
}

/// All positions of a game; nil where a move is illegal, or where it is `whole` and a pass that the rules force was cut off.
public func replay(_ start: any State, _ actions: [Int], whole: Bool = true) -> [any State]? {
    var states = [start]
    for action in actions {
        guard let next = try? states[states.count - 1].apply(action) else { return nil }
        states.append(next)
    }
    return whole && isForcedPass(states[states.count - 1]) ? nil : states
}

/// The pass that a person may choose; nil where there is none.
public func passOf(_ state: any State) -> Int? {
    guard let go = state as? Go, !go.isTerminal else { return nil }
    return go.pass
}

/// Whether the only move is a pass that the rules force.
public func isForcedPass(_ state: any State) -> Bool {
    (state as? DotsAndBoxes)?.mustPass ?? (state as? Reversi)?.mustPass ?? false
}
