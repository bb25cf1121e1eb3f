/// The owner of each point of a Go board by random games, which are the same in every language for the same seed.
///
/// A playout continues until neither side has a move. A move must be legal, fill no eye of its own, and not leave more than
/// three stones to be taken at once. A chain that the last move put in reach is taken, or saved, first. The area then
/// gives the owner of each point. The players take turns to begin.
///
/// The random numbers are the low 32 bits of a counter that grows by 0x9E3779B9, mixed like the end of MurmurHash3 (Austin
/// Appleby, public domain). A number below k is (k * r) >> 32.
public struct Ownership: Equatable, Sendable {
    public static let usualPlayouts = Tables.thresholds.goScoring.playouts
    public static let usualSeed = Tables.thresholds.goScoring.seed

    public let playouts: Int
    /// The number of playouts in which each point counted for black, and for white.
    public let black: [Int]
    public let white: [Int]
    /// The number of playouts by black's lead: its area less white's, without komi.
    public let leads: [Int: Int]

    /// Play random games from `cells` (0 empty, 1 black, 2 white); `player` is to move, and begins the first.
    init(_ board: GoBoard, _ cells: [UInt8], _ player: Player, playouts: Int, seed: Int) {
        let playout = Playout(board, seed: UInt32(truncatingIfNeeded: seed))
        var black = [Int](repeating: 0, count: cells.count)
        var (white, leads) = (black, [Int: Int]())
        for number in 0..<playouts {
            playout.play(cells, first: (player + number) & 1)
            var lead = 0
            for (at, owner) in board.area(playout.cells).enumerated() where owner != Cell.empty {
                if owner == 1 { black[at] += 1 } else { white[at] += 1 }
                lead += owner == 1 ? 1 : -1
            }
            leads[lead, default: 0] += 1
        }
        (self.playouts, self.black, self.white, self.leads) = (playouts, black, white, leads)
    }

    /// The player who owns a point in at least `percent` (over 50) of the playouts; nil if neither does.
    public func owner(_ at: Int, _ percent: Int) -> Player? {
        if 100 * black[at] >= percent * playouts { return 0 }
        return 100 * white[at] >= percent * playouts ? 1 : nil
    }

    /// Black's lead in the mean of the playouts, in points.
    public var meanLead: Double { Double(total) / Double(playouts) }

    /// The standard deviation of the playouts' leads, in points; whole numbers up to the square root.
    public var spread: Double {
        let squares = leads.reduce(0) { $0 + $1.key * $1.key * $1.value }
        return Double(playouts * squares - total * total).squareRoot() / Double(playouts)
    }

    private var total: Int { leads.reduce(0) { $0 + $1.key * $1.value } }

    /// The number of playouts in which black's lead was more than the komi.
    public func blackWins(_ komi: Double) -> Int {
        leads.reduce(0) { $0 + (Double($1.key) > komi ? $1.value : 0) }
    }
}

private let noPoint = -1
// The most stones that a move may leave to be taken at once: killing a group may need as many.
private let small = 3

/// One random game after another, in the same memory.
private final class Playout {
    private(set) var cells: [UInt8] = []
    private let limit: Int
    /// The points next to each point, ascending, and those across its corners.
    private let around: [[Int]]
    private let corners: [[Int]]
    private var free: [Int] = []
    private var captured: [Int] = []
    private var counter: UInt32
    private var ko = noPoint
    private var seen: [Int]
    private var walk = 0
    /// The chain that was walked over last: its stones, if it has fewer than two liberties, and its last liberty.
    private var group: [Int]
    private var used = 0
    private var liberty = noPoint

    init(_ board: GoBoard, seed: UInt32) {
        let size = board.size
        limit = board.limit
        counter = seed
        seen = [Int](repeating: 0, count: board.points)
        group = seen
        around = (0..<board.points).map { AzxEngine.cells(beside: $0, size, [(-1, 0), (0, -1), (0, 1), (1, 0)]) }
        corners = (0..<board.points).map { AzxEngine.cells(beside: $0, size, [(-1, -1), (-1, 1), (1, -1), (1, 1)]) }
    }

