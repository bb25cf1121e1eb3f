import AzxDrawing
import AzxPlay

extension Table {
    /// The board at the position that is shown; nil for a game that has none.
    public var board: (any Board)? {
        let shown = Shown(
            session.visible, human: session.human, last: session.lastMove, heat: heat, canPlay: canPlay)
        return try? AzxDrawing.board(shown)
    }
}
