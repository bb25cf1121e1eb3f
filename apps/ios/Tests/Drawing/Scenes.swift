import AzxDrawing
import AzxEngine
import Support
import Testing

/// A position of a game with everything beside it that a board shows; the Android app's pictures show the same ones.
struct Scene: CustomTestStringConvertible, Sendable {
    let name: String
    let shown: Shown

    var testDescription: String { name }
    var board: any Board { get throws { try AzxDrawing.board(shown) } }

    static let all: [Scene] = try! [pieces(), edges(), gomoku(), go(), reversi(), hex()].flatMap { $0 }

    private static func pieces() throws -> [Scene] {
        let connect4 = try columns("444444313")
        let heat = [28: 0.03, 36: 0.45, 30: 0.03, 39: 0.41, 40: 0.07, 38: 0.004]
        let opposite = try after(TicTacToe(), 4, 0)
        return [
            Scene("connect4-heat", connect4, heat: heat),
            Scene("connect4-won", try columns("1122334"), human: 1),
            Scene("connect4-rates", connect4, heat: heat, rates: [36: 0.62, 39: 0.58, 40: 0.5, 28: 0.31, 30: 0.3], better: 39),
            Scene("connect4-equal", connect4, heat: heat, rates: [36: 0.6, 39: 0.6, 40: 0.5], equal: [36, 39]),
            Scene("connect4-pressed", try columns("44"), touched: 2),
            Scene("connect4-falling", try columns("44"), fall: Fall(to: 31, after: 0.5)),
            Scene("tictactoe-heat", opposite, heat: [1: 0.3, 2: 0.6, 6: 0.08], cursor: 8),
            Scene("tictactoe-growing", try after(TicTacToe(), 4), arrival: Arrival(of: 4, after: 0.25)),
            Scene("tictactoe-won", try after(TicTacToe(), 4, 0, 2, 6, 3, 1, 5)),
        ]
    }

    private static func edges() throws -> [Scene] {
        let dots = try after(DotsAndBoxes(size: 3), 0, 3, 12, 13, 24, 4, 14, 17, 1, 24, 9, 21)
        return [
            Scene("dots-heat", dots, heat: [2: 0.08, 16: 0.21, 20: 0.55, 8: 0.04]),
            Scene("dots-large", try after(DotsAndBoxes(size: 6), 0, 6, 42, 43), human: 1),
            Scene("dots-read", dots, human: reader),
            Scene("dots-growing", try after(DotsAndBoxes(size: 2), 0, 3), arrival: Arrival(of: 3, after: 0.5)),
            Scene("dots-pressed", try after(DotsAndBoxes(size: 2), 0, 3), touched: 8),
        ]
    }

    private static func gomoku() throws -> [Scene] {
        // Black has two threes in the making through one point.
        let renju = try after(Gomoku(rule: "renju"), 81, 0, 82, 2, 95, 4, 110, 6)
        let won = try after(Gomoku(), 112, 96, 113, 97, 114, 98, 115, 99, 116)
        return [
            Scene("gomoku-renju", renju, heat: [128: 0.41, 97: 0.35, 99: 0.06, 40: 0.01]),
            Scene("gomoku-won", won),
        ]
    }

    private static func go() throws -> [Scene] {
        let go = try after(Go(size: 9), 30, 39, 40, 31, 48, 32, 38, 20, 60, 24)
        let walls = (0..<9).flatMap { [$0 * 9 + 3, $0 * 9 + 5] }
        let over = try (walls + [81, 81]).reduce(Go(size: 9)) { try $0.apply($1) }
        let large = try after(Go(size: 19), 60, 72, 288, 300, 180)
        return [
            Scene("go-heat", go, heat: [50: 0.69, 51: 0.2, 52: 0.07, 2: 0.01, 81: 0.03]),
            Scene("go-over", over),
            Scene("go-rates", go, heat: [50: 0.69, 51: 0.2, 52: 0.07], rates: [50: 0.55, 51: 0.48, 52: 0.4], better: 51),
            Scene("go-captured", try after(Go(size: 9), 1, 0, 9)),
            Scene("go-growing", try after(Go(size: 9), 40), arrival: Arrival(of: 40, after: 0.25)),
            Scene("go19-pressed", large, touched: 230),
        ]
    }

    private static func reversi() throws -> [Scene] {
        let early = try after(Reversi(), 37, 29, 21, 45, 19, 13, 46, 18, 17, 9, 30, 22, 1, 11, 26, 34, 5, 14, 6, 38)
        // White has no disc to turn and must pass: nothing is offered.
        let stuck = try after(Reversi(), 19, 18, 44, 11, 3, 4, 9, 2)
        let heat = [3: 0.08, 20: 0.02, 42: 0.51, 43: 0.31, 53: 0.05]
        return [
            Scene("reversi-heat", early, heat: heat),
            Scene("reversi-points", early, heat: heat, points: [3: -8, 42: 0, 43: -2, 53: -14], better: 42),
            Scene("reversi-pressed", early, touched: 47),
            Scene("reversi-pass", stuck),
            Scene("reversi-small", try after(Reversi(size: 4), 1, 0), arrival: Arrival(of: 0, after: 0.25)),
            Scene("reversi10", try Reversi(size: 10), human: 1),
        ]
    }

    private static func hex() throws -> [Scene] {
        let early = try after(Hex(), 24, 31, 32, 18, 17, 11)
        let first = try after(Hex(rule: "swap"), 15)
        return [
            Scene("hex-heat", early, heat: [10: 0.42, 12: 0.22, 25: 0.06, 38: 0.01], cursor: 40),
            Scene("hex-won", try after(Hex(size: 5), 2, 6, 7, 12, 11, 13, 16, 18, 21)),
            Scene("hex-lost", try after(Hex(size: 4), 0, 4, 3, 5, 12, 6, 15, 7)),
            Scene("hex-swap", first, human: 1, heat: [15: 0.61, 24: 0.3]),
            Scene("hex-swap-pressed", first, human: 1, touched: 15),
            Scene("hex-swapped", try first.apply(15), human: 1),
            Scene("hex13-pressed", try after(Hex(size: 13), 84, 72, 71), human: 1, touched: 58),
        ]
    }

    /// Discs dropped into columns, numbered from 1.
    private static func columns(_ digits: String) throws -> Connect4 {
        try digits.reduce(Connect4()) { state, digit in
            let cell = state.legalActions().first { $0 % Connect4.columns + 1 == digit.wholeNumberValue }
            return try state.apply(cell ?? -1)
        }
    }

    private static func after<Position: State>(_ state: Position, _ actions: Int...) throws -> Position {
        try actions.reduce(state) { try $0.apply($1) }
    }

    init(
        _ name: String, _ state: any State, human: Player = 0, heat: [Int: Double]? = nil, rates: [Int: Double]? = nil,
        points: [Int: Int]? = nil, better: Int? = nil, equal: [Int] = [], touched: Int? = nil, cursor: Int? = nil,
        fall: Fall? = nil, arrival: Arrival? = nil
    ) {
        self.name = name
        shown = Shown(
            state, human: human, last: state.lastAction, heat: heat, rates: rates, points: points, better: better, equal: equal,
            touched: touched, cursor: cursor, falls: [fall].compactMap { $0 }, arrivals: [arrival].compactMap { $0 })
    }
}
