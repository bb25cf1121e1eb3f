import AzxDrawing
import AzxEngine
import AzxPlay

/// The end of a game: the result, the score, the reason, and whether the sides can be swapped.
public struct Outcome: Equatable, Sendable {
    public let result: Phrase
    /// The score of a counted game, "6 : 3", first the person's or that of the player who began; nil in other games.
    public let score: String?
    /// The winning row, the score in words, or that somebody gave up; nil if nothing is to be said.
    public let why: Phrase?
    public let canSwap: Bool
}

extension Table {
    /// The end of the game; nil while it is under way, and in a replay.
    public func outcome(_ presentation: Presentation) -> Outcome? {
        if session.phase != .over || isReplay { return nil }
        return Outcome(
            result: result(session, presentation), score: score(session), why: reason(session, presentation), canSwap: session.hasPerson)
    }
}

/// The result of a game that is over.
func result(_ session: Session, _ presentation: Presentation) -> Phrase {
    guard let winner = session.winner else { return Phrase("draw") }
    if !session.hasPerson { return Phrase("winner_is", presentation.player(winner, session.names)) }
    return Phrase(winner == session.human ? "you_won" : "ai_won")
}

/// The boxes, discs or points of both sides at the end; nil if nothing was counted.
func score(_ session: Session) -> String? {
    if !session.isCounted { return nil }
    let sides = [session.side, other(session.side)]
    switch session.latest {
    case let state as any CountedState: return sides.map { "\(state.scores[$0])" }.joined(separator: " : ")
    case let state as Go:
        let areas = state.areas(without: session.dead).map { Double($0.count) }
        // White has the komi.
        let points = [areas[0], areas[1] + state.komi]
        return sides.map { points[$0] == points[$0].rounded() ? "\(Int(points[$0]))" : "\(points[$0])" }.joined(separator: " : ")
    default: return nil
    }
}

/// How a game that was played or watched here ended, for the list of networks.
func describeEnding(_ record: GameRecord) -> Phrase {
    guard let winner = record.winner else { return Phrase("finished_draw") }
    if !record.hasPerson { return Phrase("finished_watched", .phrase(Presentation(record.game).pieces[winner])) }
    return Phrase(winner == record.human ? "finished_won" : "finished_lost")
}

func reason(_ session: Session, _ presentation: Presentation) -> Phrase? {
    if case .lost(let by, let isLate) = session.ending {
        let who = presentation.player(by, session.names)
        return isLate ? Phrase("ended_time", who) : Phrase("ended_resigned", .opening(who))
    }
    if session.ending == .resigned { return Phrase("you_resigned") }
    switch session.latest {
    case let state as any CountedState: return counts(session, state)
    case let state as Go: return score(state, without: session.dead)
    default: return winningRow(session.latest) ?? (session.winner == nil ? Phrase("no_row") : nil)
    }
}
