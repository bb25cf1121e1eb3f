/// The games that the engine plays: one entry each.

extension Game {
    /// The games, in the order in which a list shows them.
    public static let games = [connect4, ticTacToe, dotsAndBoxes, gomoku, go]

    private static let connect4 = Game(
        name: "connect4", title: "Connect4", settings: [], encoding: Connect4.encoding, settingsOf: { _ in [:] },
        numberings: { _ in
            [
                same("cell", Connect4.cells),
                Numbering(name: "column", width: Connect4.columns) { $0 % Connect4.columns },
            ]
        },
        start: { _ in Connect4() })

    private static let ticTacToe = Game(
        name: "tictactoe", title: "Tic-tac-toe", settings: [], encoding: TicTacToe.encoding, settingsOf: { _ in [:] },
        numberings: { cells($0.actions) }, start: { _ in TicTacToe() })

    private static let dotsAndBoxes = Game(
        name: "dots_and_boxes", title: "Dots and Boxes",
        settings: [size(DotsAndBoxes.referenceSize, DotsAndBoxes.sizes, "boxes a side")],
        encoding: DotsAndBoxes.encoding(), settingsOf: sized(DotsAndBoxes.sizes, DotsAndBoxes.encoding(size:)),
        numberings: { [same("edge", $0.actions)] },
        start: { try DotsAndBoxes(size: whole($0["size"])) })

    private static let gomoku = Game(
        name: "gomoku", title: "Gomoku",
        settings: [
            size(Gomoku.referenceSize, Gomoku.sizes, "points a side"),
            Setting(
                name: "rule", usual: .text("freestyle"), choices: Gomoku.rules.map { .text($0) },
                about: "what black may not play"),
        ],
        encoding: Gomoku.encoding(), settingsOf: sized(Gomoku.sizes, Gomoku.encoding(size:)),
        numberings: { cells($0.actions) },
        start: { try Gomoku(size: whole($0["size"]), rule: $0["rule"]?.description ?? "") })

    private static let go = Game(
        name: "go", title: "Go",
        settings: [
            size(Go.referenceSize, Go.sizes, "points a side"),
            Setting(
                name: "komi", usual: .number(Go.usualKomi), choices: [],
                about: "points that white gets for moving second"),
        ],
        encoding: Go.encoding(), settingsOf: sized(Go.sizes, Go.encoding(size:)),
        numberings: { [same("point", $0.actions)] },
        start: { try Go(size: whole($0["size"]), komi: number($0["komi"])) })
}

private func same(_ name: String, _ width: Int) -> Numbering {
    Numbering(name: name, width: width) { $0 }
}

/// One output a cell; some networks have one more, for a pass that is never legal.
private func cells(_ count: Int) -> [Numbering] {
    [same("cell", count), same("cell_and_pass", count + 1)]
}

/// The size whose encoding has planes of this shape.
private func sized(
    _ sizes: [Int], _ encoding: @escaping @Sendable (Int) -> Encoding
) -> @Sendable ([Int]) -> Settings {
    { board in
        guard let size = sizes.first(where: { encoding($0).board == board }) else { return [:] }
        return ["size": .number(Double(size))]
    }
}

private func size(_ usual: Int, _ choices: [Int], _ about: String) -> Setting {
    Setting(name: "size", usual: .number(Double(usual)), choices: choices.map { .number(Double($0)) }, about: about)
}

/// The number that a setting has; one that no game takes where it has none.
private func number(_ value: Value?) -> Double {
    if case .number(let number) = value { number } else { .nan }
}

/// The whole number that a setting has; one that no game takes where it has none.
private func whole(_ value: Value?) -> Int {
    Int(exactly: number(value)) ?? -1
}
