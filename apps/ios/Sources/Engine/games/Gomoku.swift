/// Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.
///
/// Points are numbered row by row, row 0 on top. Black is player 0. `cells` has 0 for an empty point, 1 for black, 2
/// for white; `winner` is the player who has won. Five or more in a row win; a full board is a draw. With the rule "renju"
/// black's forbidden points are illegal, and black loses if every empty point is forbidden.
public struct Gomoku: RowState {
    public static let name = "gomoku"
    private static let shapes = Shapes.of(name)
    public static let sizes = shapes.sizes
    public static let referenceSize = shapes.referenceSize
    private static let rules = shapes.setting("rule").choices.map(\.description)
    // A network reads the board now and 1, 2 and 3 plies ago.
    private static let history = 3
    private static let depth = 2 * (history + 1) + 1
    public static let drawn = rowPlanes(plies: history)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRS")

    /// What all positions of one game share; a class, so that a state has one reference to it all.
    final class Kind: Sendable {
        let grid: Grid
        let rule: String
        /// (size, size, 9), channels last. "mover@2" are the stones that today's mover had two plies ago; before the
        /// first move there were none.
        let encoding: Encoding
        let renju: Renju?

        init(size: Int, rule: String) {
            grid = Grid(rows: size, columns: size, wins: 5)
            self.rule = rule
            encoding = Gomoku.shapes.encoding(rows: size, columns: size)
            renju = rule == "renju" ? Renju(size: size) : nil
        }
    }

    /// A position; a class, so that a state is one reference: a search copies states often.
    private final class Position: Sendable {
        let kind: Kind
        let cells: [UInt8]
        let played: Int
        /// The last three moves, newest first; -1 if there was none.
        let recent: (Int, Int, Int)
        let winner: Player?

        init(_ kind: Kind, _ cells: [UInt8], _ played: Int, _ recent: (Int, Int, Int), _ winner: Player?) {
            self.kind = kind
            self.cells = cells
            self.played = played
            self.recent = recent
            self.winner = winner
        }
    }

    private let position: Position

    /// The empty board, black to move. `size` 5 to 19, `rule` freestyle or renju; GameError otherwise.
    public init(size: Int = referenceSize, rule: String = "freestyle") throws {
        guard Self.sizes.contains(size) else {
            throw GameError("gomoku: size \(size) is not possible, choose a number from 5 to 19.")
        }
        guard Self.rules.contains(rule) else {
            throw GameError("gomoku: rule '\(rule)' is unknown, use \(Self.rules.joined(separator: " or ")).")
        }
        let cells = [UInt8](repeating: Cell.empty, count: size * size)
        self.init(Kind(size: size, rule: rule), cells, 0, [], nil)
    }

    init(_ kind: Kind, _ cells: [UInt8], _ played: Int, _ recent: [Int], _ winner: Player?) {
        let moves = recent + [-1, -1, -1]
        position = Position(kind, cells, played, (moves[0], moves[1], moves[2]), winner)
    }

    private init(_ position: Position) { self.position = position }

    func arranged(_ cells: [UInt8]) -> Gomoku {
        let recent = cells.contains { $0 != Cell.empty } ? [cells.firstIndex { $0 != Cell.empty } ?? 0] : []
        return Gomoku(kind, cells, cells.count { $0 != Cell.empty }, recent, nil)
    }

    private var kind: Kind { position.kind }
    public var cells: [UInt8] { position.cells }
    public var played: Int { position.played }
    public var winner: Player? { position.winner }
    /// The last three moves, newest first.
    public var recent: [Int] {
        let (last, second, third) = position.recent
        return [last, second, third].filter { $0 >= 0 }
    }
    public var grid: Grid { kind.grid }
    /// Points a side.
    public var size: Int { kind.grid.rows }
    public var rule: String { kind.rule }
    public var encoding: Encoding { kind.encoding }
    public var lastAction: Int? { played == 0 ? nil : position.recent.0 }

    /// The empty points, ascending, without black's forbidden ones; none once the game is over.
    public func legalActions() -> [Int] {
        if isTerminal { return [] }
        let empty = numbers(below: cells.count) { cells[$0] == Cell.empty }
        guard var judge = judge() else { return empty }
        return empty.filter { judge.reason($0) == nil }
    }

    /// Black's forbidden points and the reasons; none unless black is to move under "renju".
    public func forbiddenPoints() -> [Int: Refusal] {
        guard var judge = judge() else { return [:] }
        return judge.forbiddenPoints()
    }

    /// The judge of what is forbidden here; nil if nothing is.
    private func judge() -> Renju.Judge? {
        toMove == 0 && !isTerminal ? kind.renju?.judge(cells) : nil
    }

    /// The points that make five for the mover, and the number of the opponent's after each legal action. It is nil if black might be
    /// left without a move under "renju", which wins for white too.
    public func sudden() -> Sudden? {
        if isTerminal { return Sudden(wins: [], answers: []) }
        var judge = kind.renju?.judge(cells)
        if judge?.mayBeStuck() == true { return nil }
        let theirs = fives(other(toMove), &judge)
        // A stone takes at most its own point from the opponent's.
        let answers = legalActions().map { theirs.count - (theirs.contains($0) ? 1 : 0) }
        return Sudden(wins: fives(toMove, &judge), answers: answers)
    }

    /// The points where one more stone of `player` makes a row that wins; of black's rows only one of exactly five.
    private func fives(_ player: Player, _ judge: inout Renju.Judge?) -> [Int] {
        var with = cells
        var found: [Int] = []
        for at in cells.indices where cells[at] == Cell.empty {
            with[at] = mark(player)
            let isRow = grid.hasRow(with, at: at)
            with[at] = Cell.empty
            if isRow, player == 1 || judge?.reason(at) == nil { found.append(at) }
        }
        return found
    }

    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        if cells[action] != Cell.empty { return Refusal(.occupied) }
        guard var judge = judge() else { return nil }
        return judge.reason(action)
    }

    public func apply(_ action: Int) throws -> Gomoku {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        let next = with(cells, piece: toMove, at: action)
        let recent = (action, position.recent.0, position.recent.1)
        return Gomoku(Position(kind, next, played + 1, recent, winner(next, by: action)))
    }

    private func winner(_ cells: [UInt8], by action: Int) -> Player? {
        if grid.hasRow(cells, at: action) { return toMove }
        let blackIsNext = toMove == 1 && played + 1 < cells.count
        guard blackIsNext, var judge = kind.renju?.judge(cells) else { return nil }
        return judge.isStuck() ? 1 : nil
    }

    /// (size, size, 9), as `encoding` says; written directly, without planes.
    public func encode() -> [Float] {
        let depth = Self.depth
        let ofMover = Float(1 - toMove)
        var tensor = [Float](repeating: 0, count: cells.count * depth)
        for at in cells.indices {
            tensor[at * depth + depth - 1] = ofMover
            if cells[at] == Cell.empty { continue }
            for ago in 0...Self.history { tensor[first(at) + ago] = 1 }
        }
        // The stone of an earlier move was not there before that move.
        for (move, at) in recent.enumerated() {
            for ago in move + 1..<Self.history + 1 { tensor[first(at) + ago] = 0 }
        }
        return tensor
    }

    /// The place of the stone on `at` in the tensor; its planes of earlier plies follow.
    private func first(_ at: Int) -> Int {
        at * Self.depth + (cells[at] == mark(toMove) ? 0 : Self.history + 1)
    }

    /// The point's column as a letter, none left out, and its row counted from the bottom: H8.
    public func label(_ action: Int) throws -> String {
        try pointName(action, of: self, Self.name, Self.letters)
    }
}
