import AzxDrawing
import AzxEngine
import AzxPlay

/// The graph of a game as it lies in a rectangle: the moves from left to right, a sure win or the largest lead at the top, with
/// the mistakes that an analysis has found.
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

    /// `panel` is that of the position that the session shows.
    public init(_ session: Session, _ panel: Panel, width: Double, height: Double) {
        let all = Double(max(1, session.number(at: session.moves)))
        let x = { (moves: Int) -> Double in width * Double(session.number(at: moves)) / all }
        let place = { (moves: Int, share: Double) in AzxDrawing.Point(x(moves), height * (1 - share)) }
        let graph = session.graph(panel)
        points = graph.map { place($0.moves, $0.share) }
        let shares = Dictionary(uniqueKeysWithValues: graph.map { ($0.moves, $0.share) })
        marks = session.marks.map {
            // A mistake at a position without a figure lies in the middle.
            let centre = place($0.moves, shares[$0.moves] ?? 0.5)
            return Mark(centre: centre, radius: $0.isBlunder ? 5 : 4, isBlunder: $0.isBlunder)
        }
        now = x(session.ply)
    }
}
