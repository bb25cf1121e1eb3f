/// What a finger hides, enlarged above it: for boards whose points are smaller than a finger.
public struct Lens: Equatable, Sendable {
    /// A board has a lens if its points are closer than this, in points of the screen.
    public static let neededBelow = 32.0
    public static let radius = 72.0
    /// The gap between a finger's middle and the lens.
    private static let gap = 28.0
    /// The distance of two points of the board in the lens.
    private static let pitch = 44.0
    private static let leastZoom = 1.5

    /// The lens's middle, in points of the board's view.
    public let centre: Point
    /// The place of the enlarged board in the lens, whose upper left corner is (0, 0).
    public let fit: Fit

    /// A lens above a `finger` at a point of the board's view, or beside it if the space `above` the view is too small, within
    /// the view's width. All are in points of the screen. nil if the board's points are large enough.
    public init?(_ board: any Board, _ fit: Fit, spot: Int, finger: Point, width: Double, above: Double) {
        let unit = fit.scale.unit
        if unit >= Self.neededBelow { return nil }
        let far = Self.radius + Self.gap
        let isAbove = finger.y - far >= Self.radius - above
        let x = isAbove ? finger.x : finger.x - far >= Self.radius ? finger.x - far : finger.x + far
        centre = Point(
            min(max(x, Self.radius), max(Self.radius, width - Self.radius)), max(finger.y - far, Self.radius - above))
        let zoomed = max(Self.leastZoom * unit, Self.pitch)
        let middle = board.frame(of: spot).centre
        self.fit = Fit(
            scale: Scale(unit: zoomed, pixels: fit.scale.pixels), left: Self.radius - middle.x * zoomed,
            top: Self.radius - middle.y * zoomed)
    }
}
