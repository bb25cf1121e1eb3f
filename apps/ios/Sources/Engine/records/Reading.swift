/// Records read: SGF, a line of moves, or a link whose end has them. The texts are anybody's.
///
/// SGF is A. Hollosi's "SGF File Format FF[4]", https://www.red-bean.com/sgf/. Of a game with variations the main line
/// is read.

// The most letters of an unknown move that an error shows.
private let longestName = 20
private let longestTold = 80
// The sizes of boards if SGF gives none and it is not the usual one.
private let unsaidSizes = ["go": "19", "hex": "11"]
// The mark of byte order that some editors write in front.
private let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

extension Record {
    /// The record that a text holds, its moves as they are named; RecordError if it holds none.
    public init(_ given: String) throws {
        if given.utf8.count > RecordLimits.bytes { throw RecordError(.tooLarge) }
        let text = bytes(of: given)
        if isSgf(text) {
            try self.init(sgf: text)
        } else if let link = link(in: text) {
            let parts = link.rest.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(string)
            let moves = parts[0].split(separator: ".").map(String.init)
            // Two points stand behind the moves that place stones.
            let all = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            let placed = all.dropLast().firstIndex(of: "")
            try self.init(name: link.name, given: Array(parts.dropFirst()), moves)
            setUp = placed ?? 0
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let head = words(text[..<colon])
            if head.isEmpty { throw RecordError(.none) }
            try self.init(name: head[0], given: Array(head.dropFirst()), words(text[(colon + 1)...]))
        } else {
            if text.isEmpty { throw RecordError(.none) }
            self.init(game: nil, settings: [:], moves: try few(words(text).map { Move(name: $0, player: nil) }))
        }
    }

    /// A record of moves by name. A link's `game=` says which game a bundle of another name plays.
    private init(name: String, given: [String], _ names: [String]) throws {
        var settings: [String: String] = [:]
        for each in given {
            guard let at = each.firstIndex(of: "=") else { throw RecordError(.none) }
            settings[String(each[..<at])] = String(each[each.index(after: at)...])
        }
        let wanted = settings.removeValue(forKey: "game") ?? name
        guard let game = Game.games.first(where: { $0.name == wanted }) else { throw RecordError(.none) }
        self.init(
            game: game.name, settings: try read(settings, of: game),
            moves: try few(names.map { Move(name: $0, player: nil) }))
    }

    private init(sgf text: ArraySlice<UInt8>) throws {
        let (nodes, ignored) = try parse(text)
        let number = firstValue(nodes[0], "GM").isEmpty ? "1" : firstValue(nodes[0], "GM")
        guard let game = Game.games.first(where: { sgfGames[$0.name] == number }) else {
            throw RecordError(.otherGame, what: String(number.prefix(longestName)))
        }
        let isSwapped = game.name == "hex" && nodes.contains { node in
            ["B", "W"].contains { swaps.contains(firstValue(node, $0)) }
        }
        var given = readSettings(nodes[0], game)
        if isSwapped { given["rule"] = "swap" }
        let settings = try read(given, of: game)
        let start = try game.begin(settings)
        var moves = try nodes.flatMap { node in
            try ["B", "W"].enumerated().compactMap { player, key in
                try node[key].map { _ in Move(name: try pointName(start, firstValue(node, key)), player: player) }
            }
        }
        let placed = try AzxEngine.setUp(start, nodes, begins: moves.first?.player)
        moves = placed + moves
        // Who takes the first stone over plays on its cell.
        if isSwapped {
            let first = moves[0].name
            moves = moves.map { Move(name: swaps.contains($0.name) ? first : $0.name, player: $0.player) }
        }
        self.init(
            game: game.name, settings: settings, moves: try few(moves),
            names: [textLine(nodes[0], "PB"), textLine(nodes[0], "PW")], result: textLine(nodes[0], "RE"), ignored: ignored,
            setUp: placed.count)
    }
}

/// The bytes of a text, without blanks around it.
func bytes(of text: String) -> ArraySlice<UInt8> {
    let bytes = Array(text.utf8)[...]
    return strip(bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes)
}

func isSgf(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "(") }

private func parse(_ text: ArraySlice<UInt8>) throws -> (nodes: [Sgf.Node], ignored: Int) {
    do {
        return try Sgf.mainLine(text)
    } catch let error as Sgf.Refused {
        throw RecordError(.noSgf, what: error.why)
    }
}

private func few(_ moves: [Record.Move]) throws -> [Record.Move] {
    if moves.count > RecordLimits.moves { throw RecordError(.tooLong) }
    return moves.map { .init(name: String($0.name.prefix(longestName)), player: $0.player) }
}

// MARK: Settings

/// The settings as the game has them; RecordError if one is not possible.
private func read(_ given: [String: String], of game: Game) throws -> Settings {
    var settings: Settings = [:]
    for (name, text) in given {
        let refused = RecordError(.settings, what: String("\(name) \(text)".prefix(longestName)))
        guard let setting = game.settings.first(where: { $0.name == name }) else { throw refused }
        if case .number = setting.usual, !(setting.choices.isEmpty ? isDecimal(text) : isWhole(text)) { throw refused }
        guard let value = try? setting.read(.text(text)) else { throw refused }
        settings[name] = value
    }
    return settings
}

/// Whether a text is a number of up to four digits, which all languages read the same.
private func isWhole(_ text: some StringProtocol) -> Bool {
    1...4 ~= text.utf8.count && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
}

/// The same with a sign, and a point with up to four digits behind it.
private func isDecimal(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { isWhole($0) }
}

private func readSettings(_ root: Sgf.Node, _ game: Game) -> [String: String] {
    let (size, komi, rule) = (firstValue(root, "SZ"), firstValue(root, "KM"), firstValue(root, "RU").lowercased())
    let known = Dictionary(uniqueKeysWithValues: game.settings.map { ($0.name, $0) })
    var given = ["size": size.isEmpty ? unsaidSizes[game.name] ?? known["size"]?.usual.description ?? "" : size]
    if known["komi"] != nil, !komi.isEmpty { given["komi"] = komi }
    if known["rule"]?.choices.contains(.text(rule)) == true { given["rule"] = rule }
    return given
}

// MARK: Values of SGF

/// A property's value in one line, cut if it is long.
private func textLine(_ node: Sgf.Node, _ key: String) -> String {
    String(words(Array((node[key]?[0] ?? "").utf8)[...]).joined(separator: " ").prefix(longestTold))
}

// MARK: Bytes

private func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

func strip(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let begin = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[begin...end]
}

private func words(_ bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(whereSeparator: isBlank).map(string)
}

/// The first `NAME/moves=REST` at the beginning or behind a #.
private func link(in text: ArraySlice<UInt8>) -> (name: String, rest: ArraySlice<UInt8>)? {
    let (hash, word) = (UInt8(ascii: "#"), Array("/moves=".utf8))
    for part in text.split(separator: hash, omittingEmptySubsequences: false) {
        let name = part.prefix { !isBlank($0) && $0 != word[0] }
        let rest = part[name.endIndex...]
        if !name.isEmpty, rest.starts(with: word) {
            return (string(name), rest.dropFirst(word.count).prefix { !isBlank($0) })
        }
    }
    return nil
}
