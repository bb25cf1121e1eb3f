import AzxDrawing
import AzxEngine
import AzxPlay

/// A player's bar at the board: name, pieces, strength, what they have, and whether they move next.
public struct Chip: Equatable, Identifiable, Sendable {
    public let player: Player
    /// You, AI, or a name of a record.
    public let who: Phrase.Part
    /// Its pieces, and how strong the network is; nil if `who` is the name of the pieces.
    public let what: Phrase?
    /// Boxes, captures or points; nil in a game without a count.
    public let count: Phrase?
    /// The wins in a series; nil outside of one.
    public let wins: Phrase.Part?
    /// That the player moves next, or has won; nil otherwise.
    public let mark: Phrase?

    public var id: Player { player }
    /// What a screen reader says, one after the other.
    public var said: [Phrase.Part] {
        [who] + [what, count].compactMap { $0.map { .phrase($0) } } + [wins, mark.map { .phrase($0) }].compactMap { $0 }
    }
}

/// Both players' bars: the person first, or the player who began if no person plays.
@MainActor
public func chips(_ table: Table, _ presentation: Presentation) -> [Chip] {
    let session = table.session
    return [session.side, other(session.side)].map { player in
        let (isHuman, piece) = (player == session.human, presentation.pieces[player])
        let strength = Phrase("piece_strength", .phrase(piece), .phrase(table.choices.strength.phrase))
        let who: Phrase.Part =
            session.isRead ? .opening(presentation.player(player, session.names)) : .words(isHuman ? "you" : "ai")
        let named = table.sides.map { nameAndStrength($0, player, piece, presentation.game) }
        return Chip(
            player: player, who: named?.who ?? who, what: named?.what ?? (isHuman || session.isRead ? piece : strength),
            count: count(table.displayed, of: player), wins: table.wins.map { .whole($0[player]) },
            mark: mark(session, of: player, toMove: session.latest.toMove))
    }
}

/// The bars of two people at one device, the player who began first.
@MainActor
func chips(_ table: SharedTable, _ presentation: Presentation) -> [Chip] {
    let session = table.session
    return [0, 1].map { player in
        let isNamed = session.names?[player].isEmpty == false
        return Chip(
            player: player, who: .opening(presentation.player(player, session.names)),
            what: isNamed ? presentation.pieces[player] : nil,
            count: count(session, of: player), wins: nil, mark: mark(session, of: player, toMove: session.visible.toMove))
    }
}

/// How two networks differ: by title and strength, or by strength alone if both are the same network.
private func nameAndStrength(
    _ sides: [GameRecord.Side], _ player: Player, _ piece: Phrase, _ game: String
) -> (who: Phrase.Part, what: Phrase) {
    let (name, strength) = (shortTitle(sides[player].name, game), sides[player].strength)
    if sides[0].bundle == sides[1].bundle { return (strength ?? name, piece) }
    return (name, strength.map { Phrase("piece_strength", .phrase(piece), $0) } ?? piece)
}

/// What a player has in the shown position.
private func count(_ session: Session, of player: Player) -> Phrase? {
    switch session.visible {
    case let state as any CountedState:
        return Phrase(state is Reversi ? "discs_count" : "boxes_count", .whole(state.scores[player]))
    // While the dead stones are not agreed on there is no score yet.
    case let state as Go where state.isTerminal && session.phase != .scoring:
        let area = Double(state.areas(without: session.dead)[player].count)
        // White has the komi.
        return Phrase("points_count", .number(player == 1 ? area + state.komi : area))
    case let state as Go: return Phrase("captured_count", .whole(state.prisoners[player]))
    default: return nil
    }
}

/// A network's title without the name of its game, which the board shows: "run-17" for "Connect4 (run-17)".
func shortTitle(_ title: String, _ game: String) -> Phrase.Part {
    guard let known = Game.games.first(where: { $0.name == game }) else { return .text(title) }
    if title == known.title { return Presentation(game).title }
    let before = "\(known.title) ("
    return .text(title.hasPrefix(before) && title.hasSuffix(")") ? String(title.dropFirst(before.count).dropLast()) : title)
}

/// Whether a player has won or, as is `toMove`, moves next.
private func mark(_ session: Session, of player: Player, toMove: Player) -> Phrase? {
    switch session.phase {
    case .over: session.winner == player ? Phrase("won") : nil
    // No player moves while the dead stones are agreed on.
    case .scoring: nil
    case .yours, .theirs, .read: toMove == player ? Phrase("to_move") : nil
    }
}
