/// Go on 9 x 9, 13 x 13 or 19 x 19 points: an action is a point or, the last of them, the pass.
///
/// Points are numbered row by row, row 0 on top. Suicide is illegal. A stone may not recreate a board of before
/// (positional superko). Two passes end the game; it is scored by area (Tromp-Taylor), with all stones alive.
/// Player 0 is black. `cells` has 0 for an empty point, 1 for black, 2 for white.
public struct Go: State {
    public static let sizes = [9, 13, 19]
    public static let referenceSize = 9
    public static let usualKomi = 7.5
    private static let name = "go"
    private static let history = 8
    private static let planes = ["mover", "opponent"].flatMap(named)
    private static let drawn = piecePlanes.flatMap(named) + ["last"]
    // Columns have no I, which looks like a 1.
    private static let columns = Array("ABCDEFGHJKLMNOPQRSTUVWXYZ")

    private static func named(_ who: String) -> [String] {
        [who] + (1..<history).map { "\(who)@\($0)" }
    }

    /// What the reference network of a size reads, (size, size, 17): 8 boards of each player, and who is to move.
    public static func encoding(size: Int = referenceSize) -> Encoding {
        Encoding(.channelsLast, [size, size], planes + ["player0_to_move"])
    }

    /// What all positions of one game share.
    private final class Rules: Sendable {
        let board: GoBoard
        let komi: Double
        let encoding: Encoding

        init(_ board: GoBoard, _ komi: Double) {
            self.board = board
            self.komi = komi
            encoding = Go.encoding(size: board.size)
        }
    }

    /// How a position came about, the position before included, so that a game's positions share their history.
    private final class Past: Sendable {
        let before: Go?
        let action: Int?
        let captured: [Int]
        let played: Int
        /// For superko: the board's hash, and what was captured on each point (1 black, 2 white, 3 both).
        let hash: UInt64
        let taken: [UInt8]
        let prisoners: [Int]

        init(
            _ before: Go?, _ action: Int?, captured: [Int], played: Int, hash: UInt64, taken: [UInt8],
            prisoners: [Int]
        ) {
            self.before = before
            self.action = action
            self.captured = captured
            self.played = played
            self.hash = hash
            self.taken = taken
            self.prisoners = prisoners
        }
    }

    private let rules: Rules
    public let cells: [UInt8]
    public let toMove: Player
    public let isTerminal: Bool
    private let past: Past

    /// The empty board; GameError where the size is not 9, 13 or 19 or the komi is no finite number.
    public init(size: Int = referenceSize, komi: Double = usualKomi) throws {
        guard let board = GoBoard.all[size] else {
            throw GameError("go: size \(size) is not played, choose 9, 13 or 19.")
        }
        guard komi.isFinite else {
            throw GameError("go: komi \(komi) is no number of points, choose one such as 7.5.")
        }
        let nothing = [UInt8](repeating: Cell.empty, count: board.points)
        let past = Past(nil, nil, captured: [], played: 0, hash: 0, taken: nothing, prisoners: [0, 0])
        self.init(Rules(board, komi), nothing, 0, false, past)
    }

    private init(_ rules: Rules, _ cells: [UInt8], _ toMove: Player, _ isTerminal: Bool, _ past: Past) {
        self.rules = rules
        self.cells = cells
        self.toMove = toMove
        self.isTerminal = isTerminal
        self.past = past
    }

    /// Points a side.
    public var size: Int { rules.board.size }
    /// The points that white gets for moving second.
    public var komi: Double { rules.komi }
    public var actions: Int { cells.count + 1 }
    public var board: [Int] { [size, size] }
    public var encoding: Encoding { rules.encoding }
    /// The action that passes.
    public var pass: Int { cells.count }
    public var lastAction: Int? { past.action }
    /// The points that the last move took stones from, ascending.
    public var lastCaptured: [Int] { past.captured }
    /// How many stones black has captured, and white, in the whole game.
    public var prisoners: [Int] { past.prisoners }
    /// How many moves were made, passes counted.
    public var played: Int { past.played }

    /// The points where a stone may be set, ascending, and the pass; none once the game is over.
    public func legalActions() -> [Int] {
        isTerminal ? [] : numbers(below: cells.count, and: pass, where: isPlayable)
    }

    private func isPlayable(_ at: Int) -> Bool {
        guard cells[at] == Cell.empty, rules.board.hasRoom(cells, at, mark(toMove)) else { return false }
        // Only a stone that was captured before can bring an earlier board back.
        return past.taken[at] & mark(toMove) == 0 || moveRepeated(placed(at)) == nil
    }

