/// The drawing of a board: a list of shapes in board units, the first one at the bottom.
///
/// A unit is a division of the board: a cell, a point with its surroundings, a step between dots. (0, 0) is the board's upper
/// left corner, and y grows downwards.

public struct Point: Equatable, Sendable {
    public let x: Double
    public let y: Double

    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

public struct Box: Equatable, Sendable {
    public let x: Double
    public let y: Double
    public let width: Double
    public let height: Double

    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A square around a point.
    init(around centre: Point, half: Double) {
        self.init(centre.x - half, centre.y - half, 2 * half, 2 * half)
    }

    public var centre: Point { Point(x + width / 2, y + height / 2) }

    /// Whether a point is in it; the right and the lower border are not.
    public func contains(_ point: Point) -> Bool {
        x <= point.x && point.x < x + width && y <= point.y && point.y < y + height
    }

    /// The box whose sides are `by` inside this one's; outside if it is negative.
    func inset(_ by: Double) -> Box { Box(x + by, y + by, width - 2 * by, height - 2 * by) }
}

public indirect enum Outline: Equatable, Sendable {
    case circle(Point, radius: Double)
    case box(Box, corner: Double)
    case line(Point, Point)
    /// Lines from point to point, and back to the first if it is closed.
    case polygon([Point], isClosed: Bool)
    /// The first outline without what the circles cover.
    case holed(Outline, holes: [Point], radius: Double)
}

/// A colour at a place, 0 to 1, of a gradient.
public struct Stop: Equatable, Sendable {
    public let at: Double
    public let tint: Tint

    init(_ at: Double, _ tint: Tint) {
        self.at = at
        self.tint = tint
    }
}

public enum Fill: Equatable, Sendable {
    case plain(Tint)
    case linear(from: Point, to: Point, [Stop])
    /// From a centre outwards; beyond the radius it has the last colour.
    case radial(Point, radius: Double, [Stop])
}

/// A line's colour and width; its ends and corners are round, or its ends square.
public struct Stroke: Equatable, Sendable {
    public let tint: Tint
    public let width: Double
    public let isRound: Bool

    init(_ tint: Tint, _ width: Double, isRound: Bool = true) {
        self.tint = tint
        self.width = width
        self.isRound = isRound
    }
}

/// A short text in bold, in the middle of which `centre` lies: halfway along it, and halfway up its capitals.
public struct Text: Equatable, Sendable {
    public let content: Phrase.Part
    public let centre: Point
    /// The height of the font.
    public let size: Double
    public let tint: Tint
}

public enum Shape: Equatable, Sendable {
    case fill(Outline, Fill)
    case stroke(Outline, Stroke)
    case text(Text)
}

/// The functions by which boards add shapes.
extension [Shape] {
    mutating func disc(_ centre: Point, _ radius: Double, _ tint: Tint) {
        append(.fill(.circle(centre, radius: radius), .plain(tint)))
    }

    mutating func ring(_ centre: Point, _ radius: Double, _ tint: Tint, _ width: Double) {
        append(.stroke(.circle(centre, radius: radius), Stroke(tint, width)))
    }

    mutating func box(_ box: Box, corner: Double = 0, _ tint: Tint) {
        append(.fill(.box(box, corner: corner), .plain(tint)))
    }

    mutating func line(_ from: Point, _ to: Point, _ tint: Tint, _ width: Double) {
        append(.stroke(.line(from, to), Stroke(tint, width)))
    }

    /// Two diagonal lines through a point, which end `arm` to each side and `arm` above and below.
    mutating func cross(_ centre: Point, arm: Double, _ tint: Tint, _ width: Double) {
        for down in [arm, -arm] {
            line(Point(centre.x - arm, centre.y - down), Point(centre.x + arm, centre.y + down), tint, width)
        }
    }

    mutating func write(_ content: Phrase.Part, _ centre: Point, _ size: Double, _ tint: Tint) {
        append(.text(Text(content: content, centre: centre, size: size, tint: tint)))
    }
}
