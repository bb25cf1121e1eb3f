import AzxEngine
import Foundation
import Testing

private let signed = Json.object([
    "layout": .text("sum"), "board": .list([.number(6), .number(7)]), "planes": .list([.text("signed")]),
])

/// A Connect4 network that reads one plane and numbers columns, with some members changed.
private func manifest(_ changes: [String: Json] = [:]) -> Json {
    let sound: [String: Json] = [
        "game": .text("connect4"), "settings": .object([:]), "encoding": signed, "actions": .text("column"),
    ]
    return .object(sound.merging(changes) { $1 })
}

private func numbers(_ numbers: some Sequence<Double>) -> Json { .list(numbers.map { .number($0) }) }

@Suite struct RecognitionTests {
    @Test func saysHowAnotherAuthorsNetworkIsAskedAndNumbersItsActions() throws {
        let reading = try Reading(manifest: manifest(), width: 7)
        let state = try reading.start().apply(38)
        #expect(try reading.tensor(state)[38] == -1)
        let policy = try #require(reading.policy((0..<7).map { Float(10 + $0) }, state))
        #expect([policy[31], policy[35], policy[41]] == [13, 10, 16])
    }

    @Test func saysWhoseValueTheNetworkGives() throws {
        let first = Json.object((signed.members ?? [:]).merging(["value": .text("player0")]) { $1 })
        let (own, other) = (
            try Reading(manifest: manifest(), width: 7),
            try Reading(manifest: manifest(["encoding": first]), width: 7)
        )
        let start = try own.start()
        #expect([own, other].map { $0.value(0.25, start) } == [0.25, 0.25])
        let next = try start.apply(38)
        #expect([own, other].map { $0.value(0.25, next) } == [0.25, -0.25])
    }

    @Test func takesAListWithThePolicysIndexOfEachAction() throws {
        let listed = manifest(["actions": numbers((0..<42).map { Double(41 - $0) })])
        let reading = try Reading(manifest: listed, width: 42)
        let policy = reading.policy((0..<42).map { Float($0) }, try reading.start())
        #expect([policy?[0], policy?[41]] == [41, 0])
    }

    @Test func isShownTheBoardTurnedForTheSecondPlayerWhoseMovesAreNumberedLikewise() throws {
        let ofBoard = { (rows: Double, columns: Double) throws -> Reading in
            let encoding = Json.object([
                "layout": .text("sum"), "board": numbers([rows, columns]), "planes": .list([.text("signed")]),
                "turned": .bool(true),
            ])
            return try Reading(manifest: manifest(["game": .text("hex"), "encoding": encoding, "actions": .null]), width: 25)
        }
        let reading = try ofBoard(5, 5)
        let (first, outputs) = (try reading.start(), (0..<25).map { Float($0) })
        let second = try first.apply(1)
        #expect([reading.policy(outputs, first)?[1], reading.policy(outputs, second)?[1]] == [1, 5])
        // The first player's stone on b1 lies in the second row then.
        #expect(try reading.tensor(second).firstIndex(of: -1) == 5)
        #expect(throws: GameError.self) { _ = try ofBoard(5, 6) }
    }

    @Test func thePassKeepsItsNumberOnTheTurnedBoard() throws {
        let encoding = Json.object([
            "layout": .text("sum"), "board": numbers([8, 8]), "planes": .list([.text("signed")]), "turned": .bool(true),
        ])
        let reading = try Reading(
            manifest: manifest(["game": .text("reversi"), "encoding": encoding, "actions": .null]), width: 65)
        let first = try reading.start()
        let (second, outputs) = (try first.apply(first.legalActions()[0]), (0..<65).map { Float($0) })
        let policy = reading.policy(outputs, second)
        #expect([policy?[64], policy?[63], policy?[1]] == [64, 63, 8])
    }

    @Test func hasNoPolicyWhereTheNetworkHasNone() throws {
        let reading = try Reading(manifest: manifest(["actions": .text("none")]), width: nil)
        #expect(reading.policy([], try reading.start()) == nil)
    }

    @Test func tellsTheSizeByItsBoardWhereItHasNoSettings() throws {
        let edges = Json.object([
            "layout": .text("sum"), "board": numbers([9, 5]), "planes": .list([.text("edges")]),
        ])
        let dots = Json.object(["game": .text("dots_and_boxes"), "encoding": edges])
        let reading = try Reading(manifest: dots, width: 41)
        #expect(reading.settings == ["size": .number(4)])
        #expect(try reading.start().actions == 41)
        #expect(reading.numbering?.name == "edge")
    }

