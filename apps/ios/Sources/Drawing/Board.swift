import AzxEngine

/// Everything that a board shows.
public struct Shown: Sendable {
    public let state: any State
    /// The person's side; no player if no person plays.
    public let human: Player
    /// The last move that was no forced pass.
    public let last: Int?
    /// What would have been better than the last move; nil if unknown.
    public let better: Int?
    /// The moves that are equally good, as far as a hint sees.
    public let equal: [Int]
    public let heat: Heat
    /// Whether the board offers moves; taps and speech work in any case.
    public let canPlay: Bool
    /// The spot under a finger or a pointer.
    public let touched: Int?
    /// The spot that the keys have reached.
    public let cursor: Int?
    /// The discs that still fall.
    public let falls: [Fall]
    /// The pieces that still grow.
    public let arrivals: [Arrival]
    /// Dead stones and areas of a board that is counted; nil if all stones count.
    public let counted: Counted?

    /// `heat` is the share (0 to 1) of each considered action. `rates` are the person's chances after them if a search gives them,
    /// `points` what they lose against the best one if known.
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

/// The board of a game at one position: spots (columns, edges, cells, points) that a person can choose, numbered from 0.
///
/// All lengths are in units of the board.
public protocol Board: Sendable {
    var shown: Shown { get }
    var width: Double { get }
    var height: Double { get }
    /// The position of the first line, across and down, and its width, for boards whose lines should lie on whole pixels; nil for others.
    var firstLine: (at: Double, width: Double)? { get }
    /// How many spots there are.
    var spots: Int { get }
    /// The spot at a point; nil beside all spots.
    func spot(at point: Point) -> Int?
    /// Where a spot is.
    func frame(of spot: Int) -> Box
    /// The action that choosing a spot plays, legal or not.
    func action(of spot: Int) -> Int
    /// The spot that shows an action; nil for a pass, which no spot shows.
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

    /// The action that a tap at a point plays, legal or not; nil if it plays none.
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

/// A position that knows its board, as those of all the app's games do.
public protocol Drawn: State {
    func drawing(_ shown: Shown) -> any Board
}

/// The board of a position; GameError if its game has none.
public func board(_ shown: Shown) throws -> any Board {
    guard let state = shown.state as? any Drawn else {
        throw GameError("\(type(of: shown.state)): the app has no board for this game, choose another game.")
    }
    return state.drawing(shown)
}
