/// Hex on 3 by 3 to 13 by 13 cells: a player wins by joining their two sides of the rhombus with a chain of stones.
///
/// Cells are numbered row by row, row 0 on top, each row half a cell further to the right than the one above it. Player 0
/// joins the top and bottom rows, player 1 the left and right columns. `cells` has 0 for an empty cell, 1 for a stone of
/// player 0, 2 for one of player 1. With the rule "swap" the second player may take the first stone over. The action is that
/// stone's cell; the stone changes its owner and moves to the cell mirrored in the diagonal from a1.
public struct Hex: State {
    public static let name = "hex"
    private static let shapes = Shapes.of(name)
    public static let sizes = shapes.sizes
    public static let referenceSize = shapes.referenceSize
    private static let rules = shapes.setting("rule").choices.map(\.description)
    private static let letters = Array("abcdefghijklm")
    private static let drawn = piecePlanes + ["last", "mover_joined", "opponent_joined"]
    /// Row and column steps to the six cells that touch one.
    private static let neighbours = [
        (down: -1, right: 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0),
    ]

    /// What all positions of one game share; a class, so that a state has one reference to it all.
    final class Kind: Sendable {
        let size: Int
        let rule: String
        let encoding: Encoding
        /// By cell, the cells that touch it, ascending.
        let touching: [[Int]]
        /// By player, the cells of the first side, which is the top or the left one, and of the second.
        let sides: [[[Int]]]

        init(size: Int, rule: String) {
            self.size = size
            self.rule = rule
            encoding = Hex.shapes.encoding(rows: size, columns: size)
            touching = (0..<size * size).map { AzxEngine.cells(beside: $0, size, Hex.neighbours) }
            let steps = Array(0..<size)
            let rows = [steps, steps.map { (size - 1) * size + $0 }]
            sides = [rows, [steps.map { $0 * size }, steps.map { $0 * size + size - 1 }]]
        }
    }

    /// A position; a class, so that a state is one reference: a search copies states often.
    private final class Position: Sendable {
        let kind: Kind
        let cells: [UInt8]
        let toMove: Player
        let winner: Player?
        let lastAction: Int?

        init(_ kind: Kind, _ cells: [UInt8], _ toMove: Player, _ winner: Player?, _ lastAction: Int?) {
            self.kind = kind
            self.cells = cells
            self.toMove = toMove
            self.winner = winner
            self.lastAction = lastAction
        }
    }

    private let position: Position

    /// The empty board. `size` 3 to 13, `rule` plain or swap; GameError otherwise.
    public init(size: Int = referenceSize, rule: String = "plain") throws {
        guard Self.sizes.contains(size) else {
            throw GameError("hex: size \(size) is not possible, choose a number from 3 to 13.")
        }
        guard Self.rules.contains(rule) else {
            throw GameError("hex: rule '\(rule)' is unknown, use \(Self.rules.joined(separator: " or ")).")
        }
        let cells = [UInt8](repeating: Cell.empty, count: size * size)
        position = Position(Kind(size: size, rule: rule), cells, 0, nil, nil)
    }

    private init(_ position: Position) { self.position = position }

    func arranged(_ cells: [UInt8]) -> Hex { Hex(Position(kind, cells, toMove, nil, nil)) }

    private var kind: Kind { position.kind }
    public var cells: [UInt8] { position.cells }
    public var toMove: Player { position.toMove }
    public var winner: Player? { position.winner }
    public var lastAction: Int? { position.lastAction }
    /// Cells a side.
    public var size: Int { kind.size }
    public var rule: String { kind.rule }
    public var board: [Int] { [kind.size, kind.size] }
    public var actions: Int { cells.count }
    public var encoding: Encoding { kind.encoding }
    public var isTerminal: Bool { winner != nil }

    /// Whether the player to move may take the first stone over.
    public var isSwapOpen: Bool {
        kind.rule == "swap" && toMove == 1 && cells.reduce(0) { $0 + Int($1) } == Int(mark(0))
    }

    /// The cell of the last stone, which a swap has moved; nil before the first.
    public var lastStone: Int? { lastAction.map { cells[$0] == Cell.empty ? mirrored($0) : $0 } }

    /// The cell on the other side of the diagonal from a1.
    private func mirrored(_ at: Int) -> Int { at % size * size + at / size }

    /// The empty cells, ascending, and the first stone's if it may be taken over; none once the game is over.
    public func legalActions() -> [Int] {
        if isTerminal { return [] }
        let takesOver = isSwapOpen
        return numbers(below: cells.count) { takesOver || cells[$0] == Cell.empty }
    }

    public func whyIllegal(_ action: Int) -> Refusal? {
        if let outside = refuseOutside(action) { return outside }
        return cells[action] == Cell.empty || isSwapOpen ? nil : Refusal(.occupied)
    }