    @Test func isRefusedWithAReasonWhereItIsNotSound() async {
        await expectRefused("game 'chess' is unknown: this app plays connect4, tictactoe") {
            try Reading(manifest: manifest(["game": .text("chess")]), width: 7)
        }
        await expectRefused("the policy's 42 outputs do not number Connect4's actions by 'column': use cell, column, ") {
            try Reading(manifest: manifest(), width: 42)
        }
        let lists = [numbers([0, 7]), numbers(Array(repeating: 7, count: 42)), numbers(Array(repeating: 0.5, count: 42))]
        for list in lists {
            await expectRefused("'actions' must list 42 indices from 0 to 6, one for each action.") {
                try Reading(manifest: manifest(["actions": list]), width: 7)
            }
        }
    }
}

@Suite struct SettingsTests {
    private func size(_ value: Json) throws -> Int {
        try Game.find("dots_and_boxes").begin(["size": value]).actions
    }

    @Test func mayBeGivenAsTextOrAsANumber() throws {
        #expect(try size(.number(4)) == 41)
        #expect(try size(.text("4")) == 41)
        #expect(try Game.find("dots_and_boxes").begin().actions == 25)
        #expect(try (Game.find("go").begin(["komi": .text("5.5")]) as? Go)?.komi == 5.5)
    }

    @Test func areRefusedWithAReasonWhereThereIsNoSuchOne() async {
        for value in [Json.number(7), .number(3.5), .text("many"), .text(""), .number(.nan)] {
            await expectRefused("setting size: '\(value)' is not possible, use 2, 3, 4, 5, 6.") { try size(value) }
        }
        await expectRefused("setting komi: 'inf' is not possible, use a number.") {
            try Game.find("go").begin(["komi": .number(.infinity)])
        }
        await expectRefused("setting rule: '5' is not possible, use freestyle, renju.") {
            try Game.find("gomoku").begin(["rule": .number(5)])
        }
        await expectRefused("Connect4 has no setting 'size': it has rows, columns.") {
            try Game.find("connect4").begin(["size": .number(8)])
        }
        await expectRefused("Dots and Boxes has no setting 'komi': it has size.") {
            try Game.find("dots_and_boxes").begin(["komi": .number(8)])
        }
    }
}

@Suite struct ValueHeadTests {
    @Test func takesThreeNumbersForChancesWhereTheirSumIsOne() throws {
        let unknown = try ValueHead(.object(["activation": .text("unknown")]), size: 3)
        #expect(abs(unknown.read([0.5, 0.3, 0.2005]) - 0.2995) < 1e-6)
        let softened = (exp(0.5) - exp(0.25)) / (exp(0.5) + exp(0.3) + exp(0.25))
        #expect(abs(unknown.read([0.5, 0.3, 0.25]) - softened) < 1e-6)
        #expect(unknown.read([5000, 0, -5000]) == 1)
    }

    @Test func isRefusedWhereItSaysWhatThereIsNot() async {
        let output = { (members: [String: Json]) in Json.object(members.merging(["activation": .text("softmax")]) { $1 }) }
        await expectRefused("value_range 'z' is unknown, use one of signed, unit, wdl.") {
            try ValueHead(output(["value_range": .text("z")]), size: 1)
        }
        await expectRefused("value_range 'wdl' takes three outputs, the value has 1.") {
            try ValueHead(output(["value_range": .text("wdl")]), size: 1)
        }
        for size in [0, 2, 3, 4] {
            await expectRefused("value_range 'signed' takes one output, the value has \(size).") {
                try ValueHead(output(["value_range": .text("signed")]), size: size)
            }
        }
        await expectRefused("value_range 'unit' takes one output, the value has 3.") {
            try ValueHead(output(["value_range": .text("unit")]), size: 3)
        }
        await expectRefused("value_range 'signed' takes one output, the value has 2.") {
            try ValueHead(.object(["activation": .text("tanh")]), size: 2)
        }
        await expectRefused("value_range 'unit' has no order, which is that of three outputs.") {
            try ValueHead(output(["value_range": .text("unit"), "order": .list([.text("win")])]), size: 1)
        }
        for order in [Json.text("win"), .list([.text("win"), .text("draw")]), .list(["win", "win", "loss"].map { .text($0) })] {
            await expectRefused("is not win, draw and loss, each once.") {
                try ValueHead(output(["order": order]), size: 3)
            }
        }
    }
}