    /// "occupied", "suicide", "superko: a stone there would repeat the board after move 12", ...
    public func whyIllegal(_ action: Int) -> Reason? {
        if isTerminal { return .over }
        guard 0 <= action, action <= pass else { return Reason(.noSuchAction, "no point of the board") }
        if action == pass { return nil }
        if cells[action] != Cell.empty { return .occupied }
        guard rules.board.hasRoom(cells, action, mark(toMove)) else { return Reason(.suicide, "suicide") }
        guard let move = moveRepeated(placed(action)) else { return nil }
        return Reason(.superko, "superko: a stone there would repeat the board after move \(move)", move: move)
    }

    public func apply(_ action: Int) throws -> Go {
        if !isTerminal, action == pass {
            let next = Past(
                self, pass, captured: [], played: played + 1, hash: past.hash, taken: past.taken, prisoners: prisoners)
            return after(cells, next, isOver: past.action == pass)
        }
        guard !isTerminal, cells.indices.contains(action), isPlayable(action) else {
            throw illegal(Self.name, action, legalActions())
        }
        let (next, captured, hash) = placed(action)
        var (taken, prisoners) = (past.taken, past.prisoners)
        if !captured.isEmpty {
            for point in captured { taken[point] |= mark(other(toMove)) }
            prisoners[toMove] += captured.count
        }
        return after(
            next,
            Past(
                self, action, captured: captured, played: played + 1, hash: hash, taken: taken, prisoners: prisoners),
            isOver: false)
    }

    private func after(_ next: [UInt8], _ past: Past, isOver: Bool) -> Go {
        Go(rules, next, other(toMove), isOver || past.played >= rules.board.limit, past)
    }

    /// The board after a stone on the empty point `at`, where it is no suicide, the points captured, and its hash.
    private func placed(_ at: Int) -> (cells: [UInt8], captured: [Int], hash: UInt64) {
        var next = with(cells, piece: toMove, at: at)
        let captured = rules.board.capture(&next, at: at)
        var hash = past.hash ^ rules.board.key(at, mark(toMove))
        for point in captured { hash ^= rules.board.key(point, mark(other(toMove))) }
        return (next, captured, hash)
    }

    /// The number of the first move after which the board was that of `next`; nil where it never was.
    private func moveRepeated(_ next: (cells: [UInt8], captured: [Int], hash: UInt64)) -> Int? {
        var found: Int?
        var state: Go? = self
        while let each = state {
            // Boards are compared too: different ones can share a hash.
            if each.past.hash == next.hash, each.cells == next.cells { found = each.played }
            state = each.past.before
        }
        return found
    }

    /// Black's area minus white's, minus the komi; positive where black is ahead. All stones count as alive.
    public func score() -> Double {
        let areas = areas()
        return Double(areas[0].count - areas[1].count) - komi
    }

    /// The points that count for black and for white, ascending; those that count for nobody are in neither.
    public func areas() -> [[Int]] {
        let owners = rules.board.area(cells)
        return [0, 1].map { player in owners.indices.filter { owners[$0] == mark(player) } }
    }

    /// With a whole komi a game can be drawn.
    public func returns() -> Int {
        guard isTerminal else { return 0 }
        let score = score()
        return score > 0 ? 1 : score < 0 ? -1 : 0
    }

    /// Up to 7 plies ago; a pass is a ply. Who is the mover is what it is now.
    public func plane(_ name: String) throws -> [Float] {
        guard Self.drawn.contains(name) else { throw unknownPlane(Self.name, name, known: Self.drawn + ["signed"]) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        let parts = name.split(separator: "@")
        guard let state = before(parts.count > 1 ? Int(parts[1]) ?? 0 : 0) else {
            return [Float](repeating: 0, count: cells.count)
        }
        return pieces(state.cells, of: owner(of: parts[0], toMove: toMove))
    }

    /// The position so many plies ago; nil before the first.
    private func before(_ plies: Int) -> Go? {
        var state: Go? = self
        for _ in 0..<plies { state = state?.past.before }
        return state
    }

    /// (size, size, 17), as `encoding(size:)` says; written in one go, without a plane for each name.
    public func encode() -> [Float] {
        let depth = Self.planes.count + 1
        let own = mark(toMove)
        var tensor = [Float](repeating: 0, count: cells.count * depth)
        var state: Go? = self
        for ago in 0..<Self.history {
            guard let board = state?.cells else { break }
            for at in board.indices where board[at] != Cell.empty {
                tensor[at * depth + (board[at] == own ? ago : Self.history + ago)] = 1
            }
            state = state?.past.before
        }
        if toMove == 0 { for at in cells.indices { tensor[at * depth + depth - 1] = 1 } }
        return tensor
    }

    /// The point as people write it, such as D4: columns without I, rows from the bottom; or "pass".
    public func label(_ action: Int) throws -> String {
        if action == pass { return "pass" }
        guard cells.indices.contains(action) else {
            throw GameError("go: action \(action) is no point of this board, choose 0 to \(pass).")
        }
        return "\(Self.columns[action % size])\(size - action / size)"
    }
}