    func play(_ start: [UInt8], first: Player) {
        cells = start
        ko = noPoint
        free = start.indices.filter { start[$0] == Cell.empty }
        var (player, last, passes, ply) = (first, noPoint, 0, 0)
        while ply < limit, passes < 2 {
            last = answer(player, last) ?? drawMove(player)
            passes = last == noPoint ? passes + 1 : 0
            if last == noPoint { ko = noPoint }
            player = other(player)
            ply += 1
        }
    }

    /// Take the chain of the last stone, or save one beside it, if possible; returns the point played, or nil.
    private func answer(_ player: Player, _ last: Int) -> Int? {
        if last == noPoint { return nil }
        let at = inReach(player, last)
        guard at != noPoint, at != ko, place(player, at), let index = free.firstIndex(of: at) else { return nil }
        remove(index)
        return at
    }

    /// The only liberty of the last stone's chain, or of the first of the player's own chains beside it with one liberty.
    private func inReach(_ player: Player, _ last: Int) -> Int {
        if liberties(last) == 1 { return liberty }
        for near in around[last] where cells[near] == mark(player) && liberties(near) == 1 { return liberty }
        return noPoint
    }

    /// A free point, drawn without replacement until one can be played; `noPoint` for a pass.
    private func drawMove(_ player: Player) -> Int {
        var left = free.count
        while left > 0 {
            // A shift binds closer than a product here.
            let index = Int((UInt64(random()) * UInt64(left)) >> 32)
            left -= 1
            free.swapAt(index, left)
            let at = free[left]
            if at != ko, !isEye(player, at), place(player, at) {
                remove(left)
                return at
            }
        }
        return noPoint
    }

    private func random() -> UInt32 {
        counter &+= 0x9E37_79B9
        var mixed = (counter ^ counter >> 16) &* 0x85EB_CA6B
        mixed = (mixed ^ mixed >> 13) &* 0xC2B2_AE35
        return mixed ^ mixed >> 16
    }

    /// Remove the free point at a place of the list, and append the points that the move captured.
    private func remove(_ index: Int) {
        free[index] = free[free.count - 1]
        free.removeLast()
        free += captured
    }

    private func isEye(_ player: Player, _ at: Int) -> Bool {
        let (own, foe) = (mark(player), mark(other(player)))
        for near in around[at] where cells[near] != own { return false }
        var others = 0
        for corner in corners[at] where cells[corner] == foe { others += 1 }
        return others < (corners[at].count == 4 ? 2 : 1)
    }

    /// Set a stone and take what it captures; false, with nothing changed, if the stone would not be safe.
    private func place(_ player: Player, _ at: Int) -> Bool {
        let foe = mark(other(player))
        cells[at] = mark(player)
        captured.removeAll(keepingCapacity: true)
        for near in around[at] where cells[near] == foe && liberties(near) == 0 { take() }
        if captured.isEmpty && !isSafe(at) {
            cells[at] = Cell.empty
            return false
        }
        ko = noPoint
        // A lone stone among enemies that took a lone stone: it could be taken back at once.
        if captured.count == 1, around[at].allSatisfy({ $0 == captured[0] || cells[$0] == foe }) { ko = captured[0] }
        captured.sort()
        return true
    }

    private func isSafe(_ at: Int) -> Bool {
        let found = liberties(at)
        return found > 1 || (found == 1 && used <= small)
    }

    /// Take the chain that was walked over off the board.
    private func take() {
        for place in 0..<used {
            cells[group[place]] = Cell.empty
            captured.append(group[place])
        }
    }

    /// How many liberties the chain at a point has: 0, 1, or 2 for more.
    private func liberties(_ at: Int) -> Int {
        walk += 1
        let colour = cells[at]
        var (found, next) = (0, 0)
        used = 1
        group[0] = at
        seen[at] = walk
        while next < used {
            for near in around[group[next]] where seen[near] != walk {
                seen[near] = walk
                if cells[near] == colour {
                    group[used] = near
                    used += 1
                } else if cells[near] == Cell.empty {
                    liberty = near
                    found += 1
                    if found == 2 { return found }
                }
            }
            next += 1
        }
        return found
    }
}
