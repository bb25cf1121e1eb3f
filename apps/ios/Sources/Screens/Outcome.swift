import AzxDrawing
import AzxEngine
import AzxPlay

/// What is said at the end of a game: the result, why it is so, and whether there are sides to be swapped.
public struct Outcome: Equatable, Sendable {
    public let result: Phrase
    /// The row from where to where, the score, or that a person gave up; nil where there is nothing to say.
    public let why: Phrase?
    public let canSwap: Bool
}

extension Table {
    /// The game's end; nil while it is under way, and in a replay, which shows the game and not its end.
    public func outcome(_ presentation: Presentation) -> Outcome? {
        if session.phase != .over || isReplay { return nil }
        return Outcome(
            result: result(session, presentation), why: reason(session, presentation), canSwap: session.hasPerson)
    }
}

/// Who has won a game that is over.
func result(_ session: Session, _ presentation: Presentation) -> Phrase {
    guard let winner = session.winner else { return Phrase("draw") }
    if !session.hasPerson { return Phrase("winner_is", presentation.player(winner, session.names)) }
    return Phrase(winner == session.human ? "you_won" : "ai_won")
}

/// How a game that was played or watched here has ended, for the list of networks.
func describeEnding(_ record: GameRecord) -> Phrase {
    guard let winner = record.winner else { return Phrase("finished_draw") }
    if !record.hasPerson { return Phrase("finished_watched", .phrase(Presentation(record.game).pieces[winner])) }
    return Phrase(winner == record.human ? "finished_won" : "finished_lost")
}

func reason(_ session: Session, _ presentation: Presentation) -> Phrase? {
    if case .lost(let by, let isLate) = session.ending {
        return Phrase(isLate ? "ended_time" : "ended_resigned", .opening(presentation.player(by, session.names)))
    }
    if session.ending == .resigned { return Phrase("you_resigned") }
    switch session.latest {
    case let state as DotsAndBoxes: return boxes(session, state)
    case let state as Go: return score(state, without: session.dead)
    case let state as Reversi: return discs(session, state)
    default: return winningRow(session.latest) ?? (session.winner == nil ? Phrase("no_row") : nil)
    }
}
