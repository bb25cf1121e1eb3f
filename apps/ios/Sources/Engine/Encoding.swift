/// Encodings as data: which planes make the tensor that a network reads, and in which layout.
///
///     {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
///
/// A plane is a name. The game draws planes that depend on its rules: "mover", "opponent", "mover@2" (two plies ago),
/// "player0", "last", counts of boxes and others. Planes of every game are drawn here. So are planes that show both
/// players: "signed" has +1 for the mover's pieces and -1 for the opponent's, "codes_mover" has 1 and 2.
///
/// A network may have a second input that says who is to move: `beside`. A position is then one vector, of which each
/// input reads its part.

/// `planes` over a `board`, stacked as `layout` says.
///
/// channelsFirst gives (planes, ...board), channelsLast (...board, planes), sum (...board) with the planes added up.
/// flat and cells give one vector: plane by plane, or cell by cell with a number of every plane. `board` is the game's
/// own, transposed or not.
///
/// `flip` writes the rows of every plane bottom first, `transpose` then exchanges rows and columns. `turned` exchanges
/// them before that while the second player is to move, on a square board, and in the moves too. The games begin
/// with an empty board, so that both kinds of `history` are the same here. `beside` is what a second input reads.
public struct Encoding: Equatable, Sendable {
    /// How planes are stacked; the texts are a manifest's.
    public enum Layout: String, CaseIterable, Decodable, Sendable {
        case channelsFirst = "channels_first"
        case channelsLast = "channels_last"
        case flat, cells, sum
    }

    /// What a plane of a ply before the first shows.
    public enum History: String, CaseIterable, Sendable { case empty, repeated }

    /// Whose value a network gives.
    public enum Whose: String, CaseIterable, Sendable { case mover, opponent, player0, player1, unknown }

    public var layout: Layout
    public var board: [Int]
    public var planes: [String]
    public var flip = false
    public var transpose = false
    public var history = History.empty
    public var value = Whose.mover
    public var turned = false
    public var beside: Beside?

    /// What a second input reads: planes that are the same everywhere, each as `cells` numbers; before the board's if
    /// `first`.
    public struct Beside: Equatable, Sendable {
        public var planes: [String]
        public var cells = 1
        public var first = false

        var size: Int { planes.count * cells }
    }

    /// How many cells a plane has.
    var cells: Int { board.reduce(1, *) }

    /// The tensor's shape without the batch: of two inputs one vector of all their numbers.
    public var shape: [Int] {
        if beside != nil { return [size] }
        let sizes = transpose ? board.reversed() : board
        return switch layout {
        case .flat, .cells: [planes.count * cells]
        case .channelsFirst: [planes.count] + sizes
        case .channelsLast: sizes + [planes.count]
        case .sum: sizes
        }
    }

    /// How many numbers the tensor has.
    public var size: Int { inputSizes.reduce(0, +) }

    /// How many of them are the board's.
    var boardSize: Int { layout == .sum ? cells : cells * planes.count }

    /// How many numbers each input reads, in their order.
    public var inputSizes: [Int] {
        guard let beside else { return [boardSize] }
        return beside.first ? [beside.size, boardSize] : [boardSize, beside.size]
    }

    /// What each input reads of the tensor.
    public func split(_ tensor: [Float]) -> [[Float]] {
        var end = 0
        return inputSizes.map { size in
            end += size
            return Array(tensor[(end - size)..<end])
        }
    }

    /// Whether a position has rows and columns exchanged because of who is to move.
    func isTurned(_ toMove: Player) -> Bool { turned && toMove == 1 }

    /// The number of an action on the turned board; a pass keeps its number.
    func turned(action: Int) -> Int {
        let columns = board.last ?? 1
        return action < cells ? action % columns * columns + action / columns : action
    }

    /// The place of the board's first cell in a plane, and the distances to the next row and the next column.
    var steps: (first: Int, row: Int, column: Int) {
        let columns = board.last ?? 1
        let rows = cells / columns
        let row = transpose ? 1 : columns
        let column = transpose ? rows : 1
        return flip ? (first: (rows - 1) * row, row: -row, column: column) : (first: 0, row: row, column: column)
    }
}

extension Encoding {
    /// The encoding that a manifest's `encoding` describes; GameError if it describes none.
    public init(_ data: Json) throws {
        let given = data.members ?? [:]
        if let missing = ["layout", "board", "planes"].first(where: { given[$0] == nil }) {
            throw GameError("encoding: '\(missing)' is missing, give layout, board and planes.")
        }
        let (board, turned) = (try boardFrom(data["board"]), try flag(data, "turned"))
        if turned, Set(board).count != 1 {
            let said = join(board, by: " by ")
            throw GameError("encoding: a board of \(said) cannot be turned, give as many rows as columns.")
        }
        self.init(
            layout: try choice(data, "layout"), board: board,
            planes: try planesFrom(data["planes"]), flip: try flag(data, "flip"), transpose: try flag(data, "transpose"),
            history: try choice(data, "history", usual: .empty), value: try choice(data, "value", usual: .mover),
            turned: turned, beside: try besideFrom(data["beside"], board.reduce(1, *)))
    }
}

