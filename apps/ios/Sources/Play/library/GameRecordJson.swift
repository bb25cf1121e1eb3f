/// A record as JSON, the same that the page saves and exports. Every member of a file is checked.

import AzxBundle
import AzxEngine

// The limits of a text in UTF-16, and of a list.
private let longestText = 20_000
private let mostItems = 10_000

extension GameRecord {
    /// The record in a JSON value; nil if a member is missing or of another kind, or the version is a later one.
    public init?(_ data: Json) {
        let mayBeNull = ["bundle", "end", "winner"]
        guard mayBeNull.allSatisfy({ data.members?[$0] != nil }), data["azx_game"].whole == Self.version,
            let id = readName(data["id"]), let revision = readName(data["revision"]),
            let begun = readDate(data["begun"]), let changed = readDate(data["changed"]),
            let origin = data["origin"].text.flatMap({ Origin(rawValue: $0) }), let game = readText(data["game"]),
            let settings = readMembers(data["settings"], of: readSetting),
            let bundle = readOptional(data["bundle"], BundleName.init),
            let players = readItems(data["players"], Side.init), players.count == 2,
            let human = data["human"].whole, reader...1 ~= human,
            let actions = readCounts(data["actions"], most: RecordLimits.moves),
            let setUp = readSetUp(data), setUp <= actions.count,
            let ending = readOptional(data["end"], Ending.init), let over = data["over"].bool,
            let winner = readOptional(data["winner"], readPlayer),
            let shared = readShared(data, isOfTwo: human == reader && players.allSatisfy { $0.kind == .person })
        else { return nil }
        guard let rates = readItems(data["rates"], readRate), let seen = readItems(data["seen"], Look.init),
            let told = readMembers(data["told"], of: readText),
            let comments = readItems(data["comments"], Variation.Comment.init),
            let lines = readItems(data["lines"], Variation.init), let leftOut = readCount(data["left_out"])
        else { return nil }
        var beside = Beside()
        (beside.told, beside.lines, beside.leftOut) = (told, lines, leftOut)
        beside.comments = Dictionary(comments.map { ($0.moves, $0.text) }) { $1 }
        self.init(
            id: id, revision: revision, begun: begun, changed: changed, origin: origin, game: game, settings: settings,
            bundle: bundle, players: players, human: human, actions: actions, setUp: setUp, ending: ending,
            over: over, winner: winner, rates: Dictionary(rates) { $1 }, seen: seen, beside: beside, shared: shared)
    }

    /// The record as it is stored.
    public var json: Json {
        var members: [String: Json] = [
            "azx_game": .number(Double(Self.version)), "id": .text(id), "revision": .text(revision), "begun": .text(begun),
            "changed": .text(changed), "origin": .text(origin.rawValue), "game": .text(game),
            "settings": .object(settings), "bundle": bundle?.json ?? .null, "players": .list(players.map(\.json)),
            "human": number(human), "actions": .list(actions.map(number)), "end": ending?.json ?? .null,
            "over": .bool(over), "winner": winner.map(number) ?? .null,
            "rates": .list(rates.sorted { $0.key < $1.key }.map { .list([number($0.key), .number($0.value)]) }),
            "seen": .list(seen.map(\.json)), "told": .object(beside.told.mapValues { .text($0) }),
            "comments": .list(beside.comments.sorted { $0.key < $1.key }.map { .list([number($0.key), .text($0.value)]) }),
            "lines": .list(beside.lines.map(\.json)), "left_out": number(beside.leftOut),
        ]
        if setUp > 0 { members["set_up"] = number(setUp) }
        if let shared { members.merge(shared.members) { $1 } }
        return .object(members)
    }
}

// MARK: Members

extension GameRecord.BundleName {
    fileprivate init?(_ data: Json) {
        guard let name = readText(data["name"]), let isGiven = data["given"].bool else { return nil }
        self.init(name, isGiven: isGiven)
    }

    fileprivate var json: Json { .object(["name": .text(name), "given": .bool(isGiven)]) }
}

extension GameRecord.Side {
    fileprivate init?(_ data: Json) {
        guard let kind = data["kind"].text.flatMap({ Kind(rawValue: $0) }), let name = readText(data["name"]),
            let level = readText(data["level"]), data.members?["bundle"] != .null,
            let bundle = readOptional(data["bundle"], GameRecord.BundleName.init)
        else { return nil }
        self.init(kind: kind, name: name, level: level, bundle: bundle)
    }

    fileprivate var json: Json {
        var members: [String: Json] = ["kind": .text(kind.rawValue), "name": .text(name), "level": .text(level)]
        members["bundle"] = bundle?.json
        return .object(members)
    }
}

extension GameRecord.Look {
    fileprivate init?(_ data: Json) {
        guard let (moves, chance) = readRate(data), let entry = data.list, entry.count > 3, let isSure = entry[3].bool,
            let best = readOptional(entry[2], readCount)
        else { return nil }
        self.init(moves: moves, chance: chance, best: best, isSure: isSure)
    }

    fileprivate var json: Json { .list([number(moves), .number(chance), best.map(number) ?? .null, .bool(isSure)]) }
}

extension Ending {
    fileprivate init?(_ data: Json) {
        switch data["kind"].text {
        case "resigned" where data.members?["by"] == nil: self = .resigned
        case "resigned", "time":
            guard let by = readPlayer(data["by"]) else { return nil }
            self = .lost(by: by, isLate: data["kind"].text == "time")
        case "agreed":
            guard let dead = readCounts(data["dead"], most: mostItems) else { return nil }
            self = .agreed(dead)
        case "told":
            guard let result = readText(data["result"]), let winner = readOptional(data["winner"], readPlayer)
            else { return nil }
            self = .told(result, winner: winner)
        default: return nil
        }
    }

