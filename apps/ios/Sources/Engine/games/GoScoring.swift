/// The end of a game of Go as people play it: dead stones are taken off before the area is counted.
///
/// The engine's rules know no dead stones: two passes end the game and all stones count. This proposes dead stones from random
/// playouts, for a person to agree with or to change.

private let shares = Tables.thresholds.goScoring

/// The playouts' estimate of a position. `score` is black's mean lead less the komi, `spread` the standard deviation of the
/// leads, in points. The side that the score favours won `percent` of the playouts, 50 to 100. `begun` is whether both sides
/// have set enough stones.
public struct Estimate: Equatable, Sendable {
    public enum Certainty: String, Sendable { case clear, likely, open }

    public let score: Double
    public let spread: Double
    public let percent: Int
    let begun: Bool

    /// The score in whole points, halves away from 0.
    public var points: Int { Int((abs(score) + 0.5).rounded(.down)) * (score > 0 ? 1 : -1) }

    /// The spread in whole points.
    public var pointsOfSpread: Int { Int((spread + 0.5).rounded(.down)) }

    /// `percent` in a word; open too while the game has hardly begun.
    public var certainty: Certainty {
        if !begun || percent < shares.likely { return .open }
        return percent >= shares.clear ? .clear : .likely
    }
}

/// What a counted board shows: the dead stones, and the points that count for black and for white.
public struct Counted: Equatable, Sendable {
    public let dead: Set<Int>
    public let areas: [[Int]]

    /// The board without the stones on `dead`.
    public init(_ state: Go, without dead: [Int]) {
        self.dead = Set(dead)
        areas = state.areas(without: dead)
    }

    /// The areas that playouts have found; stones in the other side's area are dead.
    public init(_ state: Go, seen found: Ownership) {
        areas = state.areasSeen(found)
        dead = Set(
            areas.enumerated().flatMap { player, points in points.filter { state.cells[$0] == mark(other(player)) } })
    }
}

extension Go {
    /// The owner of each point in random playouts.
    public func ownership(playouts: Int = Ownership.usualPlayouts, seed: Int = Ownership.usualSeed) -> Ownership {
        Ownership(stones, cells, toMove, playouts: playouts, seed: seed)
    }

    /// The points of the stones connected with the one on `at`, ascending; none if the point is empty.
    public func chain(_ at: Int) -> [Int] {
        guard cells.indices.contains(at), cells[at] != Cell.empty else { return [] }
        var (cells, found) = (cells, [Int]())
        stones.takeGroup(&cells, at, &found)
        return found.sorted()
    }

    /// Whether the chain of the stone on `at` has a liberty.
    public func hasLiberty(_ at: Int) -> Bool { stones.hasLiberty(cells, at) }

    /// The stones that are proposed dead, ascending, whole chains.
    public func deadStones(_ found: Ownership) -> [Int] {
        var (seen, gone) = (Set<Int>(), [Int]())
        for at in cells.indices where cells[at] != Cell.empty && !seen.contains(at) {
            let points = chain(at)
            seen.formUnion(points)
            let theirs = cells[at] == mark(0) ? found.white : found.black
            let sum = points.reduce(0) { $0 + theirs[$1] }
            if 100 * sum >= shares.dead * points.count * found.playouts { gone += points }
        }
        return gone.sorted()
    }

    /// The score as the playouts see it, and how sure it is.
    public func estimate(_ found: Ownership) -> Estimate {
        let (score, wins) = (found.meanLead - komi, found.blackWins(komi))
        let favoured = score > 0 ? wins : found.playouts - wins
        let percent = max(50, 100 * favoured / found.playouts)
        return Estimate(score: score, spread: found.spread, percent: percent, begun: hasBegun)
    }

    /// Whether both sides have enough stones for playouts to be meaningful.
    var hasBegun: Bool {
        let stones = (0...1).map { player in cells.count(where: { $0 == mark(player) }) }
        return min(stones[0], stones[1]) >= min(shares.fewestStones, cells.count / 4)
    }

    /// The points that an estimate shows as black's and as white's.
    public func areasSeen(_ found: Ownership) -> [[Int]] {
        (0...1).map { player in cells.indices.filter { found.owner($0, shares.shown) == player } }
    }

    /// Whether every point is one side's in most of the playouts.
    public func isSettled(_ found: Ownership) -> Bool {
        cells.indices.allSatisfy { found.owner($0, shares.settled) != nil }
    }

    /// Whether the player to move loses nothing by a pass: all is settled, or few points are disputed and no stone on one of
    /// them gains. The score does not matter. In the first half of a game this is false unless the other side has passed.
    public func mayPass() throws -> Bool {
        if isTerminal || (lastAction != pass && played < cells.count / 2) { return false }
        let found = ownership()
        if isSettled(found) { return true }
        let disputed = cells.indices.filter { found.owner($0, shares.disputed) == nil }
        let legal = Set(legalActions())
        return try disputed.count <= shares.mostDisputed
            && !disputed.contains { try legal.contains($0) && gains($0, found.meanLead) }
    }

    /// Whether a stone raises the mover's mean lead enough to be played; `lead` is black's now.
    private func gains(_ at: Int, _ lead: Double) throws -> Bool {
        let gain = try apply(at).ownership().meanLead - lead
        return (toMove == 0 ? gain : -gain) >= shares.leastGain
    }
}
