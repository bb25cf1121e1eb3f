import AzxDrawing
import AzxEngine
import AzxPlay

extension Table {
    /// How much of the bar with the chances is the near player's: what a search of the position that is shown says, else
    /// the game's chances there; nil where none is known.
    public var evaluation: Double? {
        found?.seen?.chance(of: session.side) ?? session.chanceShown
    }

    /// The AI's chance of winning, as its last thought has found it; once the game is over its result, and whatever a search of
    /// the position that is shown says, as the bar does. nil where none is known.
    public var winRate: Double? {
        if session.hasPerson, isReplay || found?.seen != nil || session.phase == .over { return evaluation.map { 1 - $0 } }
        guard session.phase == .over, session.isWatched, let mover = lastMover else { return progress?.winRate }
        return Double(1 + (mover == session.side ? session.result : -session.result)) / 2
    }

    /// Who has made the last move that was not forced; nil before the first one.
    private var lastMover: Player? {
        session.states.dropLast().last { !isForcedPass($0) }?.toMove
    }
}

/// What is said of the graph of chances: the person's, or those of who began where there is none.
public struct Chances: Equatable, Sendable {
    public let title: Phrase
    /// What a screen reader says: those of the bar above the board, too.
    public let said: Phrase

    @MainActor public init(_ table: Table, _ presentation: Presentation) {
        let session = table.session
        let now = table.evaluation.map { Phrase.Part.phrase(.percent($0)) }
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
