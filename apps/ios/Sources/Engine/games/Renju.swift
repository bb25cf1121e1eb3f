/// Where black may not play under the Renju rule: overlines, double fours and double threes.
///
/// The definitions are the Renju International Federation's ("The international rules of Renju", sections 3 and 9),
/// for a black stone that is added to the board:
///
///     five           an unbroken row of exactly five: wins, whatever else the move makes
///     overline       an unbroken row of six or more
///     four           four stones that one more stone makes a five; .XXXX. is one four, X.XXX.X are two
///     straight four  .XXXX. of which either end makes a five
///     three          three stones that one more stone makes a straight four, where that stone is allowed:
///                    it makes no five elsewhere, no overline, no double four and no double three
///
/// A move that makes two fours or two threes is forbidden. Whether a three counts depends on a later move being
/// allowed, so the definition is recursive; each step adds a stone, so it ends.

private let black: UInt8 = 1
// Beyond the edge: neither black nor empty.
private let wall: UInt8 = 3

/// What a black stone makes.
private enum Made: Equatable {
    case free, five
    case forbidden(Refusal.Code)

    /// Why it is forbidden; nil if it is not.
    var reason: Refusal? { if case .forbidden(let code) = self { Refusal(code) } else { nil } }
}

/// The rule on boards of one size, for all games; a `Judge` is for one board.
struct Renju: Sendable {
    /// The points of every ray to the edge, nearest first, one ray after the other. Each ray ends with the wall's number twice,
    /// as the rule looks one point beyond the first that is not black. So no walk has to ask for the board's edge.
    fileprivate let points: [Int]
    /// The start of each ray: eight for each point, the two of a line next to each other.
    fileprivate let rays: [Int]

    init(size: Int) {
        var points: [Int] = []
        var rays: [Int] = []
        for point in 0..<size * size {
            for (down, right) in directions {
                for sign in [-1, 1] {
                    rays.append(points.count)
                    points += ray(from: point, size, down: sign * down, right: sign * right) + [size * size, size * size]
                }
            }
        }
        self.points = points
        self.rays = rays
    }

    /// A judge of the moves on `board`, which it copies.
    func judge(_ board: [UInt8]) -> Judge {
        Judge(self, board)
    }

    /// The rule on one board; black is to move.
    struct Judge {
        private let rule: Renju
        private let count: Int
        /// The board, at times with later stones; the point after the last is the wall.
        private var cells: [UInt8]

        fileprivate init(_ rule: Renju, _ board: [UInt8]) {
            self.rule = rule
            count = board.count
            cells = board + [wall]
        }
    }
}

/// One line through a point: the start of both rays, and the number of black stones that adjoin the point along each.
private struct Line {
    let left: Int
    let right: Int
    let before: Int
    let after: Int

    var length: Int { before + 1 + after }
}

extension Renju.Judge {
    /// Black's forbidden points, each with the first reason that holds.
    mutating func forbiddenPoints() -> [Int: Refusal] {
        var found: [Int: Refusal] = [:]
        for point in 0..<count { found[point] = reason(point) }
        return found
    }

    /// Why black may not play the `point`; nil if it may, or if a stone stands there.
    mutating func reason(_ point: Int) -> Refusal? {
        cells[point] == Cell.empty ? verdict(point).reason : nil
    }

    /// Whether every empty point is forbidden to black.
    mutating func isStuck() -> Bool {
        for point in 0..<count where cells[point] == Cell.empty {
            if verdict(point).reason == nil { return false }
        }
        return true
    }

    /// Whether two more stones, one of each player, could leave black without a move. They cannot while three empty points have
    /// fewer than 3 black stones near: with one more stone these points are still allowed.
    func mayBeStuck() -> Bool {
        var loose = 0
        for point in 0..<count where cells[point] == Cell.empty {
            let around = 2 * point * directions.count..<2 * (point + 1) * directions.count
            if around.reduce(0, { $0 + near(rule.rays[$1]) }) < 3 { loose += 1 }
            if loose == 3 { return false }
        }
        return true
    }

    /// What a black stone on the empty `point` makes.
    private mutating func verdict(_ point: Int) -> Made {
        let lines = linesThrough(point)
        // In this order: a five wins whatever else the move makes, and the first fault that is found is the reason.
        if lines.contains(where: { $0.length == 5 }) { return .five }
        if lines.contains(where: { $0.length > 5 }) { return .forbidden(.overline) }
        if lines.reduce(0, { $0 + fours($1) }) >= 2 { return .forbidden(.doubleFour) }
        // Whether a three is real is the expensive question, so it is asked only if there may be two.
        let threes = lines.map(straightFours).filter { !$0.isEmpty }
        if threes.count < 2 { return .free }
        cells[point] = black
        // A three that two stones would make a straight four counts once, if either is allowed.
        var real = 0
        for ends in threes {
            for end in ends where verdict(end) == .free {
                real += 1
                break
            }
        }
        cells[point] = Cell.empty
        return real >= 2 ? .forbidden(.doubleThree) : .free
    }

    /// The lines through a point that have what a three, a four or a longer row needs: two black stones nearby.
    private func linesThrough(_ point: Int) -> [Line] {
        var lines: [Line] = []
        for line in 0..<directions.count {
            let left = rule.rays[2 * (point * directions.count + line)]
            let right = rule.rays[2 * (point * directions.count + line) + 1]
            if near(left) + near(right) < 2 { continue }
            lines.append(Line(left: left, right: right, before: run(left, 0), after: run(right, 0)))
        }
        return lines
    }

    /// The piece at a place of a ray.
    private func piece(_ ray: Int, _ at: Int) -> UInt8 { cells[rule.points[ray + at]] }

    /// How many of the four nearest points of a ray are black.
    private func near(_ ray: Int) -> Int {
        var found = 0
        for at in 0..<4 {
            let piece = piece(ray, at)
            if piece == wall { break }
            if piece == black { found += 1 }
        }
        return found
    }

    /// The index of the first point of a ray, from `start` on, without a black stone.
    private func run(_ ray: Int, _ start: Int) -> Int {
        var at = start
        while piece(ray, at) == black { at += 1 }
        return at
    }

    /// How many fours (0, 1 or 2) the stone makes in one line in which it makes no five.
    private func fours(_ line: Line) -> Int {
        let first = isEmpty(line.left, line.before) && run(line.left, line.before + 1) + 1 + line.after == 5
        let second = isEmpty(line.right, line.after) && line.before + 1 + run(line.right, line.after + 1) == 5
        // Four adjoining stones are one four, whichever end makes the five.
        if first && second { return line.length == 4 ? 1 : 2 }
        return first || second ? 1 : 0
    }

    /// The points of one line that would make the stone part of a straight four, allowed or not.
    private func straightFours(_ line: Line) -> [Int] {
        [
            straightFour(line.left, line.right, line.before, line.after),
            straightFour(line.right, line.left, line.after, line.before),
        ].compactMap { $0 }
    }

    private func straightFour(_ near: Int, _ far: Int, _ reach: Int, _ rest: Int) -> Int? {
        guard isEmpty(near, reach) else { return nil }
        let end = run(near, reach + 1)
        guard end + 1 + rest == 4, isOpen(near, end), isOpen(far, rest) else { return nil }
        return rule.points[near + reach]
    }

    /// Whether the row that ends before index `end` of a ray becomes one longer, and no more, by a stone there.
    private func isOpen(_ ray: Int, _ end: Int) -> Bool {
        isEmpty(ray, end) && piece(ray, end + 1) != black
    }

    private func isEmpty(_ ray: Int, _ at: Int) -> Bool { piece(ray, at) == Cell.empty }
}
