/// What two people at one device have agreed on, as a record keeps it.

import AzxEngine

/// The clock of two people: seconds at the beginning and after each move, and the milliseconds that players 0 and 1 have
/// left by the number of moves. Nothing changes it.
public struct Clock: Equatable, Sendable {
    public let base: Int
    public let increment: Int
    public var left: [Int: [Int]] = [:]

    /// What is left after so many moves: what was noted last until then.
    public func left(at moves: Int) -> [Int] {
        let known = left.keys.filter { $0 <= moves }.max()
        return known.flatMap { left[$0] } ?? [1000 * base, 1000 * base]
    }

    /// The clock once `player` has `more` milliseconds after so many moves, never fewer than none.
    func add(_ more: Int, _ player: Player, at moves: Int) -> Clock {
        var now = left(at: moves)
        now[player] = max(0, now[player] + more)
        return Clock(base: base, increment: increment, left: left.merging([moves: now]) { $1 })
    }

    /// The clock of the first so many moves alone.
    func cut(_ moves: Int) -> Clock { Clock(base: base, increment: increment, left: left.filter { $0.key <= moves }) }
}

/// What two people have agreed on. A move is taken back at once, or where `isUndoAsked` if the other one agrees; `asker`
/// waits for that answer.
public struct Shared: Equatable, Sendable {
    public var isUndoAsked = false
    public var clock: Clock?
    public var asker: Player?
}