    public func apply(_ action: Int) throws -> Hex {
        guard whyIllegal(action) == nil else { throw illegal(Self.name, action, legalActions()) }
        if cells[action] != Cell.empty {
            let none = [UInt8](repeating: Cell.empty, count: cells.count)
            return Hex(Position(kind, with(none, piece: 1, at: mirrored(action)), 0, nil, action))
        }
        let next = with(cells, piece: toMove, at: action)
        let group = joined(next, of: toMove, from: [action])
        let isWon = kind.sides[toMove].allSatisfy { side in side.contains { group[$0] } }
        return Hex(Position(kind, next, other(toMove), isWon ? toMove : nil, action))
    }

    public func returns() -> Int { result(of: winner) }

    /// The cells that win for the mover, and the number of the opponent's winning cells after each legal action.
    public func sudden() -> Sudden? {
        if isTerminal { return Sudden(wins: [], answers: []) }
        let theirs = winningCells(other(toMove))
        // A stone takes at most its own cell from the opponent's.
        let answers = legalActions().map { theirs.count - (theirs.contains($0) ? 1 : 0) }
        return Sudden(wins: winningCells(toMove), answers: answers)
    }

    private func winningCells(_ player: Player) -> [Int] {
        let near = kind.sides[player].map { side in
            var found = [Bool](repeating: false, count: cells.count)
            for at in side { found[at] = true }
            for (at, isIn) in joined(cells, of: player, from: side).enumerated() where isIn {
                for one in kind.touching[at] { found[one] = true }
            }
            return found
        }
        return numbers(below: cells.count) { at in cells[at] == Cell.empty && near[0][at] && near[1][at] }
    }

    /// The stones of a player that are connected with one of the `seeds`.
    private func joined(_ cells: [UInt8], of player: Player, from seeds: [Int]) -> [Bool] {
        let own = mark(player)
        var found = [Bool](repeating: false, count: cells.count)
        var waiting: [Int] = []
        for at in seeds where cells[at] == own && !found[at] {
            found[at] = true
            waiting.append(at)
        }
        while let at = waiting.popLast() {
            for near in kind.touching[at] where cells[near] == own && !found[near] {
                found[near] = true
                waiting.append(near)
            }
        }
        return found
    }

    /// The cells of `longestLine`, ascending.
    public func winningLine() -> [Int] { longestLine().sorted() }

    /// A shortest chain of the winner's stones from the first side to the second; none if nobody has won.
    public func longestLine() -> [Int] {
        guard let winner else { return [] }
        let (first, second) = (kind.sides[winner][0], Set(kind.sides[winner][1]))
        let own = mark(winner)
        var waiting = first.filter { cells[$0] == own }
        var came = Dictionary(uniqueKeysWithValues: waiting.map { ($0, -1) })
        var next = 0
        while next < waiting.count {
            let at = waiting[next]
            next += 1
            if second.contains(at) { return back(from: at, came) }
            for near in kind.touching[at] where cells[near] == own && came[near] == nil {
                came[near] = at
                waiting.append(near)
            }
        }
        return []
    }

    private func back(from last: Int, _ came: [Int: Int]) -> [Int] {
        var found: [Int] = []
        var at = last
        while at >= 0 {
            found.append(at)
            at = came[at] ?? -1
        }
        return found.reversed()
    }

    /// "mover_joined" has the mover's stones that are connected with one of the mover's two sides.
    public func plane(_ name: String) throws -> [Float] {
        guard Self.drawn.contains(name) else { throw unknownPlane(Self.name, name, known: Self.drawn + ["signed"]) }
        if name == "last" { return lastPlane(cells: cells.count, at: lastAction) }
        let parts = name.split(separator: "_")
        let player = owner(of: parts[0], toMove: toMove)
        if parts.count == 1 { return pieces(cells, of: player) }
        return joined(cells, of: player, from: kind.sides[player].flatMap { $0 }).map { $0 ? 1 : 0 }
    }

    /// (size, size, 6), as `encoding` says; written directly, without planes.
    public func encode() -> [Float] {
        let joined = [toMove, other(toMove)].map { player in
            self.joined(cells, of: player, from: kind.sides[player].flatMap { $0 })
        }
        var tensor: [Float] = []
        tensor.reserveCapacity(cells.count * 6)
        for at in cells.indices {
            let isOwn = cells[at] == mark(toMove)
            let isOther = cells[at] == mark(other(toMove))
            for plane in [isOwn, isOther, joined[0][at], joined[1][at], toMove == 0, true] { tensor.append(plane ? 1 : 0) }
        }
        return tensor
    }

    /// The cell's column as a letter and its row counted from the top: a1 is the first.
    public func label(_ action: Int) throws -> String {
        guard cells.indices.contains(action) else {
            throw GameError("hex: action \(action) is no cell of this board, choose 0 to \(actions - 1).")
        }
        return "\(Self.letters[action % size])\(action / size + 1)"
    }
}