private func besideFrom(_ data: Json, _ ofBoard: Int) throws -> Encoding.Beside? {
    if data.isNull { return nil }
    guard let planes = data["planes"].list?.map(\.description),
        let cells = data["cells"].isNull ? 1 : data["cells"].whole
    else {
        throw GameError("encoding: 'beside' is \(data), give its planes as a list, and 'cells' as a whole number.")
    }
    let unknown = planes.first { constant($0, 0) == nil }
    if unknown != nil || planes.isEmpty {
        let named = unknown.map { "'\($0)' is unknown" } ?? "'planes' is empty"
        throw GameError("encoding: beside: \(named), use one of \(constants.joined(separator: ", ")).")
    }
    guard cells == 1 || cells == ofBoard else {
        throw GameError("encoding: beside: 'cells' is \(cells), give 1 or the board's \(ofBoard).")
    }
    return Encoding.Beside(planes: planes, cells: cells, first: try flag(data, "first"))
}

/// The `Choice` with the text of a member, or the usual one if the member is missing; GameError, with all texts, otherwise.
private func choice<Choice>(_ data: Json, _ member: String, usual: Choice? = nil) throws -> Choice
where Choice: RawRepresentable<String> & CaseIterable {
    let said = data[member]
    if said.isNull, let usual { return usual }
    if let found = said.text.flatMap(Choice.init(rawValue:)) { return found }
    throw unknown(member, said, Choice.allCases.map(\.rawValue))
}

private func flag(_ data: Json, _ member: String) throws -> Bool {
    let said = data[member]
    if said.isNull { return false }
    if let bool = said.bool { return bool }
    throw unknown(member, said, ["false", "true"])
}

private func unknown(_ member: String, _ said: Json, _ known: [String]) -> GameError {
    GameError("encoding: \(member) '\(said)' is unknown, use one of \(known.joined(separator: ", ")).")
}

private func boardFrom(_ data: Json) throws -> [Int] {
    guard let board = data.wholes, !board.isEmpty, board.allSatisfy({ $0 > 0 }) else {
        throw GameError("encoding: board '\(data)' is no list of sizes such as [6, 7].")
    }
    return board
}

private func planesFrom(_ data: Json) throws -> [String] {
    let planes = (data.list ?? []).map(\.description)
    guard !planes.isEmpty else {
        throw GameError("encoding: 'planes' names no plane, give a list of at least one plane's name.")
    }
    return planes
}

/// The tensor of `state`, of `encoding.shape`, row-major; GameError for a plane that it cannot draw.
public func encode(_ state: some State, _ encoding: Encoding) throws -> [Float] {
    let board = try encodeBoard(state, encoding)
    guard let beside = encoding.beside else { return board }
    let turn = beside.planes.flatMap { plane in
        [Float](repeating: Float(constant(plane, state.toMove) ?? 0), count: beside.cells)
    }
    return beside.first ? turn + board : board + turn
}

private func encodeBoard(_ state: some State, _ encoding: Encoding) throws -> [Float] {
    let (cells, columns) = (encoding.cells, encoding.board.last ?? 1)
    let isTurned = encoding.isTurned(state.toMove)
    let (first, down, right) = encoding.steps
    let (row, column) = isTurned ? (right, down) : (down, right)
    let isLast = encoding.layout == .channelsLast || encoding.layout == .cells
    // How far the next plane and the next cell of a plane are.
    let apart = isLast ? 1 : encoding.layout == .sum ? 0 : cells
    let step = isLast ? encoding.planes.count : 1
    var tensor = [Float](repeating: 0, count: encoding.boardSize)
    for (index, name) in encoding.planes.enumerated() {
        let plane = try drawPlane(state, name, encoding)
        for at in 0..<cells {
            tensor[index * apart + (first + at / columns * row + at % columns * column) * step] += plane[at]
        }
    }
    return tensor
}

/// Planes that are sums of others, each times its number: the two players' pieces, and the empty cells.
private let mixed: [String: [(plane: String, number: Float)]] = {
    var table = ["empty": [(plane: "ones", number: Float(1)), ("mover", -1), ("opponent", -1)]]
    for first in piecePlanes {
        let second = ["mover": "opponent", "opponent": "mover", "player0": "player1"][first] ?? "player0"
        table[first == "mover" ? "signed" : "signed_\(first)"] = [(plane: first, number: 1), (plane: second, number: -1)]
        table["codes_\(first)"] = [(plane: first, number: 1), (plane: second, number: 2)]
        table["marks_\(first)"] = [(plane: "ones", number: -1), (plane: first, number: 1), (plane: second, number: 2)]
    }
    return table
}()

/// Planes that are the same everywhere.
private let constants = ["ones", "zeros", "player0_to_move", "player1_to_move", "turn_player0", "turn_player1"]

/// The number of such a plane, by the player to move; nil for another plane.
private func constant(_ plane: String, _ toMove: Player) -> Int? {
    switch plane {
    case "ones": 1
    case "zeros": 0
    case "player0_to_move": 1 - toMove
    case "player1_to_move": toMove
    case "turn_player0": 1 - 2 * toMove
    case "turn_player1": 2 * toMove - 1
    default: nil
    }
}

/// A plane of every game or of this one; GameError if `name` is unknown, or the board is another one.
private func drawPlane(_ state: some State, _ name: String, _ encoding: Encoding) throws -> [Float] {
    if let number = constant(name, state.toMove) { return [Float](repeating: Float(number), count: encoding.cells) }
    if let parts = mixed[name] {
        return try parts.reduce(into: [Float](repeating: 0, count: encoding.cells)) { sum, part in
            for (at, cell) in try drawPlane(state, part.plane, encoding).enumerated() { sum[at] += part.number * cell }
        }
    }
    let plane = try state.plane(name)
    if state.board == encoding.board { return plane }
    let (has, asked) = (join(state.board, by: " by "), join(encoding.board, by: " by "))
    throw GameError("encoding: plane '\(name)' is \(has), the encoding's board is \(asked).")
}
