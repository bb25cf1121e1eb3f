import AzxDrawing
import AzxEngine
import AzxPlay

extension Table {
    /// The AI's chance of winning; nil if unknown. Against a person it is the rest of their chance, so that both add up to 100 percent.
    /// In a game that the AI plays against itself it is the chance of its last thought, until the game is over.
    public var winRate: Double? {
        if session.hasPerson { return panel.chance.map { 1 - (100 * $0).rounded() / 100 } }
        return session.phase == .over ? nil : progress?.winRate
    }
}

/// The texts of the graph: the person's chances or lead, in other games those of the player who began.
public struct Chances: Equatable, Sendable {
    public let title: Phrase
    /// What a screen reader says: the figure of the bar above the board, too.
    public let said: Phrase

    @MainActor public init(_ table: Table, _ presentation: Presentation) {
        let (session, panel) = (table.session, table.panelOfGame)
        if let lead = lead(session, panel, presentation) {
            (title, said) = (lead, lead)
            return
        }
        let now = panel.chance.map { Phrase.Part.phrase(.percent($0)) }
        if !session.hasPerson {
            let side = presentation.player(session.side, session.names)
            title = Phrase("chances_of", side)
            said = now.map { Phrase("chances_of_now", side, $0) } ?? Phrase("chances_of_unknown", side)
        } else {
            title = Phrase("chances")
            said = now.map { Phrase("chances_now", $0) } ?? Phrase("chances_unknown")
        }
    }
}

/// Who leads by how many boxes, discs or points, or wins if both play perfectly; nil for a chance that nothing proves.
func lead(_ session: Session, _ panel: Panel, _ presentation: Presentation) -> Phrase? {
    guard let figure = panel.figure else { return nil }
    let side = Phrase.Part.opening(session.hasPerson ? .words("you") : presentation.player(session.side, session.names))
    if figure.unit == .chance {
        guard figure.source == .solved, let result = panel.proven?.result else { return nil }
        return Phrase(result > 0 ? "solved_won" : result < 0 ? "solved_lost" : "solved_drawn", side)
    }
    if figure.value == 0 { return Phrase("lead_even", side) }
    return Phrase(figure.value > 0 ? "lead_ahead" : "lead_behind", side, amount(figure))
}

/// "3 boxes", "4.5 ± 12 points".
private func amount(_ figure: Panel.Figure) -> Phrase.Part {
    let lead = abs(figure.value)
    if figure.unit != .points { return .words("\(figure.unit.rawValue)_count", .whole(Int(lead))) }
    if figure.spread == 0 { return .words("points_count", .number(lead)) }
    return .words("points_count", .text("\(Int(lead.rounded())) ± \(Int(figure.spread.rounded()))"))
}

/// The graph of a game in a rectangle: moves from left to right, a sure win or the largest lead at the top. It has the mistakes
/// that an analysis has found.
public struct ChanceGraph: Equatable, Sendable {
    /// A mistake as a disc. A larger one is a blunder, as not everybody can tell the colours apart.
    public struct Mark: Equatable, Sendable {
        public let centre: AzxDrawing.Point
        public let radius: Double
        public let isBlunder: Bool
    }

    public let points: [AzxDrawing.Point]
    public let marks: [Mark]
    /// The place of the shown position, from the left.
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
