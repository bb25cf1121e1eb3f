import AzxEngine

/// How long the network thinks: not at all beyond its policy, so many simulations, so many seconds, or as a level says,
/// 1 to 8, whose moves are drawn from a seed.
public enum Limit: Equatable, Sendable {
    case policy
    case simulations(Int)
    case seconds(Double)
    case level(Int, seed: UInt64)
}

/// How long the network thinks about a move; the texts are what is kept.
public enum Strength: String, CaseIterable, Sendable {
    case level1 = "LEVEL_1"
    case level2 = "LEVEL_2"
    case level3 = "LEVEL_3"
    case level4 = "LEVEL_4"
    case level5 = "LEVEL_5"
    case level6 = "LEVEL_6"
    case level7 = "LEVEL_7"
    case level8 = "LEVEL_8"
    case policy = "POLICY"
    case simulations50 = "SIMULATIONS_50"
    case simulations200 = "SIMULATIONS_200"
    case simulations800 = "SIMULATIONS_800"
    case seconds1 = "SECONDS_1"
    case seconds3 = "SECONDS_3"
    case seconds10 = "SECONDS_10"

    /// The eight levels, the weakest first.
    public static let levels: [Strength] = allCases.filter { if case .level = $0.limit() { true } else { false } }

    /// The limit of one move: a level draws it from `seed`.
    public func limit(seed: UInt64 = 0) -> Limit {
        let words = rawValue.split(separator: "_")
        let count = words.last.flatMap { Int($0) } ?? 0
        return switch words[0] {
        case "LEVEL": .level(count, seed: seed)
        case "SIMULATIONS": .simulations(count)
        case "SECONDS": .seconds(Double(count))
        default: .policy
        }
    }
}

/// Who makes the first move of the next game, which the network plays against itself at `watch`.
public enum Begins: String, CaseIterable, Sendable {
    case random = "RANDOM"
    case you = "YOU"
    case ai = "AI"
    case watch = "WATCH"
}

/// How long a move of a game that is watched is looked at before the network thinks about the next one.
public enum Pace: String, CaseIterable, Sendable {
    case slow = "SLOW"
    case usual = "USUAL"
    case fast = "FAST"

    public var seconds: Double {
        switch self {
        case .slow: 3
        case .usual: 1
        case .fast: 0.2
        }
    }
}

/// What a person chooses for a table; `isOtherRule` is Renju's in Gomoku and the swap in Hex, `komi` is for Go, both nil for
/// the network's own; `alwaysHeat` shows the policy's heat map at every move, `pace` is for games that are watched.
public struct Choices: Equatable, Sendable {
    public var strength = Strength.simulations200
    public var begins = Begins.random
    public var isOtherRule: Bool?
    public var komi: Double?
    public var alwaysHeat = false
    public var pace = Pace.usual

    /// The names of the settings that change nothing in what a network reads: a person or a record chooses them.
    public static func freeSettings(_ name: String) -> Set<String> {
        Game.games.first { $0.name == name }?.freeSettings ?? []
    }

    /// The rules that a game may be played by, the usual one first; none where there is but one.
    public static func rules(_ name: String) -> [Json] {
        Game.games.first { $0.name == name }?.settings.first { $0.name == "rule" }?.choices ?? []
    }

    /// What is usual in Go.
    private static let usualKomis = [0.5, 5.5, 6.5, 7.5]

    /// The points that white gets for moving second in the games that a network was made for; nil in games without.
    static func ownKomi(_ reading: Reading) -> Double? { ((try? reading.start()) as? Go)?.komi }

    /// The rule of the games that a network was made for, the usual one where it has none; nil in games with one rule.
    private static func ownRule(_ reading: Reading) -> Json? {
        let rules = rules(reading.game.name)
        return rules.count > 1 ? reading.settings["rule"] ?? rules[0] : nil
    }

    /// Whether that is not the game's usual one.
    static func hasOtherRule(_ reading: Reading) -> Bool { ownRule(reading) != rules(reading.game.name).first }

    /// Those that are offered, with the network's own and what is chosen.
    public func komis(_ own: Double) -> [Double] { Set(Self.usualKomis + [own, komi ?? own]).sorted() }

    /// The settings of the next game that a person may choose.
    func settings(_ reading: Reading) -> Settings {
        if let own = Self.ownKomi(reading) { return ["komi": .number(komi ?? own)] }
        guard let own = Self.ownRule(reading) else { return [:] }
        return ["rule": isOtherRule.map { Self.rules(reading.game.name)[$0 ? 1 : 0] } ?? own]
    }

    /// Choose what a game is played by that goes on.
    mutating func take(_ settings: Settings, _ reading: Reading) {
        if let rule = settings["rule"] {
            isOtherRule = rule == Self.ownRule(reading) ? nil : rule != Self.rules(reading.game.name).first
        }
        if let number = settings["komi"]?.number { komi = number == Self.ownKomi(reading) ? nil : number }
    }
}
