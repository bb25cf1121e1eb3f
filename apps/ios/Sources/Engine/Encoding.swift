/// Encodings as data: which planes make the tensor that a network reads, and in which layout.
///
///     {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
///
/// A plane is a name. The game draws the ones that depend on its rules ("mover", "opponent", "mover@2" for two plies
/// ago, "player0", "last", counts of boxes, ...); those that every game has are drawn here, and "signed", +1 where the
/// mover has a piece and -1 where the opponent has one.

/// `planes` over a `board`, stacked as `layout` says: channelsFirst gives (planes, ...board), channelsLast
/// (...board, planes), flat one vector of the planes one after the other, sum (...board) with the planes added up.
/// `board` is the game's own, whether the planes are transposed or not.
///
/// `flip` writes the rows of every plane bottom first, `transpose` then exchanges rows and columns. The games begin
/// with nothing on the board, so that both kinds of `history` are the same here.
public struct Encoding: Equatable, Sendable {
    /// How planes are stacked; the texts are a manifest's.
    public enum Layout: String, CaseIterable, Decodable, Sendable {
        case channelsFirst = "channels_first"
        case channelsLast = "channels_last"
        case flat, sum
    }

    /// What a plane of a ply before the first shows.
    public enum History: String, CaseIterable, Sendable { case empty, repeated }

    /// Whose value a network gives.
    public enum Whose: String, CaseIterable, Sendable { case mover, player0 }

    public var layout: Layout
    public var board: [Int]
    public var planes: [String]
    public var flip: Bool
    public var transpose: Bool
    public var history: History
    public var value: Whose

    public init(
        _ layout: Layout, _ board: [Int], _ planes: [String], flip: Bool = false, transpose: Bool = false,
        history: History = .empty, value: Whose = .mover
    ) {
        self.layout = layout
        self.board = board
        self.planes = planes
        self.flip = flip
        self.transpose = transpose
        self.history = history
        self.value = value
    }

    /// How many cells a plane has.
    var cells: Int { board.reduce(1, *) }

    /// The tensor's shape without the batch.
    public var shape: [Int] {
        let sizes = transpose ? board.reversed() : board
        return switch layout {
        case .flat: [planes.count * cells]
        case .channelsFirst: [planes.count] + sizes
        case .channelsLast: sizes + [planes.count]
        case .sum: sizes
        }
    }

    /// How many numbers the tensor has.
    public var size: Int { layout == .sum ? cells : cells * planes.count }

    /// Where the tensor's planes have the board's first cell, and how far the next row and the next column are.
    var steps: (first: Int, row: Int, column: Int) {
        let columns = board.last ?? 1
        let rows = cells / columns
        let row = transpose ? 1 : columns
        let column = transpose ? rows : 1
        return flip ? (first: (rows - 1) * row, row: -row, column: column) : (first: 0, row: row, column: column)
    }
}

/// What an encoding asks of a position; every game's `State` is one.
public protocol Drawable {
    /// The player to move, 0 or 1.
    var toMove: Player { get }
    /// Rows and columns of the planes.
    var board: [Int] { get }
    /// One plane, row by row; GameError where there is none so called.
    func plane(_ name: String) throws -> [Float]
}

extension Encoding {
    /// The encoding that a manifest's `encoding` describes; GameError where it is none.
    public init(_ data: Json) throws {
        let given = data.members ?? [:]
        if let missing = ["layout", "board", "planes"].first(where: { given[$0] == nil }) {
            throw GameError("encoding: '\(missing)' is missing, give layout, board and planes.")
        }
        self.init(
            try choice(given, "layout", Layout.self), try boardFrom(data["board"]), try planesFrom(data["planes"]),
            flip: try switchFrom(given, "flip"), transpose: try switchFrom(given, "transpose"),
            history: try option(given, "history", usual: History.empty),
            value: try option(given, "value", usual: Whose.mover))
    }
}

/// One of the texts of `Choice`; GameError, with all of them, where it is none.
private func choice<Choice>(_ given: [String: Json], _ member: String, _: Choice.Type) throws -> Choice
where Choice: RawRepresentable<String> & CaseIterable {
    let said = given[member] ?? .null
    if let found = said.text.flatMap(Choice.init(rawValue:)) { return found }
    throw unknown(member, said, Choice.allCases.map(\.rawValue))
}

/// A member that may be missing; null is as good as missing.
private func option<Choice>(_ given: [String: Json], _ member: String, usual: Choice) throws -> Choice
where Choice: RawRepresentable<String> & CaseIterable {
    (given[member] ?? .null).isNull ? usual : try choice(given, member, Choice.self)
}

private func switchFrom(_ given: [String: Json], _ member: String) throws -> Bool {
    let said = given[member] ?? .null
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
public func encode(_ state: some Drawable, _ encoding: Encoding) throws -> [Float] {
    let cells = encoding.cells
    let isLast = encoding.layout == .channelsLast
    let apart = isLast ? 1 : encoding.layout == .sum ? 0 : cells
    var stack = Stack(encoding, step: isLast ? encoding.planes.count : 1)
    for (index, name) in encoding.planes.enumerated() {
        stack.from = index * apart
        switch name {
        case "zeros": break
        case "ones": stack.add(constant: 1)
        case "player0_to_move": stack.add(constant: Float(1 - state.toMove))
        case "player1_to_move": stack.add(constant: Float(state.toMove))
        case "signed":
            stack.add(try drawPlane(state, "mover", encoding.board), sign: 1)
            stack.add(try drawPlane(state, "opponent", encoding.board), sign: -1)
        default: stack.add(try drawPlane(state, name, encoding.board), sign: 1)
        }
    }
    return stack.tensor
}

/// A plane that the game draws; GameError where it has none so called or another board.
private func drawPlane(_ state: some Drawable, _ name: String, _ board: [Int]) throws -> [Float] {
    let plane = try state.plane(name)
    if state.board == board { return plane }
    let (has, asked) = (join(state.board, by: " by "), join(board, by: " by "))
    throw GameError("encoding: plane '\(name)' is \(has), the encoding's board is \(asked).")
}

/// The tensor while planes are added to it: the next one's cells are `step` apart from `from` on.
private struct Stack {
    var tensor: [Float]
    var from = 0
    private let step: Int
    private let cells: Int
    private let columns: Int
    private let steps: (first: Int, row: Int, column: Int)

    init(_ encoding: Encoding, step: Int) {
        tensor = [Float](repeating: 0, count: encoding.size)
        self.step = step
        cells = encoding.cells
        columns = encoding.board.last ?? 1
        steps = encoding.steps
    }

    mutating func add(constant: Float) {
        if constant == 0 { return }
        for at in 0..<cells { tensor[from + at * step] += constant }
    }

    mutating func add(_ plane: [Float], sign: Float) {
        var at = 0
        for row in 0..<cells / columns {
            var place = from + (steps.first + row * steps.row) * step
            for _ in 0..<columns {
                tensor[place] += sign * plane[at]
                place += steps.column * step
                at += 1
            }
        }
    }
}
