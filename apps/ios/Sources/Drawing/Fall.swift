/// A disc on its way from above the board to its cell.
public struct Fall: Equatable, Sendable {
    /// The time of a fall through one row, in seconds; it grows with the root of the height.
    private static let second = 0.21
    private static let landing = 0.72
    private static let bounce = 0.05

    public let cell: Int
    /// How much of the way is left, 1 to 0.
    public let left: Double

    /// The seconds that a disc takes to fall through a number of rows.
    public static func duration(rows: Int) -> Double { second * Double(rows).squareRoot() }

    /// The disc on the way to a cell after a share, 0 to 1, of that time: faster and faster, then one small bounce.
    /// Nil once it has arrived.
    public init?(to cell: Int, after time: Double) {
        guard time < 1 else { return nil }
        let since = (time - Self.landing) / (1 - Self.landing)
        self.cell = cell
        let fallen = time / Self.landing
        left = since < 0 ? 1 - fallen * fallen : Self.bounce * 4 * since * (1 - since)
    }
}
