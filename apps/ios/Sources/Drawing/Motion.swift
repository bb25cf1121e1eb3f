import AzxEngine

/// A piece on its way to its full size, in its place.
public struct Arrival: Equatable, Sendable {
    /// The duration in seconds.
    static let seconds = 0.2

    public let action: Int
    /// How much of it is there, 0 to 1.
    public let grown: Double

    /// The piece of an action after a share, 0 to 1, of that time: slower and slower. Nil once it is there.
    public init?(of action: Int, after time: Double) {
        guard time < 1 else { return nil }
        self.action = action
        grown = 1 - (1 - time) * (1 - time)
    }
}

/// The animation of a move: a disc falls, anything else grows.
public struct Motion: Equatable, Sendable {
    /// Its duration.
    public let seconds: Double
    private let action: Int
    /// Whether it is a falling disc.
    public let falls: Bool

    /// The motion of the move that has led to a position.
    public init(of action: Int, _ state: any State) {
        self.action = action
        let width = (state as? any ColumnState)?.width
        falls = width != nil
        seconds = width.map { Fall.duration(rows: action / $0 + 1) } ?? Arrival.seconds
    }

    /// The disc that falls, `time` seconds after the start; nil if none does.
    public func fall(after time: Double) -> Fall? { falls ? Fall(to: action, after: time / seconds) : nil }

    /// The piece that grows, `time` seconds after the start; nil if none does.
    public func arrival(after time: Double) -> Arrival? { falls ? nil : Arrival(of: action, after: time / seconds) }
}
