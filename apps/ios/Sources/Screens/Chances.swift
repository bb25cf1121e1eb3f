import AzxDrawing
import AzxEngine
import AzxPlay

extension Table {
    /// How much of the bar with the chances is the near player's: what a search of the position that is shown says, else
    /// the game's chances there; nil where none is known.
    public var evaluation: Double? {
        guard let seen = found?.seen else { return session.chanceShown }
        return seen.mover == session.side ? seen.chance : 1 - seen.chance
    }
}

/// What is said of the graph of chances: the person's, or those of who began where there is none.
public struct Chances: Equatable, Sendable {
    public let title: Phrase
    /// What a screen reader says: the latest ones too.
    public let said: Phrase

    public init(_ session: Session, _ presentation: Presentation) {
        let now = session.curve().last.map { Phrase.Part.phrase(.percent($0.rate)) }
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
