import AzxEngine

/// The value of `human` in a watched game: the network plays both sides.
public let nobody: Player = -1

/// The value of `human` in a game of two people at one device. Its record has `reader`, and two people as players.
public let both: Player = -3

/// A game: what was played, who plays which side, which position is shown. A session is immutable; each change makes another.
///
/// * `states`: all positions, the first one first.
/// * `human`: the person, `nobody`, `reader` or `both`.
/// * `rates`: the chance of `side` to win (0 to 1) by the number of moves played, as the network gave it.
/// * `seen`: what an analysis knows of positions, by the number of moves.
/// * `shown`: the number of moves to the shown position; nil shows the last one.
/// * `names`: what a record calls players 0 and 1, empty if unnamed; nil in a game that was played here.
/// * `setUp`: the number of first moves that nobody played. They place the stones of a handicap or a set-up position, and no
///   position before them is shown.
public struct Session: Sendable {
    /// Whose turn it is at the end of the game; `scoring` is after two passes in Go, until the dead stones are agreed on,
    /// and `read` is the end of a record without a result.
    public typealias Phase = PanelFacts.Moment.Phase

    public internal(set) var states: [any State]
    public internal(set) var human: Player
    public internal(set) var rates: [Int: Double] = [:]
    /// How people ended the game; nil if the rules ended it, or it goes on.
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
    /// Whether it is a record of a game that other people played.
    public var isRead: Bool { human == reader }
    /// Whether two people play it here.
    public var isOfTwo: Bool { human == both }
    /// Whether a person here plays one of the sides, against a network.
    public var hasPerson: Bool { human >= 0 }
    /// The side whose chances and result are shown: the person's, or that of the player who began if no person plays.
    public var side: Player { max(0, human) }
    /// How many moves lead to the end of the game, forced passes among them.
    public var moves: Int { states.count - 1 }
    /// The position at the end of the game.
    public var latest: any State { states[moves] }
    /// How many moves lead to the position that is shown.
    public var ply: Int { shown ?? moves }
    /// Whether the last position is shown.
    public var isAtEnd: Bool { ply == moves }
    /// The position that is shown.
    public var visible: any State { states[ply] }
    /// The moves from the first position on.
    public var actions: [Int] { states.compactMap(\.lastAction) }
    /// The stones of Go that were agreed to be dead, ascending; none while nothing was agreed.
    public var dead: [Int] { if case .agreed(let dead) = ending { dead } else { [] } }
    /// Whether the board decides at the end: nobody gave up or ran out of time, and no record tells the result.
    public var isCounted: Bool { if case .agreed = ending { true } else { ending == nil } }
    public var canUndo: Bool { ending == .resigned || beforeOwnMove != nil }

    /// Whether a person here makes the move that follows a position.
    private func isOwn(_ state: any State) -> Bool { isOfTwo || state.toMove == human }

    public var phase: Phase {
        if ending != nil { return .over }
        if isRead { return latest.isTerminal && !isUnsettled(states) ? .over : .read }
        if latest.isTerminal { return !isWatched && isUnsettled(states) ? .scoring : .over }
        return isOwn(latest) ? .yours : .theirs
    }

    /// +1 if `side` has won, -1 if the other one has, 0 otherwise.
    public var result: Int {
        switch ending {
        case .resigned: return -1
        case .lost(let by, _): return by == side ? -1 : 1
        case .told(_, let winner): return winner.map { $0 == side ? 1 : -1 } ?? 0
        case .agreed:
            let score = (latest as? Go)?.score(without: dead) ?? 0
            return (score > 0 ? 1 : score < 0 ? -1 : 0) * (side == 0 ? 1 : -1)
        case nil: return side == 0 ? latest.returns() : -latest.returns()
        }
    }

    /// The winner; nil in a draw, or before the end.
    public var winner: Player? { result == 0 ? nil : result > 0 ? side : other(side) }

    /// Whether the game has something worth keeping.
    public var isBegun: Bool { isRead || ending != nil || (isWatched ? moves > setUp : canUndo) }

    /// The number of the move that leads to a position, counted from the first played move.
    public func number(at ply: Int) -> Int { ply - setUp }

