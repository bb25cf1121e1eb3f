/// A game that was played, as texts: a line of moves, SGF, and the end of a link. docs/records.md is the definition.
public struct WrittenGame {
    private let game: Game
    private let states: [any State]
    private let resigned: Player?
    private let late: Player?
    private let names: [String]
    private let dead: [Int]
    private let beside: Beside
    private let setUp: Int
    private let all: [(name: String, value: Json)]
    private let actions: [Int]
    private let labels: [String]

    /// Missing `settings` have their usual values. `resigned` is the player who gave up, `late` the one whose time was up, `names`
    /// are the names of players 0 and 1. `dead` are the dead stones of Go, ascending, `beside` is what SGF has beside the moves.
    /// The first `setUp` moves place stones. GameError if a position does not belong to the game.
    public init(
        _ game: Game, _ settings: Settings, _ states: [any State], resigned: Player? = nil, late: Player? = nil,
        names: [String] = ["", ""], dead: [Int] = [], beside: Beside = Beside(), setUp: Int = 0
    ) throws {
        self.game = game
        self.states = states
        self.resigned = resigned
        self.late = late
        self.names = names
        self.dead = dead
        self.beside = beside
        self.setUp = setUp
        all = game.settings.map { ($0.name, settings[$0.name] ?? $0.usual) }
        actions = states.dropFirst().compactMap(\.lastAction)
        labels = try actions.map { try states[0].label($0) }
    }

    /// The game with all its settings and its moves, and a line's end.
    public var line: String {
        let head = [game.name] + all.map { "\($0.name)=\($0.value)" }
        return ([head.joined(separator: " ") + ":"] + labels).joined(separator: " ") + "\n"
    }

    /// The part of a link after the #; nil if it is too long for a link. Usual settings are left out, and so is the game if the
    /// bundle has its name. `bundle` is written as it is. With `tellsSetUp` two points follow the moves that place stones.
    public func link(_ bundle: String, tellsSetUp: Bool = false) -> String? {
        let named = bundle == game.name ? "" : "&game=\(game.name)"
        let more = zip(all, game.settings).filter { $0.value != $1.usual }.map { "&\($0.0.name)=\($0.0.value)" }
        let placed = tellsSetUp ? setUp : 0
        let moves = (placed > 0 ? labels.prefix(placed).joined(separator: ".") + ".." : "")
            + labels.dropFirst(placed).joined(separator: ".")
        let text = "\(bundle)/moves=\(moves)\(named)\(more.joined())"
        return text.utf8.count <= RecordLimits.link ? text : nil
    }

    /// The game as SGF, with its result, comments and variations; nil for a game that SGF does not have. A file's own
    /// players and result stay as they were.
    public var sgf: String? {
        guard let number = sgfGames[game.name] else { return nil }
        let size = states[0].board[0]
        var root = [("FF", "4"), ("CA", "UTF-8"), ("AP", "azx"), ("GM", number), ("SZ", "\(size)")]
        for (name, value) in all where name == "komi" { root += [("KM", "\(value)"), ("RU", "Tromp-Taylor")] }
        for (name, value) in all where name == "rule" { root.append(("RU", "\(value)")) }
        // The game's own settings are written, and a handicap as its stones.
        let standing = standing(size)
        let own = Set(root.map(\.0) + standing.map(\.key))
        let players = [("PB", names[0]), ("PW", names[1]), ("RE", result)]
        root += players.map { ($0, beside.told[$0] ?? $1) }.filter { !$0.1.isEmpty }
        let known = own.union(players.map(\.0))
        root += beside.told.sorted { $0.key < $1.key }.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        return SgfTree(actions, beside, setUp: setUp) { name($0, ply: $1, first: $2, size) }
            .text(root.map { (key: $0.0, values: [$0.1]) } + standing)
    }

    /// AB, AW, PL and HA of the stones that stand before the first move.
    private func standing(_ size: Int) -> [SgfTree.Property] {
        let points = actions.prefix(setUp).enumerated().map { name($1, ply: $0, first: actions[0], size) }
        let sides = [0, 1].map { player in
            points.indices.filter { $0 % 2 == player }.map { points[$0] }.filter { !$0.isEmpty }
        }
        let handicap = sides[0].count > 1 && sides[1].isEmpty ? ["\(sides[0].count)"] : []
        let turn = points.isEmpty ? [] : [points.count % 2 == 0 ? "B" : "W"]
        let told = [("HA", handicap), ("AB", sides[0]), ("AW", sides[1]), ("PL", turn)]
        return told.filter { !$0.1.isEmpty }.map { (key: $0.0, values: $0.1) }
    }

    /// A move as SGF names it. Hex has its own names; there the second player's first move on the first one's cell takes it
    /// over.
    private func name(_ action: Int, ply: Int, first: Int?, _ size: Int) -> String {
        if game.name != "hex" { return point(action, size) }
        return ply == 1 && action == first ? swaps[0] : (try? states[0].label(action)) ?? ""
    }

    /// SGF's RE: `B+2.5`, `W+R` for a resignation, 0 for a draw; empty while nothing is decided.
    private var result: String {
        if let late { return late == 0 ? "W+T" : "B+T" }
        if let resigned { return resigned == 0 ? "W+R" : "B+R" }
        guard let last = states.last, last.isTerminal else { return "" }
        let discs = (last as? Reversi).map { Double($0.score()) }
        let lead = (last as? Go)?.score(without: dead) ?? discs
        let ahead = lead ?? Double(last.returns())
        if ahead == 0 { return "0" }
        return "\(ahead > 0 ? "B" : "W")+\(lead.map { "\(Json.number(abs($0)))" } ?? "")"
    }
}

/// Column and row as letters from the top left; empty for a pass.
private func point(_ action: Int, _ size: Int) -> String {
    let (row, column) = action.quotientAndRemainder(dividingBy: size)
    return row == size ? "" : String(decoding: [column, row].map { UInt8(ascii: "a") + UInt8($0) }, as: UTF8.self)
}
