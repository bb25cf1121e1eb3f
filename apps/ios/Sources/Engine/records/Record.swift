/// A record of a game, and its moves by the game's rules. docs/records.md is the definition.

/// The limits of a text, and of a link.
public enum RecordLimits {
    /// Bytes of UTF-8.
    public static let bytes = 1_000_000
    public static let moves = 2_000
    /// Characters of a link's end; some programs cut longer addresses.
    public static let link = 4_000
}

/// The person of a record of other people's game, which is read and not played.
public let reader: Player = -2

/// SGF's number of each game that it has.
let sgfGames = [
    "go": "1",
    "gomoku": "4",
    "reversi": "2",
    "hex": "11",
]

/// SGF's words if the second player of Hex takes the first stone over; the board's own name is the stone's.
let swaps = ["swap-pieces", "swap"]

/// Why a text is no record of a game. `move` is the number of the failing move, from 1 on, `what` the word at fault, `reason`
/// why the move is illegal.
public struct RecordError: Error {
    /// What is wrong, by the name of the sentence in every app.
    public enum Kind: String, Sendable, CaseIterable {
        case none = "record_none"
        case tooLarge = "record_too_large"
        case tooLong = "record_too_long"
        case noSgf = "record_no_sgf"
        case otherGame = "record_other_game"
        case setup = "record_setup"
        case settings = "record_settings"
        case unknownMove = "record_unknown_move"
        case turn = "record_turn"
        case illegal = "record_illegal"
        case afterEnd = "record_after_end"
        /// No bundle here plays the game or its board; an app says this, not a reader.
        case noNetwork = "record_no_network"
    }

    public let kind: Kind
    public let move: Int?
    public let what: String
    public let reason: Refusal?

    public init(_ kind: Kind, move: Int? = nil, what: String = "", reason: Refusal? = nil) {
        self.kind = kind
        self.move = move
        self.what = what
        self.reason = reason
    }
}

/// A game as a text tells it.
public struct Record: Sendable {
    /// A move by the name that its board gives it; `player` is the player whom the text names for it, nil if none.
    public struct Move: Equatable, Sendable {
        public let name: String
        public let player: Player?
    }

    /// nil if the text does not name it.
    public let game: String?
    /// Those that the text gives.
    public let settings: Settings
    public let moves: [Move]
    /// The names of players 0 and 1 in the text, which may be false.
    public internal(set) var names = ["", ""]
    /// SGF's RE, likewise.
    public internal(set) var result = ""
    /// How many variations were left out.
    public internal(set) var ignored = 0
    /// The number of first moves that were not played: they place the stones that stood before the first move.
    public internal(set) var setUp = 0

    /// Every position from `start` on; RecordError, with the move's number, if a move cannot be played. Passes that the record
    /// leaves out are made here.
    public func states(_ start: any State) throws -> [any State] {
        let byName = try Dictionary(grouping: 0..<start.actions) { try start.label($0).lowercased() }
        var states = [start]
        for (index, move) in moves.enumerated() {
            if let pass = passLeftOut(states[states.count - 1], move) {
                states.append(try states[states.count - 1].apply(pass))
            }
            let (state, number) = (states[states.count - 1], index + 1 - setUp)
            do {
                states.append(try state.apply(try action(state, number, move, byName[move.name.lowercased()] ?? [])))
            } catch where number < 1 {
                throw RecordError(.setup)
            }
        }
        return states
    }

    /// The legal one of the `actions` with a move's name: a column of Connect4 has six.
    private func action(_ state: any State, _ number: Int, _ move: Move, _ actions: [Int]) throws -> Int {
        if state.isTerminal { throw RecordError(.afterEnd, move: number) }
        guard let last = actions.last else { throw RecordError(.unknownMove, move: number, what: move.name) }
        if let player = move.player, player != state.toMove { throw RecordError(.turn, move: number) }
        if let found = actions.first(where: { state.whyIllegal($0) == nil }) { return found }
        throw RecordError(.illegal, move: number, reason: state.whyIllegal(last)?.count(after: setUp))
    }
}

/// The pass that a record leaves out before a move; nil if there is none. In Reversi the rules force it. In Go it is the other
/// side's, if one side moves twice and has not just passed.
func passLeftOut(_ state: any State, _ move: Record.Move) -> Int? {
    switch state {
    case let state as Reversi: state.mustPass && move.name.lowercased() != "pass" ? state.pass : nil
    case let state as Go: move.player == 1 - state.toMove && state.lastAction != state.pass ? state.pass : nil
    default: nil
    }
}
