import AzxDrawing
import AzxEngine
import AzxPlay

/// A side of a game as it sits at the board: who plays with what, how strong, what it has, and whether it moves next.
public struct Chip: Equatable, Identifiable, Sendable {
    public let player: Player
    /// You, AI, or somebody whom a record names.
    public let who: Phrase.Part
    /// Its pieces, and how strong the network is.
    public let what: Phrase
    /// Its boxes, captures or points; nil where a game has nothing to count.
    public let count: Phrase?
    /// That it moves next, or that it has won; nil where neither is so.
    public let mark: Phrase?

    public var id: Player { player }
    /// What a screen reader says, one after the other.
    public var said: [Phrase.Part] { [who] + [what, count, mark].compactMap { $0.map { .phrase($0) } } }
}

/// The two sides: the person first, or who began where there is none.
@MainActor
public func chips(_ table: Table, _ presentation: Presentation) -> [Chip] {
    let session = table.session
    return [session.side, other(session.side)].map { player in
        let (isHuman, piece) = (player == session.human, presentation.pieces[player])
        let strength = Phrase("piece_strength", .phrase(piece), .phrase(table.choices.strength.phrase))
        let who = session.isRead ? presentation.player(player, session.names) : .words(isHuman ? "you" : "ai")
        return Chip(
            player: player, who: who, what: isHuman || session.isRead ? piece : strength,
            count: count(table.displayed, of: player), mark: mark(session, of: player))
    }
}

/// What a player has in the position shown.
private func count(_ session: Session, of player: Player) -> Phrase? {
    switch session.visible {
    case let state as DotsAndBoxes: return Phrase("boxes_count", .whole(state.scores[player]))
    case let state as Reversi: return Phrase("discs_count", .whole(state.scores[player]))
    // While the dead stones are not agreed on there is no score yet.
    case let state as Go where state.isTerminal && session.phase != .scoring:
        let area = Double(state.areas(without: session.dead)[player].count)
        // White has the komi.
        return Phrase("points_count", .number(player == 1 ? area + state.komi : area))
    case let state as Go: return Phrase("captured_count", .whole(state.prisoners[player]))
    default: return nil
    }
}

/// What is to be said of a player at the end of the game.
private func mark(_ session: Session, of player: Player) -> Phrase? {
    switch session.phase {
    case .over: session.winner == player ? Phrase("won") : nil
    // Nobody moves while the dead stones are agreed on.
    case .scoring: nil
    case .yours, .theirs, .read: session.latest.toMove == player ? Phrase("to_move") : nil
    }
}
