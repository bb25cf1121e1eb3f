/// How strong to play: `simulations` of a search from an empty tree, 0 for the policy alone. Moves with at least the share
/// `threshold` of the largest weight remain. One is drawn in proportion to weight^(1/temperature); at 0 it is the best.
public struct Level: Equatable, Decodable, Sendable {
    public let simulations: Int
    public let threshold: Double
    public let temperature: Double

    public init(simulations: Int, threshold: Double, temperature: Double) {
        (self.simulations, self.threshold, self.temperature) = (simulations, threshold, temperature)
    }
}

/// Eight levels of strength. A level draws its move from those that a search, or the policy alone, thinks nearly as good
/// as the best.
///
/// Every language computes the same, to the last bit (azx.games.levels). Chances come from integers. Temperatures are
/// powers of two, so that weights only need squares and square roots. The table was measured with the shipped networks
/// (docs/strength.md); the strength of other networks at these levels is unknown.
public enum Levels {
    /// The levels of a game for a network with a policy or without, weak to strong.
    public static func of(_ game: String, hasPolicy: Bool) -> [Level] {
        hasPolicy ? Tables.levels.games[game] ?? Tables.levels.unmeasured : Tables.levels.unmeasured
    }

    /// The number at place `ply`, counted from 0, of the splitmix64 sequence that begins at `seed`. (Steele, Lea and Flood,
    /// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
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

    /// The pass, if it is one of several legal actions; nil otherwise.
    public static func findPass(_ state: any State) throws -> Int? {
        let legal = state.legalActions()
        guard legal.count > 1, let last = legal.last, try state.label(last) == "pass" else { return nil }
        return last
    }

    /// The action that a level plays; GameError if there are no actions.
    ///
    /// `weights` are the legal actions, ascending, each with its visits, or with its prior if there was no search. `ply` is
    /// the number of moves before. `pass`, the action that passes, is played only if it alone has the largest weight.
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
