/// What is known of a shown position: all that `Panel` is a function of. Absent is nil.

/// What is known of the shown position.
///
/// `mover` is to move. `unit` is the game's currency, `scale` the lead in it at which a bar is full. `distance` is the proven
/// number of plies to the end. `network` is the mover's chance without a search, `earlier` the last known chance of `side` before
/// this position.
public struct PanelFacts: Equatable, Sendable {
    public var side: Player
    public var mover: Player
    public var unit = Panel.Unit.chance
    public var scale = 1.0
    public var end: End?
    public var known: Known?
    public var distance: Int?
    public var search: Searched?
    public var points: Lead?
    public var network: Double?
    public var earlier: Double?
    public var played: PlayedMove?
    public var moment = Moment()

    public init(side: Player, mover: Player) { (self.side, self.mover) = (side, mover) }

    /// The result for player 0 (1, 0, -1) of a game that is over, and player 0's lead; nil if nothing was counted.
    public struct End: Equatable, Sendable {
        public let result: Int
        public let lead: Double?

        public init(result: Int, lead: Double?) { (self.result, self.lead) = (result, lead) }
    }

    /// A move that a search considers: its visits, and the chance (0 to 1) of the player who makes it.
    ///
    /// `line` holds the moves that follow it. `loss` is what it loses against the best move in boxes, discs or points; nil if
    /// unknown.
    public struct Candidate: Equatable, Sendable {
        public let action: Int
        public let visits: Int
        public let winRate: Double
        public let line: [Int]
        public let loss: Double?

        public init(_ action: Int, visits: Int, winRate: Double, line: [Int] = [], loss: Double? = nil) {
            (self.action, self.visits, self.winRate, self.line, self.loss) = (action, visits, winRate, line, loss)
        }
    }

    /// What a search found: `chance` of the mover (nil if the network has no value), `proven` result for the mover.
    public struct Searched: Equatable, Sendable {
        public let chance: Double?
        public let proven: Int?
        public let candidates: [Candidate]

        public init(chance: Double?, proven: Int? = nil, _ candidates: [Candidate] = []) {
            (self.chance, self.proven, self.candidates) = (chance, proven, candidates)
        }
    }

    /// Player 0's mean lead in points, and its spread.
    public struct Lead: Equatable, Sendable {
        public let mean: Double
        public let spread: Double

        public init(mean: Double, spread: Double) { (self.mean, self.spread) = (mean, spread) }
    }

    /// The judged move that led to the shown position, with a better one and its line.
    public struct PlayedMove: Equatable, Sendable {
        public let action: Int
        public let player: Player
        public let verdict: Verdict
        public let reason: Reason?
        public let better: Int?
        public let line: [Int]

        public init(
            _ action: Int, by player: Player, _ verdict: Verdict, _ reason: Reason? = nil, better: Int? = nil, line: [Int] = []
        ) {
            (self.action, self.player, self.verdict) = (action, player, verdict)
            (self.reason, self.better, self.line) = (reason, better, line)
        }
    }

    /// What happens at the table.
    public struct Moment: Equatable, Sendable {
        /// Whose turn it is in the live game; `read` is the end of a record without a result.
        public enum Phase: String, Sendable { case yours, theirs, scoring, over, read }

        public var phase = Phase.yours
        public var hasNetwork = true
        public var isReplay = false
        /// A hint or an analysis is under way.
        public var isBusy = false
        /// The network was asked for a move and gave none.
        public var isStuck = false
        public var isWatched = false
        public var isPaused = false
        /// A mistake is tried again, and no good move is found yet.
        public var isTrying = false
        public var canReview = false
        public var isReviewed = false
        public var hasMistakes = false

        public init(_ phase: Phase = .yours) { self.phase = phase }
    }
}
