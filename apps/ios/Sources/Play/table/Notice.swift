import AzxEngine

/// Something that is said beside the board until the game goes on.
public enum Notice: Equatable, Sendable {
    /// Who makes the first move, where chance has said it.
    case begins(isHuman: Bool)
    /// A move that a person wanted and may not make.
    case notPossible(Refusal)
    /// The pass that the rules forced upon somebody.
    case forcedPass(isHuman: Bool)
    /// The person has given the game up.
    case resigned
    /// Black's lead less the komi without the stones that are marked dead, and with all stones alive.
    case scoring(without: Double, alive: Double)
    /// Who is ahead in Go, as playouts see it.
    case estimated(Estimate)
    /// The move that is thought best, its share of what was considered, and the chances where they are known.
    case hint(action: Int, share: Double, winRate: Double?)
    /// Another window has continued the game in another way, so the game here becomes a record of its own.
    case branched
    /// Why the network could not say what it thinks; the game goes on.
    case noHint(Failure)

    /// Whether it is about a move, or what is thought, of one position, and of no use at another one.
    var isOfOnePosition: Bool {
        switch self {
        case .notPossible, .estimated, .hint, .noHint: true
        default: false
        }
    }
}

/// An error as something that is said; two are the same that read the same.
public struct Failure: Equatable, Sendable {
    public let error: any Error

    public init(_ error: any Error) { self.error = error }

    public static func == (one: Failure, other: Failure) -> Bool { "\(one.error)" == "\(other.error)" }
}
