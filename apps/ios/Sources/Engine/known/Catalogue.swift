/// The games that the engine plays: one line each, beside their shapes in games/data/shapes.json.

extension Game {
    /// The games, in the order in which a list shows them.
    public static var games: [Game] { own + added }

    /// Games that a task knows beside the app's own, which a test plays without those beside it knowing them.
    @TaskLocal static var added: [Game] = []

    private static let own = [
        Game("connect4") { try connect4(rows: whole($0["rows"]), columns: whole($0["columns"])) },
        Game("tictactoe") { _ in TicTacToe() },
        Game("dots_and_boxes") { try DotsAndBoxes(size: whole($0["size"])) },
        Game("gomoku") { try Gomoku(size: whole($0["size"]), rule: $0["rule"]?.description ?? "") },
        Game("go") { try Go(size: whole($0["size"]), komi: $0["komi"]?.number ?? .nan) },
        Game("reversi") { try Reversi(size: whole($0["size"])) },
        Game("hex") { try Hex(size: whole($0["size"]), rule: $0["rule"]?.description ?? "") },
    ]
}

/// The whole number that a setting has; one that no game takes if it has none.
private func whole(_ value: Json?) -> Int { value?.whole ?? -1 }
