/// The scale and the place of a board on a screen.

/// The scale of a drawn board, for what does not grow with it, such as a line that must be seen.
public struct Scale: Equatable, Sendable {
    /// Points of the screen in a unit of the board.
    public let unit: Double
    /// Pixels of the screen in a point.
    public internal(set) var pixels = 1.0

    /// A number of points, in units of the board.
    func points(_ count: Double) -> Double { count / unit }

    /// A width in units, as a whole number of pixels, one at least: in units again.
    func crisp(_ width: Double) -> Double { max(1, (width * unit * pixels).rounded()) / (unit * pixels) }
}

/// The place of a board in a view, in points: as large as possible, in the middle, its lines on pixels.
public struct Fit: Equatable, Sendable {
    public let scale: Scale
    public let left: Double
    public let top: Double
}

extension Fit {
    /// `pixels` is the number of pixels per point.
    public init(_ board: any Board, width: Double, height: Double, pixels: Double) {
        let room = min(width / board.width, height / board.height) * pixels
        // A whole number of pixels, so that every cell is as large as the others.
        let unit = max(1, room.rounded(.down))
        scale = Scale(unit: unit / pixels, pixels: pixels)
        left = Self.start(board, board.width, width * pixels, unit, scale) / pixels
        top = Self.start(board, board.height, height * pixels, unit, scale) / pixels
    }

    /// A square of one unit that is `points` wide.
    public init(square points: Double, pixels: Double) {
        scale = Scale(unit: points, pixels: pixels)
        (left, top) = (0, 0)
    }

    /// The start of a board, in pixels, so that its lines cover whole pixels: their middle is in one, or between two.
    private static func start(
        _ board: any Board, _ length: Double, _ room: Double, _ unit: Double, _ scale: Scale
    ) -> Double {
        let first = ((room - length * unit) / 2).rounded(.down)
        guard let line = board.firstLine else { return first }
        let middle = first + line.at * unit
        let half = (scale.crisp(line.width) * unit).rounded().truncatingRemainder(dividingBy: 2) / 2
        return first + (middle - half).rounded() + half - middle
    }

    /// A point of the view in units of the board.
    public func point(x: Double, y: Double) -> Point { Point((x - left) / scale.unit, (y - top) / scale.unit) }

    /// A box of the board in points of the view.
    public func place(_ box: Box) -> Box {
        Box(left + box.x * scale.unit, top + box.y * scale.unit, box.width * scale.unit, box.height * scale.unit)
    }
}
