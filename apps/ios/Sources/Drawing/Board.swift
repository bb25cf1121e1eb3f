import AzxEngine

/// Everything that a board shows.
public struct Shown: Sendable {
    public let state: any State
    /// The person; no player at all where nobody plays.
    public let human: Player
    /// The last move that was no forced pass.
    public let last: Int?
    /// What would have been better than the last move; nil if unknown.
    public let better: Int?
    /// The moves that are equally good, as far as a hint sees.
    public let equal: [Int]
    public let heat: Heat
    /// Whether the board invites to play; it is tapped and spoken in any case.
    public let canPlay: Bool
    /// The spot under a finger or a pointer.
    public let touched: Int?
    /// The spot that the keys have reached.
    public let cursor: Int?
    /// The discs that have not reached their cells yet.
    public let falls: [Fall]
    /// The pieces that have not their full size yet.
    public let arrivals: [Arrival]
    /// Dead stones and areas, where a board is counted; nil where all stones count.
    public let counted: Counted?

    /// `heat` is a share, 0 to 1, for each action that is considered, `rates` their chances of winning where a search
    /// tells them, `points` what they gain or lose against the best where that is known.
    public init(
        _ state: any State, human: Player, last: Int?, heat: [Int: Double]? = nil, rates: [Int: Double]? = nil,
        points: [Int: Int]? = nil, better: Int? = nil, equal: [Int] = [], canPlay: Bool = true, touched: Int? = nil, cursor: Int? = nil,
        falls: [Fall] = [], arrivals: [Arrival] = [], counted: Counted? = nil
    ) {
        self.counted = counted
        self.state = state
        self.human = human
        self.last = last
        self.heat = Heat(heat, rates: rates, points: points)
        self.better = better
        self.equal = equal
        self.canPlay = canPlay
        self.touched = touched
        self.cursor = cursor
        self.falls = falls
        self.arrivals = arrivals
    }

    /// How much of an action's piece is there, 0 to 1.
    func growth(_ action: Int) -> Double { arrivals.first { $0.action == action }?.grown ?? 1 }
}

/// The board of a game at one position: spots (columns, edges, cells, points) that a person can choose.
///
/// A spot is numbered from 0. All lengths are in units of the board.
public protocol Board: Sendable {
    var shown: Shown { get }
    var width: Double { get }
    var height: Double { get }
    /// Where the first line lies, both across and down, and its width, where lines should be on whole pixels.
    var firstLine: (at: Double, width: Double)? { get }
    /// How many spots there are.
    var spots: Int { get }
    /// The spot at a point; nil where there is none.
    func spot(at point: Point) -> Int?
    /// Where a spot is.
    func frame(of spot: Int) -> Box
    /// What choosing a spot plays, legal or not.
    func action(of spot: Int) -> Int
    /// The spot at which an action is seen; nil where it is seen at none, as a pass is.
    func spot(of action: Int) -> Int?
    /// What is drawn, the lowest first.
    func shapes(_ scale: Scale) -> [Shape]
    /// What a screen reader says of the whole board.
    var title: Phrase.Part { get }
    /// What a screen reader says of a spot, one after the other.
    func speech(of spot: Int) -> [Phrase.Part]
    /// What a screen reader says when `action` has led here; nil for nothing.
    func announcement(of action: Int) -> Phrase.Part?
}

extension Board {
    public var firstLine: (at: Double, width: Double)? { nil }

    public func spot(of action: Int) -> Int? { action < spots ? action : nil }

    /// Whether a spot can be played now.
    public func isOpen(_ spot: Int) -> Bool { shown.canPlay && shown.state.whyIllegal(action(of: spot)) == nil }

    /// What a tap at a point plays, legal or not; nil where it plays nothing.
    public func action(at point: Point) -> Int? { spot(at: point).map(action) }

    /// The board with rings around the better move, the moves that a hint finds equally good, and the spot that the keys have
    /// reached. A ring has two colours, to be seen on any ground.
    public func picture(_ scale: Scale) -> [Shape] {
        let best = Set(((shown.better.map { [$0] } ?? []) + shown.equal).compactMap { spot(of: $0) }).sorted()
        return shapes(scale) + best.flatMap { ring(around: $0, .winRing, scale) } + ring(around: shown.cursor, .accent, scale)
    }

    private func ring(around spot: Int?, _ role: Role, _ scale: Scale) -> [Shape] {
        guard let spot else { return [] }
        let ring = Outline.box(frame(of: spot).inset(scale.points(2)), corner: scale.points(8))
        return [
            .stroke(ring, Stroke(.role(.white), scale.points(5))), .stroke(ring, Stroke(.role(role), scale.points(3))),
        ]
    }
}

/// A position that knows its board: each of the app's games, next to the board that it has.
public protocol Drawn: State {
    func drawing(_ shown: Shown) -> any Board
}

/// The board for a position; GameError where the game has none.
public func board(_ shown: Shown) throws -> any Board {
    guard let state = shown.state as? any Drawn else {
        throw GameError("\(type(of: shown.state)): the app has no board for this game, choose another game.")
    }
    return state.drawing(shown)
}
