/// The one vocabulary of every game: an immutable state that two players change in turns.

/// 0 or 1; player 0 begins.
public typealias Player = Int

/// What a cell of a board holds.
public enum Cell {
    /// Nothing. A piece of player 0 is 1, one of player 1 is 2.
    public static let empty: UInt8 = 0
}

/// The mark of a player's pieces in `cells`: 1 for player 0, 2 for player 1.
@inlinable
public func mark(_ player: Player) -> UInt8 { UInt8(player + 1) }

@inlinable
public func other(_ player: Player) -> Player { 1 - player }

/// An immutable position of a two-player zero-sum game; `apply` returns the next one.
///
/// An action is a number from 0 to `actions` - 1, the index of the reference policy's output.
public protocol State: Sendable {
    /// The player to move, 0 or 1.
    var toMove: Player { get }
    /// Rows and columns of the planes.
    var board: [Int] { get }
    /// One plane, row by row; GameError if the game has no plane `name`.
    func plane(_ name: String) throws -> [Float]
    /// How many actions the game has, legal here or not.
    var actions: Int { get }
    /// What the game's reference network reads.
    var encoding: Encoding { get }
    var isTerminal: Bool { get }
    /// The last action; nil before the first move.
    var lastAction: Int? { get }
    /// The legal actions in ascending order; none once the game is over.
    func legalActions() -> [Int]
    /// Why `action` cannot be played; nil if it can be.
    func whyIllegal(_ action: Int) -> Refusal?
    /// The position after `action`; GameError, with the legal actions, if it is illegal.
    func apply(_ action: Int) throws -> Self
    /// The actions that end the game at once, if the game knows them without trying each action and each answer to it; nil
    /// otherwise.
    func sudden() -> Sudden?
    /// The result for player 0: +1 won, 0 drawn or not over, -1 lost.
    func returns() -> Int
    /// The tensor that the game's reference network reads, without a batch axis.
    func encode() -> [Float]
    /// What a person calls `action`: a column, a cell, a point such as D4, `pass`. GameError for a number that is no action.
    func label(_ action: Int) throws -> String
}

/// Why an action is illegal.
public struct Refusal: Equatable, Sendable {
    /// The text of a code is `reason_<code>` of apps/texts.
    public enum Code: String, CaseIterable, Sendable {
        case over, occupied, full, drawn, suicide, superko, overline
        case noSuchAction = "no_such_action"
        case notLowest = "not_lowest"
        case mustPass = "must_pass"
        case noPass = "no_pass"
        case turnsNothing = "turns_nothing"
        case doubleFour = "double_four"
        case doubleThree = "double_three"
    }

    public let code: Code
    /// Given with `superko` alone: the number of moves after which the board was the same.
    public let move: Int?

    public init(_ code: Code, move: Int? = nil) {
        self.code = code
        self.move = move
    }

    /// The same refusal with moves counted after the first `setUp`, which have placed stones.
    public func count(after setUp: Int) -> Refusal { Refusal(code, move: move.map { max(0, $0 - setUp) }) }
}

extension State {
    /// Each action and each answer to it is to be tried.
    public func sudden() -> Sudden? { nil }

    /// Why `action` cannot be played in any position of this board, or nothing can in this one; nil if the rules decide.
    func refuseOutside(_ action: Int) -> Refusal? {
        if isTerminal { return Refusal(.over) }
        return 0..<actions ~= action ? nil : Refusal(.noSuchAction)
    }
}

/// The error for an action that cannot be played: the action, and the legal ones.
func illegal(_ game: String, _ action: Int, _ legal: [Int]) -> GameError {
    let instead = legal.isEmpty ? "the game is over" : "choose action \(join(legal))"
    return GameError("\(game): action \(action) is illegal here, \(instead).")
}

/// The planes of pieces: the mover's and the opponent's, or one player's whoever is to move.
let piecePlanes = ["mover", "opponent", "player0", "player1"]

/// Whose pieces a plane called `who` shows.
func owner(of who: some StringProtocol, toMove: Player) -> Player {
    switch who {
    case "mover": toMove
    case "player0": 0
    case "player1": 1
    default: other(toMove)
    }
}

/// The plane "last": 1 at the cell played last; all 0 before a move and after a pass.
func lastPlane(cells: Int, at: Int?) -> [Float] {
    var plane = [Float](repeating: 0, count: cells)
    if let at, at < cells { plane[at] = 1 }
    return plane
}

/// The error for a plane that the game does not draw.
func unknownPlane(_ game: String, _ name: String, known: [String]) -> GameError {
    GameError("\(game): there is no plane '\(name)', use \(known.joined(separator: ", ")).")
}

/// +1 if player 0 has won, -1 if player 1 has, 0 otherwise.
func result(of winner: Player?) -> Int {
    winner.map { 1 - 2 * $0 } ?? 0
}

/// Numbers as a sentence lists them, or joined by another separator.
func join(_ numbers: some Sequence<Int>, by separator: String = ", ") -> String {
    numbers.map(String.init).joined(separator: separator)
}

/// The numbers from 0 to `count` - 1 that `isSuch` accepts, ascending, then `more`.
///
/// In one allocation, unlike `filter`: a search asks for the legal actions of every node that it expands.
@inline(__always)
func numbers(below count: Int, and more: Int? = nil, where isSuch: (Int) -> Bool) -> [Int] {
    [Int](unsafeUninitializedCapacity: count + 1) { buffer, found in
        for number in 0..<count where isSuch(number) {
            buffer[found] = number
            found += 1
        }
        guard let more else { return }
        buffer[found] = more
        found += 1
    }
}
