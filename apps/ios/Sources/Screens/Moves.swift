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

    /// That stones stood before the first move; nil where none did.
    public var stonesSetUp: Phrase? { session.setUp > 0 ? Phrase("stones_set_up") : nil }

    /// Look at the position behind so many moves.
    public func look(at moves: Int) {
        if !isReplay { replay(true) }
        show(at: moves)
    }
}
