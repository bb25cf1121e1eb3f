import AzxEngine

/// A stand-in for a network that every language computes alike: answers from an integer hash of the state.
///
/// h is FNV-1a, 32 bits, over the encoded state as int8 in row-major order; value = (h mod 2001 - 1000) / 1000. The
/// weight of action a is 1 + (g mod 1000), where g is FNV-1a continued from h over the two bytes of a, the low one
/// first. (Fowler, Noll and Vo: offset basis 2166136261, prime 16777619.)
public struct HashEvaluator: Evaluator {
    public init() {}

    public func evaluate(_ state: any State) -> Evaluation {
        let hash = Self.hash(of: state)
        let policy = (0..<state.actions).map { Float(Self.weight(hash, $0)) }
        return Evaluation(value: Self.value(of: hash), policy: policy, logits: false)
    }

    /// One step of FNV-1a, 32 bits: `hash` continued by the low byte of `number`.
    private static func step(_ hash: UInt32, _ number: Int) -> UInt32 {
        (hash ^ UInt32(truncatingIfNeeded: number & 255)) &* 16_777_619
    }

    /// h: the hash of the state's tensor, its numbers as int8.
    public static func hash(of state: any State) -> UInt32 {
        state.encode().reduce(2_166_136_261) { step($0, Int($1)) }
    }

    /// The value that a hash stands for, -1 to 1 in steps of 0.001.
    public static func value(of hash: UInt32) -> Double {
        (Double(hash % 2001) - 1000) / 1000
    }

    /// The weight of an action, 1 to 1000.
    public static func weight(_ hash: UInt32, _ action: Int) -> Int {
        1 + Int(step(step(hash, action), action >> 8) % 1000)
    }
}