    fileprivate var json: Json {
        switch self {
        case .resigned: .object(["kind": .text("resigned")])
        case .lost(let by, let isLate):
            .object(["kind": .text(isLate ? "time" : "resigned"), "by": number(by)])
        case .agreed(let dead): .object(["kind": .text("agreed"), "dead": .list(dead.map(number))])
        case .told(let result, let winner):
            .object(["kind": .text("told"), "result": .text(result), "winner": winner.map(number) ?? .null])
        }
    }
}

extension Variation {
    fileprivate init?(_ data: Json) {
        guard let from = readCount(data["from"]), let actions = readCounts(data["actions"], most: RecordLimits.moves),
            let comments = readItems(data["comments"], Comment.init), let own = data["own"].bool
        else { return nil }
        self.init(from: from, actions: actions, comments: comments, own: own)
    }

    fileprivate var json: Json {
        .object([
            "from": number(from), "actions": .list(actions.map(number)), "comments": .list(comments.map(\.json)),
            "own": .bool(own),
        ])
    }
}

extension Variation.Comment {
    fileprivate init?(_ data: Json) {
        guard let entry = data.list, entry.count > 1, let moves = readCount(entry[0]), let said = readText(entry[1])
        else { return nil }
        self.init(moves, said)
    }

    fileprivate var json: Json { .list([number(moves), .text(text)]) }
}

extension Shared {
    fileprivate var members: [String: Json] {
        var members: [String: Json] = [:]
        if let clock {
            let left = clock.left.sorted { $0.key < $1.key }.map { moves, each in Json.list([number(moves)] + each.map(number)) }
            members["clock"] = .object([
                "base": number(clock.base), "increment": number(clock.increment), "left": .list(left),
            ])
        }
        if isUndoAsked { members["undo_asked"] = .bool(true) }
        if let asker { members["asker"] = number(asker) }
        return members
    }
}

// A day.
private let mostSeconds = 86_400

/// What two people have agreed on, nil in other games; nil altogether if it is damaged.
private func readShared(_ data: Json, isOfTwo: Bool) -> Shared?? {
    guard isOfTwo else { return .some(nil) }
    var shared = Shared(isUndoAsked: data["undo_asked"].bool == true)
    if data.members?["asker"] != nil {
        guard let asker = readPlayer(data["asker"]) else { return nil }
        shared.asker = asker
    }
    guard data.members?["clock"] != nil else { return shared }
    let clock = data["clock"]
    guard let base = readCount(clock["base"]), let increment = readCount(clock["increment"]), max(base, increment) <= mostSeconds,
        let left = readItems(clock["left"], readLeft)
    else { return nil }
    shared.clock = Clock(base: base, increment: increment, left: Dictionary(left) { $1 })
    return shared
}

/// A number of moves, and the milliseconds that players 0 and 1 had left then.
private func readLeft(_ data: Json) -> (Int, [Int])? {
    guard let entry = readCounts(data, most: 3), entry.count == 3 else { return nil }
    return (entry[0], Array(entry.dropFirst()))
}

// MARK: Values

private func number(_ whole: Int) -> Json { .number(Double(whole)) }

private func readText(_ data: Json) -> String? { data.text.flatMap { $0.utf16.count <= longestText ? $0 : nil } }

private func readSetting(_ data: Json) -> Json? {
    readText(data) != nil || data.number?.isFinite == true ? data : nil
}

/// The name of a record, which is that of its file.
private func readName(_ data: Json) -> String? {
    let isPlain = { (sign: UInt8) in (0x30...0x39).contains(sign) || (0x61...0x7a).contains(sign) }
    return data.text.flatMap { 8...32 ~= $0.utf8.count && $0.utf8.allSatisfy(isPlain) ? $0 : nil }
}

private func readDate(_ data: Json) -> String? { readText(data).flatMap { GameRecord.date($0) == nil ? nil : $0 } }

private func readCount(_ data: Json) -> Int? { data.whole.flatMap { $0 >= 0 ? $0 : nil } }

/// 0 if the member is missing, as in older records.
private func readSetUp(_ data: Json) -> Int? { data.members?["set_up"] == nil ? 0 : readCount(data["set_up"]) }

private func readPlayer(_ data: Json) -> Player? { data.whole.flatMap { 0...1 ~= $0 ? $0 : nil } }

private func readCounts(_ data: Json, most: Int) -> [Int]? {
    data.list.flatMap { $0.count <= most ? data.list(of: readCount) : nil }
}

private func readItems<Item>(_ data: Json, _ read: (Json) -> Item?) -> [Item]? {
    data.list.flatMap { $0.count <= mostItems ? data.list(of: read) : nil }
}

private func readMembers<Item>(_ data: Json, of read: (Json) -> Item?) -> [String: Item]? {
    guard let members = data.members else { return nil }
    let found = members.compactMapValues(read)
    return found.count == members.count ? found : nil
}

/// A value as `read` returns it, nil for null; nil altogether if `read` returns nil.
private func readOptional<Item>(_ data: Json, _ read: (Json) -> Item?) -> Item?? {
    data.isNull ? .some(nil) : read(data).map { .some($0) }
}

/// A number of moves, and a share from 0 to 1.
private func readRate(_ data: Json) -> (Int, Double)? {
    guard let entry = data.list, entry.count > 1, let moves = readCount(entry[0]), let share = entry[1].number, 0...1 ~= share
    else { return nil }
    return (moves, share)
}
