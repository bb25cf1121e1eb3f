import AzxDrawing
import AzxEngine
import AzxPlay

/// A move of the game, as an entry of a list that leads to its position.
public struct MoveRow: Equatable, Identifiable, Sendable {
    /// How many moves lead to the position behind it.
    public let id: Int
    public let move: Phrase.Part
    /// What an analysis calls it, where that is nothing to be proud of.
    public let mark: Phrase?
    /// Whether its position is the one that is shown.
    public let isShown: Bool

    /// What a screen reader says.
    public var said: [Phrase.Part] { [.whole(id), move] + (mark.map { [.phrase($0)] } ?? []) }
}

extension Table {
    /// All moves of the game, forced passes among them.
    public var moveRows: [MoveRow] {
        let judged = session.review.moves
        return session.actions.enumerated().map { at, action in
            let verdict = judged.indices.contains(at) ? judged[at].verdict : .good
            return MoveRow(
                id: at + 1, move: .opening(move(action, session.states[at])), mark: verdict == .good ? nil : verdict.phrase,
                isShown: line == nil && session.ply == at + 1)
        }
    }

    /// Look at the position behind so many moves.
    public func look(at moves: Int) {
        if !isReplay { replay(true) }
        show(at: moves)
    }
}
