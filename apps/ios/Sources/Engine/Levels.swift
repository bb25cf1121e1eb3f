/// How strong to play: `simulations` of a search from an empty tree, 0 for the policy alone. Of the moves with a weight
/// those remain that have at least `threshold` of the largest; one is drawn in proportion to weight^(1/temperature),
/// at 0 the best.
public struct Level: Equatable, Decodable, Sendable {
    public let simulations: Int
    public let threshold: Double
    public let temperature: Double

    public init(simulations: Int, threshold: Double, temperature: Double) {
        (self.simulations, self.threshold, self.temperature) = (simulations, threshold, temperature)
    }
}

/// How strong the network plays, in eight levels: a level's move is drawn among those that a search, or the policy
/// alone, thinks nearly as good as the best.
///
/// Every language computes it alike, to the last bit (azx.games.levels): chances come from integers, and temperatures
/// are powers of two, so that a weight is only squared or its root drawn. The table was measured with the shipped
/// networks (docs/strength.md); how strong another network of the same game plays the levels is not known.
public enum Levels {
    /// The levels of a game for a network with a policy or without, weak to strong.
    public static func of(_ game: String, hasPolicy: Bool) -> [Level] {
        hasPolicy ? Tables.levels.games[game] ?? Tables.levels.unmeasured : Tables.levels.unmeasured
    }

    /// The number at place `ply`, 0 the first, of the splitmix64 sequence that begins at `seed`. (Steele, Lea and
    /// Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
    public static func splitmix64(_ seed: UInt64, _ ply: Int) -> UInt64 {
        var mixed = seed &+ UInt64(ply + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below 1, of the upper 53 bits of `splitmix64`.
    public static func chance(_ seed: UInt64, _ ply: Int) -> Double {
        Double(splitmix64(seed, ply) >> 11) / Double(1 << 53)
    }

    /// The action that passes where there are others; nil if there is none, or it is the only one.
    public static func findPass(_ state: any State) throws -> Int? {
        let legal = state.legalActions()
        guard legal.count > 1, let last = legal.last, try state.label(last) == "pass" else { return nil }
        return last
    }

    /// The action that a level plays: `weights` are each legal action, ascending, with its visits, or with its prior
    /// if there was no search; `ply` is how many moves were made before. `pass`, the action that passes, is played
    /// where it alone has the largest weight, and else never. GameError if there are no actions.
    public static func chooseAction(
        _ weights: [(action: Int, weight: Double)], _ level: Level, seed: UInt64, ply: Int, pass: Int? = nil
    ) throws -> Int {
        guard let first = weights.first else {
            throw GameError("level: the game is over, there is no move to choose.")
        }
        let (best, most) = weights.reduce(first) { $1.weight > $0.weight ? $1 : $0 }
        if level.temperature == 0 || best == pass || most <= 0 { return best }
        let kept = weights.filter { $0.weight > 0 && $0.weight >= level.threshold * most && $0.action != pass }
        var (total, ends) = (0.0, [Double]())
        for (_, weight) in kept {
            total += power(weight / most, level.temperature)
            ends.append(total)
        }
        let drawn = chance(seed, ply) * total
        return kept[ends.firstIndex { drawn < $0 } ?? kept.count - 1].action
    }

    /// weight^(1/temperature) by squares and roots alone.
    private static func power(_ weight: Double, _ temperature: Double) -> Double {
        var (found, left) = (weight, temperature)
        while left > 1 { (found, left) = (found.squareRoot(), left / 2) }
        while left < 1 { (found, left) = (found * found, left * 2) }
        return found
    }
}
