/// What two people at one device have agreed on, as a record keeps it.

import AzxEngine

/// The immutable clock of two people: the seconds at the beginning and those that a move adds. `left` has the milliseconds of
/// players 0 and 1 by the number of moves.
public struct Clock: Equatable, Sendable {
    public let base: Int
    public let increment: Int
    public var left: [Int: [Int]] = [:]

    /// The milliseconds left after `moves` moves, as they were noted last.
    public func left(at moves: Int) -> [Int] {
        let known = left.keys.filter { $0 <= moves }.max()
        return known.flatMap { left[$0] } ?? [1000 * base, 1000 * base]
    }

    /// The clock with `more` milliseconds for `player` after `moves` moves; no time falls below 0.
    func add(_ more: Int, _ player: Player, at moves: Int) -> Clock {
        var now = left(at: moves)
        now[player] = max(0, now[player] + more)
        return Clock(base: base, increment: increment, left: left.merging([moves: now]) { $1 })
    }

    /// The clock of the first `moves` moves alone.
    func cut(_ moves: Int) -> Clock { Clock(base: base, increment: increment, left: left.filter { $0.key <= moves }) }
}

/// What two people have agreed on. A move is taken back at once or, with `isUndoAsked`, if the other one agrees; `asker`
/// waits for that answer.
public struct Shared: Equatable, Sendable {
    public var isUndoAsked = false
    public var clock: Clock?
    public var asker: Player?
}
