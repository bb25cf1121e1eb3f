/// Go on 5 x 5 to 19 x 19 points: an action is a point or, the last of them, the pass.
///
/// Points are numbered row by row, row 0 on top. Suicide is illegal. A stone may not recreate an earlier board (positional
/// superko). Two passes end the game; it is scored by area (Tromp-Taylor), with all stones alive.
/// Player 0 is black. `cells` has 0 for an empty point, 1 for black, 2 for white.
public struct Go: State {
    private static let name = "go"
    private static let shapes = Shapes.of(name)
    public static let sizes = shapes.sizes
    public static let referenceSize = shapes.referenceSize
    public static let usualKomi = shapes.setting("komi").usual.number ?? .nan
    private static let history = 8
    private static let drawn = rowPlanes(plies: history - 1)
    // Columns have no I, which looks like a 1.
    private static let columns = Array("ABCDEFGHJKLMNOPQRSTUVWXYZ")

    /// What all positions of one game share.
    private final class Rules: Sendable {
        let board: GoBoard
        let komi: Double
        /// (size, size, 17): 8 boards of each player, and who is to move.
        let encoding: Encoding

        init(_ board: GoBoard, _ komi: Double) {
            self.board = board
            self.komi = komi
            encoding = Go.shapes.encoding(rows: board.size, columns: board.size)
        }
    }

    /// A position with the position before, so that a game's positions share their history. A class, so that a state is one
    /// reference: a search copies states often.
    private final class Position: Sendable {
        // References that are not counted, as positions are made and dropped often. The first position keeps the rules, and
        // boards are never released. Code that uses the board often reads it once, which counts it.
        unowned(unsafe) let rules: Rules
        unowned(unsafe) let board: GoBoard
        private let owned: Rules?
        let cells: [UInt8]
        let toMove: Player
        let isTerminal: Bool
        let before: Position?
        let action: Int?
        let captured: [Int]
        let played: Int
        /// For superko: the board's hash, and what was captured on each point (1 black, 2 white, 3 both).
        let hash: UInt64
        let taken: [UInt8]
        let prisoners: (black: Int, white: Int)

        /// The empty board, or what `before` becomes by `action`.
        init(
            _ rules: Rules, after before: Position? = nil, by action: Int? = nil, _ cells: [UInt8], captured: [Int] = [],
            hash: UInt64 = 0, taken: [UInt8], isOver: Bool = false
        ) {
            self.rules = rules
            board = rules.board
            owned = before == nil ? rules : nil
            self.cells = cells
            toMove = before.map { other($0.toMove) } ?? 0
            played = before.map { $0.played + 1 } ?? 0
            isTerminal = isOver || played >= rules.board.limit
            self.before = before
            self.action = action
            self.captured = captured
            self.hash = hash
            self.taken = taken
            let (black, white) = before?.prisoners ?? (0, 0)
            prisoners = toMove == 1 ? (black + captured.count, white) : (black, white + captured.count)
        }
    }

    private let position: Position
    private let hasPass: Bool
    var stones: GoBoard { position.board }

    /// The empty board; GameError if the size is not 5 to 19 or the komi is not finite.
    public init(size: Int = referenceSize, komi: Double = usualKomi) throws {
        guard let board = GoBoard.all[size] else {
            throw GameError("go: size \(size) is not played, choose one from 5 to 19.")
        }
        guard komi.isFinite else {
            throw GameError("go: komi \(komi) is no number of points, choose one such as 7.5.")
        }
        let nothing = [UInt8](repeating: Cell.empty, count: board.points)
        self.init(Position(Rules(board, komi), nothing, taken: nothing))
    }

    private init(_ position: Position, hasPass: Bool = true) { (self.position, self.hasPass) = (position, hasPass) }

    /// The same position for a player who may not pass while a point can be played.
    public func withoutPass() -> Go { Go(position, hasPass: false) }

    func arranged(_ cells: [UInt8]) -> Go { Go(Position(position.rules, cells, taken: position.taken)) }

    public var cells: [UInt8] { position.cells }
    public var toMove: Player { position.toMove }
    public var isTerminal: Bool { position.isTerminal }
    /// Points a side.
    public var size: Int { position.board.size }
    /// The points that white gets for moving second.
    public var komi: Double { position.rules.komi }
    public var actions: Int { cells.count + 1 }
    public var board: [Int] { [size, size] }
    public var encoding: Encoding { position.rules.encoding }
    /// The action that passes.
    public var pass: Int { cells.count }
    public var lastAction: Int? { position.action }
    /// The points that the last move took stones from, ascending.
    public var lastCaptured: [Int] { position.captured }
    /// How many stones black has captured, and white, in the whole game.
    public var prisoners: [Int] { [position.prisoners.black, position.prisoners.white] }
    /// How many moves were made, passes counted.
    public var played: Int { position.played }

    /// The points where a stone may be set, ascending, and the pass; none once the game is over.
    public func legalActions() -> [Int] {
        if isTerminal { return [] }
        let board = position.board
        let legal = numbers(below: cells.count, and: pass) { isPlayable($0, board) }
        return hasPass || legal.count == 1 ? legal : Array(legal.dropLast())
    }

