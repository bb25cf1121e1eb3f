/// The stones of a Go board: groups, liberties, captures, area. `cells` has 0 empty, 1 black, 2 white.

// Neutral empty points, or points whose owner is not known yet.
private let nobody: UInt8 = 3

/// What is the same in every position of one board size.
final class GoBoard: Sendable {
    static let all = Dictionary(uniqueKeysWithValues: Go.sizes.map { ($0, GoBoard(size: $0)) })

    let size: Int
    let points: Int
    /// The ply at which a game is stopped.
    let limit: Int
    /// Four places for each point: the two to four points next to it, then -1.
    private let around: [Int]
    /// A number for black and white on each point.
    private let keys: [UInt64]

    private init(size: Int) {
        self.size = size
        points = size * size
        limit = 3 * size * size
        around = (0..<size * size).flatMap { at in
            let beside = cells(beside: at, size, [(-1, 0), (1, 0), (0, -1), (0, 1)])
            return beside + [Int](repeating: -1, count: 4 - beside.count)
        }
        keys = (0..<2 * size * size).map { Levels.splitmix64(0, $0) }
    }

    /// The key of a stone (1 black, 2 white); a board's hash is the exclusive or of all its stones' keys.
    func key(_ at: Int, _ stone: UInt8) -> UInt64 { keys[Int(stone - 1) * points + at] }

    /// Call `visit` with the points next to `at` until it returns true; whether it did.
    @inline(__always)
    private func anyBeside(_ at: Int, _ visit: (Int) -> Bool) -> Bool {
        for place in 4 * at..<4 * at + 4 {
            let near = around[place]
            if near < 0 { return false }
            if visit(near) { return true }
        }
        return false
    }

    /// Whether the group at `at` has a liberty; `except` is not counted.
    func hasLiberty(_ cells: [UInt8], _ at: Int, except: Int = -1) -> Bool {
        // On the stack: this runs for every point that might be played. The first half lists the group's points, the second
        // marks them.
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * points) { room in
            room.initialize(repeating: 0)
            let colour = cells[at]
            var (used, next) = (1, 0)
            room[0] = Int16(at)
            room[points + at] = 1
            while next < used {
                let stone = Int(room[next])
                next += 1
                let isFree = anyBeside(stone) { near in
                    if cells[near] == Cell.empty { return near != except }
                    if cells[near] == colour && room[points + near] == 0 {
                        room[points + near] = 1
                        room[used] = Int16(near)
                        used += 1
                    }
                    return false
                }
                if isFree { return true }
            }
            return false
        }
    }

    /// Whether a stone of `colour` on the empty point `at` is no suicide.
    func hasRoom(_ cells: [UInt8], _ at: Int, _ colour: UInt8) -> Bool {
        if anyBeside(at, { cells[$0] == Cell.empty }) { return true }
        // Its own group keeps a liberty, or an opponent's group loses its last one: one comparison for both.
        return anyBeside(at) { hasLiberty(cells, $0, except: at) == (cells[$0] == colour) }
    }

    /// Take groups of the other colour next to `at` without a liberty off `cells`; returns their points, ascending.
    func capture(_ cells: inout [UInt8], at: Int) -> [Int] {
        let colour = cells[at]
        var captured: [Int] = []
        for place in 4 * at..<4 * at + 4 {
            let near = around[place]
            if near < 0 { break }
            if cells[near] == Cell.empty || cells[near] == colour || hasLiberty(cells, near) { continue }
            takeGroup(&cells, near, &captured)
        }
        return captured.count > 1 ? captured.sorted() : captured
    }

    /// Take the group at `at` off `cells` and add its points to `captured`.
    func takeGroup(_ cells: inout [UInt8], _ at: Int, _ captured: inout [Int]) {
        let colour = cells[at]
        var next = captured.count
        // A taken stone has no colour any more, so it is not met twice; the list is the queue.
        cells[at] = Cell.empty
        captured.append(at)
        while next < captured.count {
            let stone = captured[next]
            next += 1
            for place in 4 * stone..<4 * stone + 4 {
                let near = around[place]
                if near < 0 { break }
                if cells[near] != colour { continue }
                cells[near] = Cell.empty
                captured.append(near)
            }
        }
    }

    /// The owner of each point (Tromp-Taylor): 1 black, 2 white, 0 for an empty point that both or neither reach.
    func area(_ cells: [UInt8]) -> [UInt8] {
        var owners = cells
        for at in 0..<points where owners[at] == Cell.empty { fillRegion(cells, &owners, at) }
        return owners.map { $0 == nobody ? Cell.empty : $0 }
    }

    /// Give the empty points connected to `at` to the colour whose stones they touch, or mark them neutral.
    private func fillRegion(_ cells: [UInt8], _ owners: inout [UInt8], _ at: Int) {
        var region = [at]
        var next = 0
        // 1 or 2 if one colour was met, 3 if both were, and 0 on an empty board.
        var reached: UInt8 = 0
        owners[at] = nobody
        while next < region.count {
            for place in 4 * region[next]..<4 * region[next] + 4 {
                let near = around[place]
                if near < 0 { break }
                reached |= cells[near]
                if owners[near] != Cell.empty { continue }
                owners[near] = nobody
                region.append(near)
            }
            next += 1
        }
        if reached == 1 || reached == 2 { for point in region { owners[point] = reached } }
    }
}
