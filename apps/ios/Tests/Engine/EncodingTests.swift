import Support
import Testing

@testable import AzxEngine

@Suite struct EncodingTests {
    private let state: Connect4

    init() throws {
        state = try Connect4().after(38, 31)
    }

    private func tensor(_ layout: Encoding.Layout, _ planes: String...) throws -> [Float] {
        try encode(state, Encoding(layout: layout, board: [6, 7], planes: planes))
    }

    @Test func putsChannelsLastInAVectorOrAddsThemUp() throws {
        let first = try tensor(.channelsFirst, "mover", "opponent")
        #expect(try tensor(.flat, "mover", "opponent") == first)
        #expect(try tensor(.channelsLast, "mover", "opponent") == (0..<42).flatMap { [first[$0], first[42 + $0]] })
        #expect(try tensor(.sum, "mover", "opponent") == (0..<42).map { first[$0] + first[42 + $0] })
        #expect(first[38] == 1)
    }

    @Test func hasPlanesThatEveryGameKnows() throws {
        let signed = try tensor(.sum, "signed")
        #expect([signed[38], signed[31], signed[0]] == [1, -1, 0])
        let all = try tensor(.sum, "ones", "zeros", "player0_to_move", "player1_to_move")
        #expect(all == [Float](repeating: 2, count: 42))
    }

    @Test func flipsRowsThenExchangesRowsAndColumns() throws {
        // Cell 31 is row 4, column 3.
        func place(flip: Bool, transpose: Bool, _ layout: Encoding.Layout = .channelsFirst) throws -> Int? {
            let encoding = Encoding(layout: layout, board: [6, 7], planes: ["last", "ones"], flip: flip, transpose: transpose)
            return try encode(state, encoding).firstIndex(of: 1)
        }
        #expect(try place(flip: false, transpose: false) == 31)
        #expect(try place(flip: true, transpose: false) == 1 * 7 + 3)
        #expect(try place(flip: false, transpose: true) == 3 * 6 + 4)
        #expect(try place(flip: true, transpose: true) == 3 * 6 + 1)
        #expect(Encoding(layout: .channelsFirst, board: [6, 7], planes: ["last"], transpose: true).shape == [1, 7, 6])
    }

    @Test func isReadWithItsOptions() throws {
        let given = Json.object([
            "layout": .text("sum"), "board": .list([.number(6), .number(7.0)]), "planes": .list([.text("mover")]),
            "flip": .bool(true), "transpose": .null, "history": .text("repeated"), "value": .text("player0"),
        ])
        let expected = Encoding(layout: .sum, board: [6, 7], planes: ["mover"], flip: true, history: .repeated, value: .player0)
        #expect(try Encoding(given) == expected)
    }

    @Test func isRefusedWithAReasonWhereItIsNone() async {
        let sound: [String: Json] = [
            "layout": .text("flat"), "board": .list([.number(6), .number(7)]), "planes": .list([.text("mover")]),
        ]
        let faults: [(String, Json?, String)] = [
            ("planes", nil, "'planes' is missing, give layout, board and planes."),
            ("layout", nil, "'layout' is missing"),
            ("layout", .text("spiral"), "layout 'spiral' is unknown, use one of channels_first, channels_last, "),
            ("planes", .list([]), "'planes' names no plane"),
            ("board", .text("6x7"), "board '6x7' is no list of sizes"),
            ("board", .list([.number(6.5), .number(7)]), "board '[6.5, 7]' is no list of sizes"),
            ("board", .list([.number(0), .number(7)]), "is no list of sizes"),
            ("board", .list([]), "is no list of sizes"),
            ("board", .list([.text("6"), .null]), "board '[\"6\", null]' is no list of sizes"),
            ("flip", .text("y"), "flip 'y' is unknown, use one of false, true."),
            ("history", .text("y"), "history 'y' is unknown, use one of empty, repeated."),
            ("value", .text("black"), "value 'black' is unknown, use one of mover, opponent, player0, player1, unknown."),
        ]
        for (member, data, words) in faults {
            var given = sound
            given[member] = data
            await expectRefused(words) { try Encoding(.object(given)) }
        }
    }

    @Test func isRefusedWhereItIsNoneOfThisGame() async {
        await expectRefused("connect4: there is no plane 'edges', use mover, opponent, ") {
            try tensor(.sum, "edges")
        }
        await expectRefused("plane 'mover' is 6 by 7, the encoding's board is 7 by 6.") {
            try encode(state, Encoding(layout: .sum, board: [7, 6], planes: ["mover"]))
        }
    }
}

@Suite struct SymmetryTests {
    /// A symmetry says the same of cells and of actions: the tensor of the turned game is the turned tensor.
    @Test(arguments: ["connect4", "tictactoe", "gomoku", "go", "reversi"])
    func turnsATensorAsItTurnsTheGame(game: String) throws {
        let first = try Game.find(game).begin()
        var plain = first
        var actions: [Int] = []
        for ply in 0..<5 {
            let legal = plain.legalActions()
            actions.append(legal[(ply * 5 + 3) % legal.count])
            plain = try plain.apply(actions[ply])
        }
        let all = Symmetry.all(game, first.encoding, actions: first.actions)
        #expect(all.count == (["connect4": 2, "reversi": 4][game] ?? 8))
        #expect(all[0].actions == Array(0..<first.actions))
        for symmetry in all {
            let turned = try actions.reduce(first) { try $0.apply(symmetry.actions[$1]) }
            #expect(permute(plain.encode(), symmetry.cells) == turned.encode())
        }
        #expect(Set(all.map(\.cells)).count == all.count)
    }

    @Test func followsAnEncodingThatIsFlippedOrTransposed() throws {
        let state = try Connect4().after(38, 31, 40)
        let mirrored = try Connect4().after(38, 31, 36)
        for (flip, transpose) in [(true, false), (false, true), (true, true)] {
            let planes = ["mover", "opponent"]
            let encoding = Encoding(layout: .channelsLast, board: [6, 7], planes: planes, flip: flip, transpose: transpose)
            let symmetry = Symmetry.all("connect4", encoding, actions: 42)[1]
            #expect(try permute(encode(state, encoding), symmetry.cells) == encode(mirrored, encoding))
        }
    }

    @Test func knowsOneOfAGameWhoseBoardIsNotTurned() throws {
        let state = try DotsAndBoxes()
        let all = Symmetry.all("dots_and_boxes", state.encoding, actions: state.actions)
        #expect(all == [Symmetry.all("dots_and_boxes", state.encoding, actions: state.actions)[0]])
        #expect(all[0].actions == Array(0..<25))
        #expect(all[0].cells == Array(0..<28))
    }
}
