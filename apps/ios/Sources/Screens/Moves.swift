import AzxDrawing
import AzxEngine
import AzxPlay

/// A move of the game as a row of the list; a tap shows its position.
public struct MoveRow: Equatable, Identifiable, Sendable {
    /// The number of moves to its position.
    public let id: Int
    /// The number of the move, counted from the first played one.
    public let number: Int
    public let move: Phrase.Part
    /// The verdict of an analysis; nil for a good move.
    public let mark: Phrase?
    /// Whether its position is shown.
    public let isShown: Bool

    /// The anchor by which a scroll view finds it.
    public struct Anchor: Hashable, Sendable {
        let moves: Int
    }

    public var anchor: Anchor { Anchor(moves: id) }

    /// What a screen reader says.
    public var said: [Phrase.Part] { [.whole(number), move] + (mark.map { [.phrase($0)] } ?? []) }
}

extension Table {
    /// All played moves, forced passes included.
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

    /// The move that the list keeps in sight: the one before the shown position, or before the position that a line branches off from.
    /// The first one at the first position; nil before any move.
    public var moveInSight: MoveRow.Anchor? {
        if session.moves == session.setUp { return nil }
        return MoveRow.Anchor(moves: max(session.setUp + 1, line?.from ?? session.ply))
    }

    /// That stones were set up before the first move; nil if none were.
    public var stonesSetUp: Phrase? { session.setUp > 0 ? Phrase("stones_set_up") : nil }

    /// Show the position after `moves` moves in a replay.
    public func look(at moves: Int) {
        if !isReplay { replay(true) }
        show(at: moves)
    }
}

extension Seat {
    /// The same if a slider scrolls with the list: nil at the position that the slider showed, so that the slider stays in sight.
    public var moveInSight: MoveRow.Anchor? {
        table.line == nil && table.isReplay && slid == table.session.ply ? nil : table.moveInSight
    }
}