    private func isPlayable(_ at: Int, _ board: GoBoard) -> Bool {
        guard cells[at] == Cell.empty, board.hasRoom(cells, at, mark(toMove)) else { return false }
        // Only a stone that was captured before can bring an earlier board back.
        return position.taken[at] & mark(toMove) == 0 || moveRepeated(place(at, board)) == nil
    }

    /// After the opponent's pass a pass ends the game: the player who is ahead wins by it. A player who is behind loses by any
    /// pass, as the opponent passes too. (That the game ends after 3 N^2 plies is left out.)
    public func sudden() -> Sudden? {
        var answers = legalActions().map { _ in 0 }
        // Stones never end the game.
        if isTerminal || (!hasPass && answers.count > 1) { return Sudden(wins: [], answers: answers) }
        let ahead = toMove == 0 ? score() : -score()
        let isSecond = lastAction == pass
        if ahead < 0 { answers[answers.count - 1] = isSecond ? actions + 1 : 1 }
        return Sudden(wins: isSecond && ahead > 0 ? [pass] : [], answers: answers)
    }

    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        if action == pass { return nil }
        if cells[action] != Cell.empty { return Refusal(.occupied) }
        let board = position.board
        guard board.hasRoom(cells, action, mark(toMove)) else { return Refusal(.suicide) }
        return moveRepeated(place(action, board)).map { Refusal(.superko, move: $0) }
    }

    public func apply(_ action: Int) throws -> Go {
        if !isTerminal, action == pass {
            return Go(
                Position(
                    position.rules, after: position, by: pass, cells, hash: position.hash, taken: position.taken,
                    isOver: position.action == pass))
        }
        let board = position.board
        guard !isTerminal, cells.indices.contains(action), isPlayable(action, board) else {
            throw illegal(Self.name, action, legalActions())
        }
        let (next, captured, hash) = place(action, board)
        var taken = position.taken
        for point in captured { taken[point] |= mark(other(toMove)) }
        return Go(
            Position(position.rules, after: position, by: action, next, captured: captured, hash: hash, taken: taken))
    }

    /// The board after a stone on the empty point `at`, which is no suicide, with the captured points and its hash.
    private func place(_ at: Int, _ board: GoBoard) -> (cells: [UInt8], captured: [Int], hash: UInt64) {
        let own = mark(toMove)
        var next = with(cells, piece: toMove, at: at)
        let captured = board.capture(&next, at: at)
        var hash = position.hash ^ board.key(at, own)
        for point in captured { hash ^= board.key(point, 3 - own) }
        return (next, captured, hash)
    }

    /// The number of the first move after which the board was the same as `next`; nil if there was none.
    private func moveRepeated(_ next: (cells: [UInt8], captured: [Int], hash: UInt64)) -> Int? {
        var found: Int?
        var position: Position? = position
        while let each = position {
            // Boards are compared too: different boards can share a hash.
            if each.hash == next.hash, each.cells == next.cells { found = each.played }
            position = each.before
        }
        return found
    }

    /// Black's area minus white's, minus the komi, when the stones on `dead` are taken off; positive if black is ahead.
    public func score(without dead: [Int] = []) -> Double {
        let areas = areas(without: dead)
        return Double(areas[0].count - areas[1].count) - komi
    }

    /// The points that count for black and for white, ascending, when the stones on `dead` are taken off; neutral points are in
    /// neither list.
    public func areas(without dead: [Int] = []) -> [[Int]] {
        var cells = cells
        for at in dead { cells[at] = Cell.empty }
        let owners = stones.area(cells)
        return [0, 1].map { player in owners.indices.filter { owners[$0] == mark(player) } }
    }

    /// With a whole komi a game can be drawn.
    public func returns() -> Int {
        guard isTerminal else { return 0 }
        let score = score()
        return score > 0 ? 1 : score < 0 ? -1 : 0
    }

    /// Planes go back up to 7 plies, counting passes. "mover" is the player to move now.
    public func plane(_ name: String) throws -> [Float] {
        guard Self.drawn.contains(name) else { throw unknownPlane(Self.name, name, known: Self.drawn + ["signed"]) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        let (who, ago) = split(plane: name)
        guard let earlier = before(ago) else { return [Float](repeating: 0, count: cells.count) }
        return pieces(earlier.cells, of: owner(of: who, toMove: toMove))
    }

    /// The position `plies` ago; nil before the first.
    private func before(_ plies: Int) -> Position? {
        var position: Position? = position
        for _ in 0..<plies { position = position?.before }
        return position
    }

    /// (size, size, 17), as `encoding` says; written directly, without planes.
    public func encode() -> [Float] {
        let depth = encoding.planes.count
        let own = mark(toMove)
        var tensor = [Float](repeating: 0, count: cells.count * depth)
        var position: Position? = position
        for ago in 0..<Self.history {
            guard let board = position?.cells else { break }
            for at in board.indices where board[at] != Cell.empty {
                tensor[at * depth + (board[at] == own ? ago : Self.history + ago)] = 1
            }
            position = position?.before
        }
        if toMove == 0 { for at in cells.indices { tensor[at * depth + depth - 1] = 1 } }
        return tensor
    }

    /// The point as people write it, such as D4: columns without I, rows from the bottom; or "pass".
    public func label(_ action: Int) throws -> String {
        action == pass ? "pass" : try pointName(action, of: self, Self.name, Self.columns)
    }
}
