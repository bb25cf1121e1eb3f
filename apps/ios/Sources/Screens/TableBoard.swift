import AzxDrawing
import AzxPlay

extension Table {
    /// The board at the position that is shown; nil for a game that has none.
    public var board: (any Board)? { board() }

    func board(
        touched: Int? = nil, cursor: Int? = nil, falls: [Fall] = [], arrivals: [Arrival] = []
    ) -> (any Board)? {
        let session = displayed
        let better = isReplay && line == nil && retry == nil ? session.judged?.better : nil
        let shown = Shown(
            session.visible, human: session.human, last: session.lastMove, heat: heat, rates: found?.rates,
            points: points, better: better, canPlay: canPlay || canTry, touched: touched, cursor: cursor, falls: falls, arrivals: arrivals, counted: counted)
        return try? AzxDrawing.board(shown)
    }
}
