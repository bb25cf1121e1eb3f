import AzxEngine

/// How long the network thinks: the policy alone, a number of simulations or of seconds, or a level (1 to 8), which draws its moves
/// from a seed.
public enum Limit: Equatable, Sendable {
    case policy
    case simulations(Int)
    case seconds(Double)
    case level(Int, seed: UInt64)
}

/// How strong a person wants the network to play; the raw values are saved.
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

    /// The limit of one move; a level draws its move from `seed`.
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

/// Who makes the first move of the next game. At `watch` the network plays against itself.
public enum Begins: String, CaseIterable, Sendable {
    case random = "RANDOM"
    case you = "YOU"
    case ai = "AI"
    case watch = "WATCH"
}

/// How long each move of a watched game is shown before the network thinks about the next one.
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

/// What a person chooses for a table.
///
/// `isOtherRule` is Renju in Gomoku and the swap in Hex, `komi` is for Go; nil takes the network's own. `alwaysHeat` shows the
/// policy's heat map at every move. `pace` is for watched games.
public struct Choices: Equatable, Sendable {
    public var strength = Strength.simulations200
    public var begins = Begins.random
    public var isOtherRule: Bool?
    public var komi: Double?
    public var alwaysHeat = false
    public var pace = Pace.usual

    /// The names of the settings that do not change what a network reads, so that a person or a record may choose them.
    public static func freeSettings(_ name: String) -> Set<String> {
        Game.games.first { $0.name == name }?.freeSettings ?? []
    }

    /// The rules of a game, the usual one first; empty if it has only one.
    public static func rules(_ name: String) -> [Json] {
        Game.games.first { $0.name == name }?.settings.first { $0.name == "rule" }?.choices ?? []
    }

    /// The usual values in Go.
    private static let usualKomis = [0.5, 5.5, 6.5, 7.5]

    /// White's points for moving second in the games that a network was made for; nil in games without them.
    static func ownKomi(_ reading: Reading) -> Double? { ((try? reading.start()) as? Go)?.komi }

    /// The rule of the games that a network was made for, else the usual one; nil in games with one rule.
    private static func ownRule(_ reading: Reading) -> Json? {
        let rules = rules(reading.game.name)
        return rules.count > 1 ? reading.settings["rule"] ?? rules[0] : nil
    }

    /// Whether a network was made for another rule than the usual one.
    static func hasOtherRule(_ reading: Reading) -> Bool { ownRule(reading) != rules(reading.game.name).first }

    /// The offered values, with the network's own and the chosen one.
    public func komis(_ own: Double) -> [Double] { Set(Self.usualKomis + [own, komi ?? own]).sorted() }

    /// The settings of the next game that a person may choose.
    func settings(_ reading: Reading) -> Settings {
        if let own = Self.ownKomi(reading) { return ["komi": .number(komi ?? own)] }
        guard let own = Self.ownRule(reading) else { return [:] }
        return ["rule": isOtherRule.map { Self.rules(reading.game.name)[$0 ? 1 : 0] } ?? own]
    }

    /// Take over the settings of a game that goes on.
    mutating func take(_ settings: Settings, _ reading: Reading) {
        if let rule = settings["rule"] {
            isOtherRule = rule == Self.ownRule(reading) ? nil : rule != Self.rules(reading.game.name).first
        }
        if let number = settings["komi"]?.number { komi = number == Self.ownKomi(reading) ? nil : number }
    }
}
