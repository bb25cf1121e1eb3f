import AzxDrawing
import AzxPlay

extension Table {
    /// The board at the position that is shown; nil for a game that has none.
    public var board: (any Board)? { board() }

    func board(
        touched: Int? = nil, cursor: Int? = nil, falls: [Fall] = [], arrivals: [Arrival] = []
    ) -> (any Board)? {
        let (session, panel, isSearched) = (displayed, panel, found != nil)
        let equal = panel.options.count < 2 ? [] : panel.options.filter(\.isEqual).map(\.action)
        let shown = Shown(
            session.visible, human: session.human, last: session.lastMove, heat: heat, rates: isSearched ? panel.rates : nil,
            points: isSearched ? panel.losses?.mapValues { -Int($0) } : nil, better: panel.better?.action,
            equal: isSearched ? equal : [], canPlay: canPlay || canTry, touched: touched, cursor: cursor, falls: falls,
            arrivals: arrivals, counted: counted)
        return try? AzxDrawing.board(shown)
    }
}
