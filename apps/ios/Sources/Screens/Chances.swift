import AzxDrawing
import AzxEngine
import AzxPlay

extension Table {
    /// How much of the bar with the chances is the near player's; nil where none is known. All that tells chances says this.
    ///
    /// A result rules over what a search of the position that is shown has found, that over the thought that is under way, and
    /// that over what was known of earlier positions.
    public var evaluation: Double? {
        let isLast = line == nil && session.ply == session.moves
        if isLast, session.phase == .over { return session.chanceShown }
        if let seen = found?.seen { return seen.chance(of: session.side) }
        if isLast, isThinking, session.hasPerson, let rate = progress?.winRate {
            return session.latest.toMove == session.side ? rate : 1 - rate
        }
        return session.chanceShown
    }

    /// The AI's chance of winning; nil where none is known. Against a person it is what their chance leaves, so that both make a
    /// hundred in whole percents; where it plays itself it is what it thinks, while the game goes on.
    public var winRate: Double? {
        if session.hasPerson { return evaluation.map { 1 - (100 * $0).rounded() / 100 } }
        return session.phase == .over ? nil : progress?.winRate
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
