import AzxEngine

/// What the screen says beside the board until the game goes on.
public enum Notice: Equatable, Sendable {
    /// Who makes the first move, if chance decided it.
    case begins(isHuman: Bool)
    /// Why a person's move cannot be played.
    case notPossible(Refusal)
    /// A pass that the rules forced.
    case forcedPass(isHuman: Bool)
    /// The person has given the game up.
    case resigned
    /// Black's lead less the komi without the stones that are marked dead, and with all stones alive.
    case scoring(without: Double, alive: Double)
    /// Who leads in Go, as playouts estimate it.
    case estimated(Estimate)
    /// The move that is thought best, its share of the visits, and the person's chance if known.
    case hint(action: Int, share: Double, winRate: Double?)
    /// Moves that are equally good as far as the search sees.
    case equal([Int], winRate: Double?)
    /// The best move of a position in which every move loses if the opponent plays perfectly.
    case lost(action: Int)
    /// Another window has continued the game in another way, so the game here becomes a record of its own.
    case branched
    /// Why a hint failed; the game goes on.
    case noHint(Failure)

    /// Whether it is about one position and useless at another one.
    var isOfOnePosition: Bool {
        switch self {
        case .notPossible, .estimated, .hint, .equal, .lost, .noHint: true
        default: false
        }
    }
}

/// An error that a notice tells; two errors are equal if they read the same.
public struct Failure: Equatable, Sendable {
    public let error: any Error

    public init(_ error: any Error) { self.error = error }

    public static func == (one: Failure, other: Failure) -> Bool { "\(one.error)" == "\(other.error)" }
}