    /// The last move before the shown position that was no forced pass; nil before the first move.
    public var lastMove: Int? {
        var at = ply
        while at > setUp, isForcedPass(states[at - 1]) { at -= 1 }
        return setUp > 0 && at == setUp ? nil : states[at].lastAction
    }

    /// Why a move cannot be played in the shown position; nil if it can. Numbers of moves count from the first played one.
    public func whyIllegal(_ action: Int) -> Refusal? { visible.whyIllegal(action)?.count(after: setUp) }

    /// The player who just had to pass; nil if the last move was no forced pass.
    public var forcedPasser: Player? {
        moves > setUp && isForcedPass(states[moves - 1]) ? states[moves - 1].toMove : nil
    }

    /// The session after `action`, and after the forced pass that may follow it. GameError if it is illegal.
    public func play(_ action: Int) throws -> Session {
        var states = states + [try latest.apply(action)]
        while let last = states.last, isForcedPass(last) { states.append(try last.apply(last.legalActions()[0])) }
        return end(nil).copy { $0.states = states }
    }

    /// The session of the first `count` moves, at its end.
    func shorten(to count: Int) -> Session {
        end(nil).copy {
            $0.states = Array(states[...count])
            $0.rates = rates.filter { $0.key <= count }
            $0.seen = seen.filter { $0.key <= count }
        }
    }

    /// The session before the person's last move; the same if they have not moved yet.
    public func undo() -> Session {
        ending == .resigned ? end(nil) : beforeOwnMove.map(shorten) ?? self
    }

    /// What the board shows of Go at its end: without the stones agreed to be dead, or those `marked` until then. nil while all
    /// stones count.
    func counted(marked: [Int]?) -> Counted? {
        guard isAtEnd, let state = latest as? Go else { return nil }
        if case .agreed(let dead) = ending { return Counted(state, without: dead) }
        return phase == .scoring ? marked.map { Counted(state, without: $0) } : nil
    }

    /// The session in which the person has given up.
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

    /// The session showing the position after `count` moves, at most its last one. The last position is followed as it changes.
    public func show(_ count: Int) -> Session {
        let at = max(setUp, min(moves, count))
        return copy { $0.shown = at == moves ? nil : at }
    }

    /// The session in which the network gives the mover of the last position the chance `winRate`; unchanged if it is nil.
    public func rate(_ winRate: Double?) -> Session {
        guard let winRate else { return self }
        return copy { $0.rates[moves] = latest.toMove == side ? winRate : 1 - winRate }
    }

    /// The session with what an analysis has seen after `moves` moves.
    func know(_ found: Seen, at moves: Int) -> Session {
        copy { $0.seen[moves] = found }
    }

    /// The chances of `side` in the order of moves. An analysis beats the network, and a game that is over ends with its result.
    public func curve() -> [(moves: Int, rate: Double)] {
        var points = rates.merging(seen.mapValues { $0.chance(of: side) }) { $1 }
        if phase == .over { points[moves] = Double(result + 1) / 2 }
        return points.sorted { $0.key < $1.key }.map { (moves: $0.key, rate: $0.value) }
    }
}

extension Session {
    /// The chance of `side` at the shown position, or the last one known before it; nil if none is known.
    public var chanceShown: Double? { curve().last { $0.moves <= ply }?.rate }
}

/// All positions of a game; nil if a move is illegal, or if the game should be `whole` and lacks a pass that the rules force.
public func replay(_ start: any State, _ actions: [Int], whole: Bool = true) -> [any State]? {
    var states = [start]
    for action in actions {
        guard let next = try? states[states.count - 1].apply(action) else { return nil }
        states.append(next)
    }
    return whole && isForcedPass(states[states.count - 1]) ? nil : states
}

/// The pass that a person may choose; nil if the game has none, or is over.
public func passOf(_ state: any State) -> Int? {
    guard let go = state as? Go, !go.isTerminal else { return nil }
    return go.pass
}

/// Whether the only move is a pass that the rules force.
public func isForcedPass(_ state: any State) -> Bool {
    (state as? any CountedState)?.mustPass ?? false
}
