import AzxDrawing
import AzxPlay

/// The graph of chances as it lies in a rectangle: the moves from left to right, a sure win above, with the mistakes that an
/// analysis has found.
public struct ChanceGraph: Equatable, Sendable {
    /// A mistake, as a disc: the larger one is the worse one, as not everybody tells the colours apart.
    public struct Mark: Equatable, Sendable {
        public let centre: AzxDrawing.Point
        public let radius: Double
        public let isBlunder: Bool
    }

    public let points: [AzxDrawing.Point]
    public let marks: [Mark]
    /// Where the position that is shown is, from the left.
    public let now: Double

    @MainActor public init(_ session: Session, width: Double, height: Double) {
        let all = Double(max(1, session.number(at: session.moves)))
        let x = { (moves: Int) -> Double in width * Double(session.number(at: moves)) / all }
        let place = { (moves: Int, rate: Double) -> AzxDrawing.Point in AzxDrawing.Point(x(moves), height * (1 - rate)) }
        points = session.curve().map { place($0.moves, $0.rate) }
        marks = session.marks.map {
            Mark(centre: place($0.moves, $0.rate), radius: $0.isBlunder ? 5 : 4, isBlunder: $0.isBlunder)
        }
        now = x(session.ply)
    }
}
