import AzxDrawing
import AzxEngine
import AzxPlay

/// A move of the game, as an entry of a list that leads to its position.
public struct MoveRow: Equatable, Identifiable, Sendable {
    /// How many moves lead to the position behind it.
    public let id: Int
    /// Counted from the first that was played.
    public let number: Int
    public let move: Phrase.Part
    /// What an analysis calls it, where that is nothing to be proud of.
    public let mark: Phrase?
    /// Whether its position is the one that is shown.
    public let isShown: Bool

    /// By which it is found among all that scrolls with it.
    public struct Anchor: Hashable, Sendable {
        let moves: Int
    }

    public var anchor: Anchor { Anchor(moves: id) }

    /// What a screen reader says.
    public var said: [Phrase.Part] { [.whole(number), move] + (mark.map { [.phrase($0)] } ?? []) }
}

extension Table {
    /// All moves of the game that were played, forced passes among them.
    public var moveRows: [MoveRow] {
        let (judged, actions) = (session.review.moves, session.actions)
        return actions.indices.dropFirst(session.setUp).map { at in
            let number = session.number(at: at + 1)
            let verdict = judged.count < number ? .good : judged[number - 1].verdict
            return MoveRow(
                id: at + 1, number: number, move: .opening(move(actions[at], session.states[at])),
                mark: verdict == .good ? nil : verdict.phrase, isShown: line == nil && session.ply == at + 1)
        }
    }

    /// The move of the list that is to be in sight: the one that leads to the position shown, or to that which a line branches
    /// off from; at the first position the first one. nil where there is no move.
    public var moveInSight: MoveRow.Anchor? {
        if session.moves == session.setUp { return nil }
        return MoveRow.Anchor(moves: max(session.setUp + 1, line?.from ?? session.ply))
    }

    /// That stones stood before the first move; nil where none did.
    public var stonesSetUp: Phrase? { session.setUp > 0 ? Phrase("stones_set_up") : nil }

    /// Look at the position behind so many moves.
    public func look(at moves: Int) {
        if !isReplay { replay(true) }
        show(at: moves)
    }
}

extension Seat {
    /// The same where a slider scrolls with the list: nil at a position to which it has led, as it would go out of sight itself.
    public var moveInSight: MoveRow.Anchor? {
        table.line == nil && table.isReplay && slid == table.session.ply ? nil : table.moveInSight
    }
}
